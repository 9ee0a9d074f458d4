/**
 * The links in mails, for people who may have no account: a signature in the address takes the place of a session.
 * Invariant: only POST changes anything, since mail scanners follow every link; a link belongs to one address of one
 * integration, and is invalid once either has changed.
 */

import { isMailLinkPurpose, type MailLinkPurpose } from '../../../commands/secrets/tokens.ts';
import { actorOf } from '../../../domain/accounts/audit.ts';
import { type Channel, settingsOf } from '../../../domain/accounts/project.ts';
import { channelFields } from '../../../integrations/channel-value.ts';
import { KnellError } from '../../../lib/errors.ts';
import { asChannelId } from '../../../lib/ids.ts';
import type { RateLimit } from '../../../lib/rate-limit.ts';
import type { HttpReply, HttpRequest } from '../../wire/message.ts';
import { type PlainLink, plainPage } from '../../wire/plain-page.ts';
import { text } from '../../wire/replies.ts';
import type { WebContext } from '../calls/call.ts';

export interface MailLinkContext extends Pick<WebContext, 'engine' | 'tokens'> {
  readonly mailLinkRequests: RateLimit;
}

export interface MailLinkAction {
  /** Returns the page that asks, or says that there is nothing left to do. */
  ask(channel: Channel, names: ShownNames): HttpReply;
  run(context: MailLinkContext, channel: Channel, click: Click): Promise<HttpReply>;
}

/** The request of somebody who follows a link. */
interface Click extends ShownNames {
  readonly clientAddr: string;
  readonly nowMs: number;
}

interface ShownNames {
  readonly address: string;
  readonly project: string;
}

const actions: Readonly<Record<MailLinkPurpose, MailLinkAction>> = {
  unsubscribe: { ask: askUnsubscribe, run: unsubscribe },
  verify: { ask: askVerify, run: verify },
};

const path = /^\/(\w+)\/([0-9a-f-]{36})\.([\w-]{43})$/;

/** Returns null if the address is not a link of a mail. */
export function answerMailLink(
  context: MailLinkContext,
  request: HttpRequest,
): HttpReply | Promise<HttpReply> | null {
  const [, purpose = '', id = '', signature = ''] = path.exec(request.path) ?? [];
  if (!isMailLinkPurpose(purpose)) return null;
  const waitSeconds = context.mailLinkRequests.take(request.clientAddr, request.receivedAtMs);
  if (waitSeconds > 0) return tooManyPage(waitSeconds);
  const channel = context.engine.read.channel(asChannelId(id));
  if (!channel || !context.tokens.isMailLink(purpose, channel, signature)) return outdated;
  const project = context.engine.read.project(channel.projectId)?.name ?? '';
  const names = { address: String(channelFields(channel.kind, channel.value).value), project };
  if (request.method === 'GET' || request.method === 'HEAD') return actions[purpose].ask(channel, names);
  if (request.method !== 'POST') return text(405, 'method not allowed', [['Allow', 'GET, HEAD, POST']]);
  return actions[purpose]
    .run(context, channel, { ...names, clientAddr: request.clientAddr, nowMs: request.receivedAtMs })
    .catch(failed);
}

export function tooManyPage(waitSeconds: number): HttpReply {
  const page = { title: 'Too many requests', text: `Try again in ${waitSeconds} s.` };
  return plainPage(429, page, [['Retry-After', String(waitSeconds)]]);
}

/** `link`: where somebody who has an account may look further. */
export function outdatedPage(why: string, link?: PlainLink): HttpReply {
  return plainPage(404, {
    title: 'This link is out of date',
    text: why,
    ...(link === undefined ? {} : { link }),
  });
}

const outdated = outdatedPage('The integration that it was for was deleted, or has another address now.');

export const storeFullPage = plainPage(503, {
  title: 'Nothing was changed',
  text: 'The server cannot write at the moment: its disk is full, or its cluster does not answer. Try again later.',
});

function failed(error: unknown): HttpReply {
  if (!(error instanceof KnellError) || error.code !== 'store-full') throw error;
  return storeFullPage;
}

function askUnsubscribe(channel: Channel, names: ShownNames): HttpReply {
  if (settingsOf(channel).disabled) return unsubscribed(names);
  const { address, project } = names;
  return plainPage(200, {
    title: 'Unsubscribe',
    text: `${address} will get no more alerts by this integration of the project ${project}.`,
    button: 'Unsubscribe',
  });
}

async function unsubscribe(
  { engine }: MailLinkContext,
  channel: Channel,
  { nowMs, clientAddr, ...names }: Click,
): Promise<HttpReply> {
  if (!settingsOf(channel).disabled) {
    const on = new Date(nowMs).toISOString().slice(0, 10);
    const disabledReason = `the recipient unsubscribed on ${on}`;
    const actor = actorOf('recipient', names.address, '', clientAddr);
    await engine
      .changeBy({ actor, atMs: nowMs })
      .editChannel(channel.id, { settings: { disabled: true, disabledReason } });
  }
  return unsubscribed(names);
}

function unsubscribed({ address, project }: ShownNames): HttpReply {
  return plainPage(200, {
    title: 'Unsubscribed',
    text: `${address} gets no alerts by this integration of the project ${project}. Somebody who may edit the project can enable it again.`,
  });
}

function askVerify(channel: Channel, names: ShownNames): HttpReply {
  if (!settingsOf(channel).unverified) return verified(names);
  return plainPage(200, {
    title: 'Confirm this address',
    text: `The alerts of the project ${names.project} will be sent to ${names.address}.`,
    button: 'Confirm',
  });
}

async function verify(
  { engine }: MailLinkContext,
  channel: Channel,
  { nowMs, clientAddr, ...names }: Click,
): Promise<HttpReply> {
  const actor = actorOf('recipient', names.address, '', clientAddr);
  if (settingsOf(channel).unverified)
    await engine
      .changeBy({ actor, atMs: nowMs })
      .editChannel(channel.id, { settings: { unverified: false, lastError: '', failingSinceMs: 0 } });
  return verified(names);
}

function verified({ address, project }: ShownNames): HttpReply {
  return plainPage(200, {
    title: 'Confirmed',
    text: `${address} gets the alerts of the project ${project}. Each of them has a link to unsubscribe.`,
  });
}
