/**
 * What a reminder says before all else: that it is one, and that a snooze has ended, where that caused it.
 * Invariant: pure; empty for the first message of an outage, for one that is over, and for an incident, which says itself what is still down.
 */
import type { Notice } from '../contract/channel.ts';
import { manyOf } from './incident-message.ts';

/** In a sentence. `said`: an instant, as the message writes it. */
export function reminderText(notice: Notice, said: (atMs: number) => string): string {
  const { reminder } = notice;
  if (!reminder || !isStillDown(notice) || manyOf(notice)) return '';
  const { snoozeEndedMs } = reminder;
  return snoozeEndedMs === null
    ? 'Reminder: it is still down.'
    : `Reminder: the snooze ended at ${said(snoozeEndedMs)}.`;
}

/** Whether those who get the message have read before that it is down. */
export function isStillDown({ reminder, over }: Pick<Notice, 'reminder' | 'over'>): boolean {
  return Boolean(reminder) && !over;
}

/** With that before it. */
export function withReminder(reminder: string, text: string): string {
  return reminder === '' ? text : `${reminder} ${text}`;
}
