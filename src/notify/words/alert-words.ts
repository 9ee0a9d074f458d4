/**
 * What a check's settings of alerting have to do with an alert, in a sentence behind the others: how many failures it took, or that the
 * check is unstable and no more is sent.
 * Invariant: pure; empty where no such setting is set, so that alerts of other checks are what they were.
 */
import { type Channel, settingsOf } from '../../domain/accounts/project.ts';
import { failuresCounted, noAlertState } from '../../domain/check/alert-state.ts';
import { longSpan, shortSpan } from '../../domain/words/span-words.ts';
import { second } from '../../lib/units.ts';
import type { Notice } from '../contract/channel.ts';

export function alertText({ notificationKind, check, channel, test }: Notice): string {
  const { config, alerting = noAlertState } = check;
  if (test) return '';
  if (notificationKind === 'up')
    return config.recoverAfter > 1 ? `It was well ${config.recoverAfter} times in a row.` : '';
  if (notificationKind !== 'down') return '';
  const escalated = escalationText(channel);
  if (escalated !== '') return escalated;
  const { unstableChanges, unstableWindowS, alertAfter, alertOfLast } = config;
  const lastMs = alerting.changesMs.at(-1) ?? 0;
  const fromMs = lastMs - unstableWindowS * second;
  if (unstableChanges > 0 && alerting.changesMs.filter((atMs) => atMs > fromMs).length > unstableChanges)
    return `Unstable: more than ${unstableChanges} changes within ${shortSpan(unstableWindowS * second)}. Nothing more is sent until it is steady.`;
  const failed = failuresCounted(config, alerting);
  if (alertAfter <= 1 || failed < alertAfter) return '';
  return alertOfLast > alertAfter
    ? `${failed} of the last ${alertOfLast} failed.`
    : `${failed} failures in a row.`;
}

/** Why an integration is notified that is so only of what nobody has acknowledged; empty for any other. */
export function escalationText(channel: Channel): string {
  const { escalateS } = settingsOf(channel);
  return escalateS === 0 ? '' : `Nobody has acknowledged it for ${longSpan(escalateS * second)}.`;
}

/** The alert's sentences, with that behind them. */
export function withAlertText(text: string, notice: Notice): string {
  const more = alertText(notice);
  return more === '' ? text : `${text} ${more}`;
}
