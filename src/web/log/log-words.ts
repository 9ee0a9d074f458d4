/** Entries of a log in words. Pure. */

import { channelKinds } from '../../domain/accounts/project.ts';
import type { Cause } from '../../domain/check/flip.ts';
import type {
  AlertAction,
  AlertEntry,
  ChangeEntry,
  LogEntry,
  NotificationEntry,
  PingEntry,
  PingSource,
  RunEntry,
} from '../../domain/views/log-view.ts';
import { exactSpan } from '../../domain/words/span-words.ts';
import { kinds } from '../../integrations/all.ts';
import { dateParts, instantOf } from '../core/time-style.ts';
import { dayWords } from '../core/words.ts';

const causeWords: Readonly<Record<Cause, string>> = {
  success: 'ping received',
  fail: 'the job reported a failure',
  start: 'run started',
  timeout: 'no ping in time',
  update: 'schedule changed',
  pause: 'paused by hand',
  resume: 'resumed by hand',
};

export const outcomeWords: Readonly<Record<NotificationEntry['outcome'], string>> = {
  delivered: 'Delivered',
  failed: 'Failed',
  superseded: 'Skipped',
  waiting: 'Waiting',
};

/** `#ops (Slack)`. */
export function channelWords({ channelName, channelKind }: NotificationEntry): string {
  const title = kindTitle(channelKind);
  if (channelName === '') return title || 'an integration that was deleted';
  return title === '' ? channelName : `${channelName} (${title})`;
}

function kindTitle(kind: string): string {
  const known = channelKinds.find((one) => one === kind);
  return known ? kinds[known].form.title : '';
}

export function notificationTitle({ kind, isReminder }: NotificationEntry): string {
  if (isReminder) return 'Reminder';
  return { down: 'Down alert', up: 'Up notice', late: 'Late notice' }[kind];
}

const pingTitles = { start: 'Start', log: 'Log', ign: 'Ignored ping' } as const;

export function runTitle(entry: RunEntry | PingEntry): string {
  if (entry.what === 'ping') return entry.isRunning ? 'Running' : pingTitles[entry.signal];
  if (entry.outcome === 'failed') return 'Run failed';
  return entry.outcome === 'late' ? 'Run, late' : 'Run';
}

/** `2 min 14 s · exit status 3 · 10.0.4.17`. */
export function runDetails(entry: RunEntry | PingEntry): string {
  const { from } = entry;
  return [
    entry.what === 'run' && entry.durationMs !== null ? exactSpan(entry.durationMs) : '',
    entry.what === 'run' && entry.outcome === 'failed' && entry.exitStatus !== null
      ? `exit status ${entry.exitStatus}`
      : '',
    whenceWords(from),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

function whenceWords({ byHand, scheme, remoteAddr }: PingSource): string {
  if (byHand !== '') return byHandWords(byHand);
  return scheme === 'email' ? 'by email' : remoteAddr;
}

function byHandWords(name: string): string {
  return `by hand, by ${name}`;
}

/** Why a status changed. */
export function changeWords({ cause, byHand }: ChangeEntry): string {
  return byHand === '' ? causeWords[cause] : byHandWords(byHand);
}

const alertTitles: Readonly<Record<AlertAction, string>> = {
  acknowledged: 'Acknowledged',
  unacknowledged: 'Acknowledgement withdrawn',
  'acknowledgement-over': 'Acknowledgement ended',
  snoozed: 'Snoozed',
  'snooze-changed': 'Snooze changed',
  unsnoozed: 'Snooze ended',
  'snooze-over': 'Snooze ended',
};

/** Why it ended, where nobody ended it. */
export const alertEnds: Readonly<Partial<Record<AlertAction, string>>> = {
  'acknowledgement-over': 'the check is not down any more',
  'snooze-over': 'its time was over',
};

export function alertTitle({ action, by }: AlertEntry): string {
  return `${alertTitles[action]}${by === '' ? '' : ` by ${by}`}`;
}

export function isAcknowledgement({ action }: AlertEntry): boolean {
  return action === 'acknowledged' || action === 'unacknowledged' || action === 'acknowledgement-over';
}

/** `Today, Wed 18 Nov`. */
export function dayTitle(atMs: number, nowMs: number): string {
  const words = dayWords(atMs, nowMs);
  if (words === dayWords(nowMs, nowMs)) return `Today, ${words}`;
  const [year, month, day] = dateParts(nowMs);
  // Noon: no clock is set forward or back then.
  return words === dayWords(instantOf(year, month, day - 1, 12), nowMs) ? `Yesterday, ${words}` : words;
}

/** What is shown as one line: an entry, or runs that went as they should. */
export type LogItem =
  | { readonly kind: 'entry'; readonly entry: LogEntry }
  | { readonly kind: 'fold'; readonly runs: readonly RunEntry[] };

/** Fewer are shown as they are. */
const foldedMin = 4;
/** The newest are what one looks for. */
const alwaysShown = 3;

/** Newest first. Runs without anything unusual, one after the other, are one item. */
export function foldedItems(entries: readonly LogEntry[]): readonly LogItem[] {
  const items: LogItem[] = [];
  let runs: RunEntry[] = [];
  const flush = (): void => {
    if (runs.length >= foldedMin) items.push({ kind: 'fold', runs });
    else items.push(...runs.map((entry) => ({ kind: 'entry', entry }) as const));
    runs = [];
  };
  for (const [at, entry] of entries.entries()) {
    const isUsual = entry.what === 'run' && entry.outcome === 'succeeded';
    if (isUsual && at >= alwaysShown) runs.push(entry);
    else {
      flush();
      items.push({ kind: 'entry', entry });
    }
  }
  flush();
  return items;
}

export interface LogDay {
  readonly title: string;
  readonly items: readonly LogItem[];
}

/** Items under the day, or the days, that they are of. */
export function daysOf(items: readonly LogItem[], nowMs: number): readonly LogDay[] {
  const days: { title: string; items: LogItem[] }[] = [];
  for (const item of items) {
    const title = item.kind === 'entry' ? dayTitle(item.entry.atMs, nowMs) : foldTitle(item.runs, nowMs);
    const last = days.at(-1);
    if (last?.title === title) last.items.push(item);
    else days.push({ title, items: [item] });
  }
  return days;
}

function foldTitle(runs: readonly RunEntry[], nowMs: number): string {
  const [newest] = runs;
  const oldest = runs.at(-1);
  if (!newest || !oldest) return '';
  const [from, to] = [dayTitle(oldest.atMs, nowMs), dayTitle(newest.atMs, nowMs)];
  return from === to ? to : `${from} to ${to}`;
}

/** `1 min 57 s to 2 min 21 s`; empty where no start was reported. */
export function foldDurations(runs: readonly RunEntry[]): string {
  const durations = runs.flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs]));
  if (durations.length === 0) return '';
  const [shortest, longest] = [Math.min(...durations), Math.max(...durations)].map(exactSpan);
  return shortest === longest ? (shortest ?? '') : `${shortest} to ${longest}`;
}
