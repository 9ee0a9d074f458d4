/**
 * The links in mails, for people who may have no account: a signature in the address takes the place of a session.
 * Invariant: only POST changes anything, since mail scanners follow every link; a link belongs to one address of one
 * integration, and is invalid once either has changed.
 */

import { isMailLinkPurpose, type MailLinkPurpose } from '../../../commands/secrets/tokens.ts';
import { actorOf } from '../../../domain/accounts/audit.ts';
import type { ChannelSettings } from '../../../domain/accounts/channel-settings.ts';
import { type Channel, settingsOf } from '../../../domain/accounts/project.ts';
import { visitChecks } from '../../../engine/reads/check-slices.ts';
import { channelFields } from '../../../integrations/channel-value.ts';
import { KnellError } from '../../../lib/errors.ts';
import { asChannelId } from '../../../lib/ids.ts';
import type { RateLimit } from '../../../lib/rate-limit.ts';
import type { HttpReply, HttpRequest } from '../../wire/message.ts';
import { type PlainChoice, type PlainLink, plainPage } from '../../wire/plain-page.ts';
import { text } from '../../wire/replies.ts';
import type { WebContext } from '../calls/call.ts';

export interface MailLinkContext extends Pick<WebContext, 'engine' | 'tokens'> {
  readonly mailLinkRequests: RateLimit;
}

export interface MailLinkAction {
  /** Returns the page that asks, or says that there is nothing left to do. */
  ask(context: MailLinkContext, channel: Channel, asked: Asked): HttpReply | Promise<HttpReply>;
  run(context: MailLinkContext, channel: Channel, click: Click): Promise<HttpReply>;
}

interface ShownNames {
  readonly address: string;
  readonly project: string;
  /** Such as `the integration “On call”`. */
  readonly integration: string;
}

interface Asked extends ShownNames {
  readonly nowMs: number;
}

/** The request of somebody who follows a link. */
interface Click extends Asked {
  readonly clientAddr: string;
  /** Which of the buttons of a page it was; empty for the only one. */
  readonly does: string;
}

const actions: Readonly<Record<MailLinkPurpose, MailLinkAction>> = {
  unsubscribe: { ask: askUnsubscribe, run: unsubscribe },
  verify: { ask: askVerify, run: verify },
};

const path = /^\/(\w+)\/(.*)$/;

/** Returns null if the address is not a link of a mail. */
export function answerMailLink(
  context: MailLinkContext,
  request: HttpRequest,
): HttpReply | Promise<HttpReply> | null {
  const [, purpose = '', signed = ''] = path.exec(request.path) ?? [];
  if (!isMailLinkPurpose(purpose)) return null;
  const waitSeconds = context.mailLinkRequests.take(request.clientAddr, request.receivedAtMs);
  if (waitSeconds > 0) return tooManyPage(waitSeconds);
  const parts = partsOf(signed);
  if (parts === null) return brokenPage('mail');
  const channel = context.engine.read.channel(asChannelId(parts.id));
  if (!channel || !context.tokens.isMailLink(purpose, channel, parts.signature)) return unfit;
  const project = context.engine.read.project(channel.projectId)?.name ?? '';
  const asked: Asked = {
    address: String(channelFields(channel.kind, channel.value).value),
    project,
    integration: channel.name === '' ? 'this integration' : `the integration “${channel.name}”`,
    nowMs: request.receivedAtMs,
  };
  if (request.method === 'GET' || request.method === 'HEAD')
    return actions[purpose].ask(context, channel, asked);
  if (request.method !== 'POST') return text(405, 'method not allowed', [['Allow', 'GET, HEAD, POST']]);
  const does = new URLSearchParams(Buffer.from(request.body).toString()).get('do') ?? '';
  return actions[purpose]
    .run(context, channel, { ...asked, clientAddr: request.clientAddr, does })
    .catch(failed);
}

export function tooManyPage(waitSeconds: number): HttpReply {
  const page = { title: 'Too many requests', text: `Try again in ${waitSeconds} s.` };
  return plainPage(429, page, [['Retry-After', String(waitSeconds)]]);
}

const signedPart = /^([0-9a-f-]{36})\.([\w-]{43})$/;

/** An id and its signature, out of the end of a link; null for an end that no link has. */
export function partsOf(end: string): { readonly id: string; readonly signature: string } | null {
  const [, id, signature] = signedPart.exec(end) ?? [];
  return id === undefined || signature === undefined ? null : { id, signature };
}

/** Of a link that no message has: a mail program has cut it, or somebody who typed it. `message`: such as `mail`. */
export function brokenPage(message: string, link?: PlainLink): HttpReply {
  return plainPage(404, {
    title: 'This link is broken',
    text: `A part of it is missing or was changed. Open it from the ${message} again.`,
    ...(link === undefined ? {} : { link }),
  });
}

/**
 * Of a link whose signature does not fit. A signature depends on what the link was for: whether that was deleted or the link was changed
 * cannot be known, and what is there is not for those who guess. `why`: what may be so where the link is whole, a sentence.
 */
export function unfitPage(message: string, why: string, link?: PlainLink): HttpReply {
  return plainPage(404, {
    title: 'This link is broken or out of date',
    text: `Perhaps it is not complete or was changed: open it from the ${message} again. If that does not help: ${why}`,
    ...(link === undefined ? {} : { link }),
  });
}

/** `link`: where somebody who has an account may look further. */
export function outdatedPage(why: string, link?: PlainLink): HttpReply {
  return plainPage(404, {
    title: 'This link is out of date',
    text: why,
    ...(link === undefined ? {} : { link }),
  });
}

const unfit = unfitPage('mail', 'the integration that it was for was deleted, or has another address now.');

export const storeFullPage = plainPage(503, {
  title: 'Nothing was changed',
  text: 'The server cannot write at the moment: its disk is full, or its cluster does not answer. Try again later.',
});

function failed(error: unknown): HttpReply {
  if (!(error instanceof KnellError) || error.code !== 'store-full') throw error;
  return storeFullPage;
}

const subscribeAgain: PlainChoice = { text: 'Subscribe again', does: 'subscribe', isQuiet: true };

/** What the reason of an integration begins with that its recipient has turned off: that one may turn it on again. */
const byRecipient = 'the recipient unsubscribed on ';

async function askUnsubscribe(
  { engine }: MailLinkContext,
  channel: Channel,
  { address, project, integration, nowMs }: Asked,
): Promise<HttpReply> {
  if (settingsOf(channel).disabled) return unsubscribed(channel, { address, project, integration });
  const counts = await visitChecks(engine.read, channel.projectId, nowMs, (checks) =>
    checks.reduce((sum, { config }) => sum + Number(config.channels.includes(channel.id)), 0),
  );
  const count = counts.reduce((sum, one) => sum + one, 0);
  const checks = count === 1 ? '1 check notifies' : `${count.toLocaleString('en-US')} checks notify`;
  return plainPage(200, {
    title: 'Unsubscribe',
    text: `${address} will get no more alerts by ${integration} of the project ${project}, which ${checks}.`,
    button: 'Unsubscribe',
  });
}

async function unsubscribe(
  { engine }: MailLinkContext,
  channel: Channel,
  { nowMs, clientAddr, does, ...names }: Click,
): Promise<HttpReply> {
  const { disabled } = settingsOf(channel);
  const actor = actorOf('recipient', names.address, '', clientAddr);
  const edit = (settings: Partial<ChannelSettings>): Promise<unknown> =>
    engine.changeBy({ actor, atMs: nowMs }).editChannel(channel.id, { settings });
  if (does === subscribeAgain.does) {
    if (disabled && !isByRecipient(channel)) return unsubscribed(channel, names);
    if (disabled) await edit({ disabled: false, disabledReason: '', lastError: '', announcePending: false });
    return subscribedAgain(names);
  }
  const disabledReason = byRecipient + new Date(nowMs).toISOString().slice(0, 10);
  if (!disabled) await edit({ disabled: true, disabledReason });
  return unsubscribed(engine.read.channel(channel.id) ?? channel, names);
}

function isByRecipient(channel: Channel): boolean {
  const { disabled, disabledReason } = settingsOf(channel);
  return disabled && disabledReason.startsWith(byRecipient);
}

function unsubscribed(channel: Channel, { address, project, integration }: ShownNames): HttpReply {
  const said = `${address} gets no alerts by ${integration} of the project ${project}.`;
  const isOwn = isByRecipient(channel);
  return plainPage(200, {
    title: 'Unsubscribed',
    text: isOwn ? said : `${said} Somebody who may edit the project can enable it again.`,
    ...(isOwn ? { choices: [subscribeAgain] } : {}),
  });
}

function subscribedAgain({ address, project, integration }: ShownNames): HttpReply {
  return plainPage(200, {
    title: 'Subscribed again',
    text: `${address} gets alerts by ${integration} of the project ${project}.`,
  });
}

function askVerify(_: MailLinkContext, channel: Channel, names: ShownNames): HttpReply {
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
