/**
 * The links in reports, and in the question whether an address wants them: a signature takes the place of a session.
 * Invariant: only POST changes anything, since mail scanners follow every link; a link belongs to one address of one member,
 * and is invalid once reports go to another address.
 */

import { type ReportLinkPurpose, reportLinkPurposes } from '../../../commands/secrets/tokens.ts';
import { actorOf } from '../../../domain/accounts/audit.ts';
import { withConfirmed, withoutReports } from '../../../domain/accounts/report-settings.ts';
import { noReports, type User } from '../../../domain/accounts/user.ts';
import { capital } from '../../../domain/words/capital.ts';
import { KnellError } from '../../../lib/errors.ts';
import { asUserId } from '../../../lib/ids.ts';
import type { HttpReply, HttpRequest } from '../../wire/message.ts';
import { plainPage } from '../../wire/plain-page.ts';
import { text } from '../../wire/replies.ts';
import type { WebContext } from '../calls/call.ts';
import { brokenPage, outdatedPage, partsOf, storeFullPage, tooManyPage, unfitPage } from './mail-links.ts';

type ReportLinkContext = Pick<WebContext, 'engine' | 'tokens' | 'mailLinkRequests' | 'commands'>;

interface LinkAction {
  /** Returns the page that asks, or says that there is nothing left to do. */
  readonly ask: (user: User) => HttpReply;
  readonly isDone: (user: User) => boolean;
  readonly done: (user: User) => HttpReply;
  readonly change: (user: User, timeZone: string, nowMs: number) => User;
}

const actions: Readonly<Record<ReportLinkPurpose, LinkAction>> = {
  confirm: {
    ask: (user) =>
      plainPage(200, {
        title: 'Confirm this address',
        text: `The reports that ${user.name} has asked for will be sent to ${addressOf(user)}.`,
        button: 'Confirm',
      }),
    isDone: ({ reports }) => reports?.isConfirmed === true,
    done: (user) =>
      plainPage(200, {
        title: 'Confirmed',
        text: `${addressOf(user)} gets the reports of ${user.name}. Each of them has a link that stops them.`,
      }),
    change: withConfirmed,
  },
  stop: {
    ask: (user) =>
      plainPage(200, {
        title: 'Stop these reports',
        text: `${addressOf(user)} will get no more reports.`,
        button: 'Stop reports',
      }),
    isDone: ({ reports }) => (reports ?? noReports).frequency === 'off',
    done: (user) =>
      plainPage(200, {
        title: 'No more reports',
        text: `${addressOf(user)} gets no reports. ${user.name} can turn them on again.`,
      }),
    change: withoutReports,
  },
};

function addressOf({ reports }: User): string {
  return (reports ?? noReports).address;
}

const path = /^\/(\w+)-reports\/(.*)$/;

/** Returns null if the address is not a link of a report. */
export function answerReportLink(
  context: ReportLinkContext,
  request: HttpRequest,
): HttpReply | Promise<HttpReply> | null {
  const [, name = '', signed = ''] = path.exec(request.path) ?? [];
  const purpose = reportLinkPurposes.find((one) => one === name);
  if (!purpose) return null;
  const waitSeconds = context.mailLinkRequests.take(request.clientAddr, request.receivedAtMs);
  if (waitSeconds > 0) return tooManyPage(waitSeconds);
  const parts = partsOf(signed);
  if (parts === null) return brokenPage('mail');
  const user = context.engine.read.users().find((one) => one.id === asUserId(parts.id));
  if (!user || !context.tokens.isReportLink(purpose, user, parts.signature)) return unfit;
  const { ask, isDone, done } = actions[purpose];
  if (request.method === 'GET' || request.method === 'HEAD') return isDone(user) ? done(user) : ask(user);
  if (request.method !== 'POST') return text(405, 'method not allowed', [['Allow', 'GET, HEAD, POST']]);
  return isDone(user) ? done(user) : act(context, request, { user, purpose });
}

const why = 'the member that it was for was removed, or gets reports at another address now.';
const unfit = unfitPage('mail', why);
const outdated = outdatedPage(capital(why));

async function act(
  { engine, commands }: ReportLinkContext,
  { clientAddr, receivedAtMs: nowMs }: HttpRequest,
  { user, purpose }: { readonly user: User; readonly purpose: ReportLinkPurpose },
): Promise<HttpReply> {
  const { change, done } = actions[purpose];
  const actor = actorOf('recipient', addressOf(user), '', clientAddr);
  try {
    const now = await engine
      .changeBy({ actor, atMs: nowMs })
      .updateUser(user.id, (latest) =>
        addressOf(latest) === addressOf(user) ? change(latest, commands.reports.timeZone, nowMs) : latest,
      );
    return addressOf(now) === addressOf(user) ? done(now) : outdated;
  } catch (error) {
    if (!(error instanceof KnellError)) throw error;
    return error.code === 'store-full' ? storeFullPage : outdated;
  }
}
