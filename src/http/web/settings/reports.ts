/**
 * The user's own reports by mail: shows and sets the choice, previews the present report, sends one at once.
 * Invariant: until an address has agreed, it gets only the question; nobody changes or sees the reports of others.
 */

import { choiceIn, InvalidField } from '../../../commands/contract/command.ts';
import { nextDue, periodBefore, shownPeriod, shownPeriods } from '../../../domain/accounts/report-period.ts';
import { reportZoneOf, withReports } from '../../../domain/accounts/report-settings.ts';
import { isMailAddress, noReports, reportFrequencies, type User } from '../../../domain/accounts/user.ts';
import { mailAddressCharsMax } from '../../../domain/limits.ts';
import type { ReportsView, SavedReports } from '../../../domain/views/report-view.ts';
import { buildReport, projectsSeenBy } from '../../../engine/reads/build-report.ts';
import { forms } from '../../../integrations/contract/values.ts';
import { KnellError } from '../../../lib/errors.ts';
import { errorReply, jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import { wrongOwner } from '../account/credentials.ts';
import { textIn, type UserCall } from '../calls/call.ts';

export function showReports({ context, principal: { user, session }, nowMs }: UserCall): HttpReply {
  const { canSend, timeZone: otherwise } = context.commands.reports;
  const { frequency, address, isConfirmed, lastError } = user.reports ?? noReports;
  const timeZone = reportZoneOf(user, otherwise);
  const isSent = canSend && isConfirmed && frequency !== 'off';
  const nextMs = isSent ? nextDue(frequency, timeZone, nowMs).dueMs : null;
  const needsPassword = session !== null && user.passwordHash !== '' && !isMailAddress(user.name);
  const view: ReportsView = {
    ...{ frequency, address, isConfirmed, lastError, canSend, timeZone, nextMs },
    needsPassword,
  };
  return jsonReply(view);
}

export async function changeReports(call: UserCall): Promise<HttpReply> {
  const { context, change, json, principal, nowMs } = call;
  const { reports } = context.commands;
  const chosen = {
    frequency: choiceIn(json, 'frequency', reportFrequencies),
    address: textIn(json, 'address'),
  };
  if (chosen.address === '' && chosen.frequency !== 'off')
    throw new InvalidField('address', 'an address is missing that the reports go to');
  const { fits, is } = forms.mail;
  if (chosen.address !== '' && (!fits(chosen.address) || chosen.address.length > mailAddressCharsMax))
    throw new InvalidField('address', `the address must be ${is}`);
  const refused = await wrongOwner(call, withReports(principal.user, chosen, reports.timeZone, nowMs));
  if (refused) return refused;
  let asks = false;
  const user = await change.updateUser(principal.user.id, (before) => {
    const after = withReports(before, chosen, reports.timeZone, nowMs);
    asks = needsQuestion(after) && (before.reports ?? noReports).address !== chosen.address;
    return after;
  });
  const saved: SavedReports = { verification: asks ? ((await reports.ask(user, nowMs)) ?? '') : '' };
  return jsonReply(saved);
}

function needsQuestion({ reports }: User): boolean {
  return reports !== undefined && reports.address !== '' && !reports.isConfirmed;
}

/** Sends the question once more. */
export async function askAgain({ context, principal: { user }, nowMs }: UserCall): Promise<HttpReply> {
  if (!needsQuestion(user)) throw new KnellError('conflict', 'there is no address to be confirmed');
  return sentReply(await context.commands.reports.ask(user, nowMs));
}

export async function sendReport({ context, principal: { user }, nowMs }: UserCall): Promise<HttpReply> {
  if (user.reports?.isConfirmed !== true)
    throw new KnellError('conflict', 'the address is not confirmed yet');
  return sentReply(await context.commands.reports.sendNow(user, nowMs));
}

function sentReply(error: string | null): HttpReply {
  return error === null ? jsonReply({}) : errorReply(409, error);
}

/** Renders the report of a period; of one that is not over, up to now. */
export async function previewReport({
  context,
  request,
  principal: { user },
  nowMs,
}: UserCall): Promise<HttpReply> {
  const { reports } = context.commands;
  const waitSeconds = reports.previews.take(user.id, nowMs);
  if (waitSeconds > 0) return errorReply(429, `too many reports: try again in ${waitSeconds} s`);
  const query = new URLSearchParams(request.query);
  const asked = query.get('period') ?? query.get('frequency');
  const shown = shownPeriods.find((one) => one === asked);
  if (shown === undefined) return errorReply(400, `period must be one of ${shownPeriods.join(', ')}`);
  const period = shownPeriod(shown, reportZoneOf(user, reports.timeZone), nowMs);
  const { read } = context.engine;
  const before = periodBefore(shown, period);
  return jsonReply(await buildReport(read, { projects: projectsSeenBy(read, user), period, before, nowMs }));
}
