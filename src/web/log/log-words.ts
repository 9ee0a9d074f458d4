/** This file puts the entries of a log into words. Pure. */

import { channelKinds } from '../../domain/accounts/project.ts';
import type { Cause } from '../../domain/check/flip.ts';
import { resultValue } from '../../domain/results/result-words.ts';
import { noteWords } from '../../domain/runs/note-words.ts';
import { overrunWords } from '../../domain/runs/overrun.ts';
import type {
  AlertAction,
  AlertEntry,
  ChangeEntry,
  EndingEntry,
  LogEntry,
  MaintenanceEntry,
  NotificationEntry,
  PingEntry,
  PingSource,
  RunEntry,
} from '../../domain/views/log-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { exactSpan } from '../../domain/words/span-words.ts';
import { titles } from '../../integrations/contract/titles.ts';
import { dateParts, instantOf } from '../core/time-style.ts';
import { dayWords, exactClock, momentWords, timeWords } from '../core/words.ts';

const causeWords: Readonly<Record<Cause, string>> = {
  success: 'ping received',
  fail: 'the job reported a failure',
  start: 'run started',
  timeout: 'no ping in time',
  update: 'schedule changed',
  pause: 'paused by hand',
  resume: 'resumed by hand',
  hung: 'a run did not end in time',
  missed: 'a run was not reported in time',
  overlap: 'a run started while another was in flight',
  warn: 'the job reported a warning',
};

/** What became of a notification until now; `failing`: it was tried in vain, and is tried again. */
export type ShownOutcome = NotificationEntry['outcome'] | 'failing';

/** Its integration was deleted before it was sent, or given up: nothing failed that anybody could mend. */
export function isOfDeleted({
  outcome,
  channelName,
  channelKind,
}: Pick<NotificationEntry, 'outcome' | 'channelName' | 'channelKind'>): boolean {
  return outcome !== 'held' && outcome !== 'delivered' && channelName === '' && channelKind === '';
}

type Ended = Pick<NotificationEntry, 'outcome' | 'attempts' | 'channelName' | 'channelKind'>;

export function shownOutcome({ outcome, attempts, ...channel }: Ended): ShownOutcome {
  if (isOfDeleted({ outcome, ...channel })) return 'superseded';
  return outcome === 'waiting' && attempts > 0 ? 'failing' : outcome;
}

export const outcomeWords: Readonly<Record<ShownOutcome, string>> = {
  delivered: 'Delivered',
  failing: 'Failing',
  failed: 'Failed',
  superseded: 'Not sent',
  held: 'Held back',
  waiting: 'Waiting',
};

/** Returns `#ops (Slack)`, or where others are called so, `#ops (Slack, hooks.slack.com)`. */
export function channelWords({
  channelName,
  channelKind,
  outcome,
  apart = '',
}: Pick<NotificationEntry, 'channelName' | 'channelKind' | 'outcome' | 'apart'>): string {
  if (outcome === 'held' && channelName === '') return 'nobody is notified';
  const title = kindTitle(channelKind);
  const name = channelName || title || 'an integration that was deleted';
  const notes = [channelName === '' ? '' : title, apart].filter((note) => note !== '');
  return notes.length === 0 ? name : `${name} (${notes.join(', ')})`;
}

export function kindTitle(kind: string): string {
  const known = channelKinds.find((one) => one === kind);
  return known ? titles[known] : '';
}

export function notificationTitle({
  kind,
  isReminder,
}: Pick<NotificationEntry, 'kind' | 'isReminder'>): string {
  if (isReminder) return 'Reminder';
  return { down: 'Down alert', up: 'Up notice', late: 'Late notice', warning: 'Warning notice' }[kind];
}

const pingTitles = { start: 'Start', log: 'Log', ign: 'Ignored ping', alive: 'Sign of life' } as const;

const endingTitles: Readonly<Record<EndingEntry['outcome'], string>> = {
  hung: 'Run hung',
  missed: 'Run missed',
  overtaken: 'Run given up',
};

export function endingTitle({ outcome }: EndingEntry): string {
  return endingTitles[outcome];
}

/** Returns `started 02:00 · may take 45 min · db-1`. */
export function endingDetails({ startedMs, limitS, host }: EndingEntry): string {
  return [
    startedMs === null ? '' : `started ${exactClock(startedMs)}`,
    limitS === 0 ? '' : `may take ${exactSpan(limitS * 1000)}`,
    host,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

const afterWords = { hung: 'had hung', overtaken: 'was given up' } as const;

export function runTitle(entry: RunEntry | PingEntry): string {
  if (entry.what === 'ping') return entry.isRunning ? 'Running' : pingTitles[entry.signal];
  if (entry.after !== undefined) return `End of a run that ${afterWords[entry.after]}`;
  if (entry.outcome === 'failed') return 'Run failed';
  if (entry.outcome === 'warned') return 'Run, with a warning';
  return entry.outcome === 'late' ? 'Run, late' : 'Run';
}

/** Somebody ended a run that was in flight: how long it took was no doing of its job. */
export function wasEndedByHand(entry: LogEntry): boolean {
  return entry.what === 'run' && entry.from.byHand !== '' && entry.durationMs !== null;
}

/** Returns `2 min 14 s · exit status 3 · from 10.0.4.17`. `units`: of the numbers that it reported. */
export function runDetails(entry: RunEntry | PingEntry, units: ReadonlyMap<string, string>): string {
  const { from } = entry;
  return [
    entry.what === 'run' && entry.durationMs !== null && !wasEndedByHand(entry)
      ? exactSpan(entry.durationMs)
      : '',
    entry.what === 'run' &&
    (entry.outcome === 'failed' || entry.outcome === 'warned') &&
    entry.exitStatus !== null
      ? `exit status ${entry.exitStatus}`
      : '',
    entry.note === null
      ? ''
      : noteWords({ ...entry, note: entry.note }, (atMs) => noteTime(atMs, entry.atMs)),
    ...resultsWords(entry, units),
    entry.host,
    wasEndedByHand(entry) ? `ended ${whenceWords(from)}` : whenceWords(from),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** The first numbers that it reported; that of the note is said there. */
function resultsWords(
  { results, note, about }: RunEntry | PingEntry,
  units: ReadonlyMap<string, string>,
): readonly string[] {
  const noted = note === 'result' ? about.split(' ')[0] : '';
  const others = results.filter(({ name }) => name !== noted);
  return others
    .slice(0, resultsShown)
    .map(({ name, value }) => `${name} ${resultValue(value, units.get(name) ?? '')}`);
}

/** Numbers in one line of the log. */
const resultsShown = 3;

/** Returns `02:00:03`, with the day where that is not the one of the entry. */
function noteTime(atMs: number, entryMs: number): string {
  const day = dayWords(atMs, entryMs);
  return day === dayWords(entryMs, entryMs) ? exactClock(atMs) : `${day}, ${exactClock(atMs)}`;
}

function whenceWords({ byHand, scheme, remoteAddr }: PingSource): string {
  if (byHand !== '') return byHandWords(byHand);
  if (scheme === 'email') return 'by email';
  // An address by itself may be taken for one that was blocked, which the log names, too.
  return remoteAddr === '' ? '' : `from ${remoteAddr}`;
}

function byHandWords(name: string): string {
  return `by hand, by ${name}`;
}

/** Says why a status changed. */
export function changeWords({ cause, byHand, overrunMs }: ChangeEntry): string {
  if (overrunMs !== undefined) return overrunWords(overrunMs).replace('The', 'the');
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

/** Reasons for the end of an alert, where nobody ended it. */
export const alertEnds: Readonly<Partial<Record<AlertAction, string>>> = {
  'acknowledgement-over': 'the check is not down any more',
  'snooze-over': 'its time was over',
};

export function alertTitle({ action, by }: AlertEntry): string {
  return `${alertTitles[action]}${by === '' ? '' : ` by ${by}`}`;
}

/** Returns `Maintenance ended early by Ada`. */
export function maintenanceTitle({ action, isEarly, by }: MaintenanceEntry): string {
  if (action === 'began') return 'Maintenance began';
  return `Maintenance ended${isEarly ? ' early' : ''}${by === '' ? '' : ` by ${by}`}`;
}

export function isAcknowledgement({ action }: AlertEntry): boolean {
  return action === 'acknowledged' || action === 'unacknowledged' || action === 'acknowledgement-over';
}

/** Returns `Today, Wed 18 Nov`. */
export function dayTitle(atMs: number, nowMs: number): string {
  const words = dayWords(atMs, nowMs);
  if (words === dayWords(nowMs, nowMs)) return `Today, ${words}`;
  const [year, month, day] = dateParts(nowMs);
  // Noon is used because no clock is set forward or back then.
  return words === dayWords(instantOf(year, month, day - 1, 12), nowMs) ? `Yesterday, ${words}` : words;
}

/** What is shown as one line: an entry, runs that went as they should, or what was sent of one status change. */
export type LogItem =
  | { readonly kind: 'entry'; readonly entry: LogEntry }
  | { readonly kind: 'runs'; readonly entries: readonly RunEntry[] }
  | {
      readonly kind: 'sent';
      readonly entries: readonly NotificationEntry[];
      /** What each integration of them came to last, which may be another entry. */
      readonly results: readonly NotificationEntry[];
    };

/** Id of a fold: its place in the log, which stays when more is loaded below it. */
export function foldId({ kind, entries }: Exclude<LogItem, { kind: 'entry' }>): string {
  return `fold-${kind}-${entries.at(-1)?.id}`;
}

/** Runs from which they are folded; fewer are shown one by one. */
const foldedMin = 4;
/** Newest entries that are never folded, since people look for them. */
const alwaysShown = 3;

/**
 * Returns the items, newest first. Runs without anything unusual, one after the other, are one item, and so is what was sent of
 * one change.
 */
export function foldedItems(entries: readonly LogEntry[]): readonly LogItem[] {
  const items: LogItem[] = [];
  for (let at = 0; at < entries.length; ) {
    const fold = usualRuns(entries, at) ?? sentTogether(entries, at);
    const entry = entries[at];
    if (fold) items.push(fold);
    else if (entry) items.push({ kind: 'entry', entry });
    at += fold ? fold.entries.length : 1;
  }
  return items;
}

function usualRuns(entries: readonly LogEntry[], from: number) {
  if (from < alwaysShown) return null;
  const runs = takenWhile(
    entries,
    from,
    (entry): entry is RunEntry =>
      entry.what === 'run' && entry.outcome === 'succeeded' && !wasEndedByHand(entry),
  );
  return runs.length >= foldedMin ? ({ kind: 'runs', entries: runs } as const) : null;
}

/** Notifications from which they are one item: a single one says more by itself. */
const sentMin = 2;

/** Returns the times of the status changes of which there is such an item. */
export function sentTogetherMs(items: readonly LogItem[]): ReadonlySet<number> {
  const sent = items.flatMap((item) =>
    item.kind === 'sent' && !hasReminder(item.entries) ? item.entries : [],
  );
  return new Set(sent.map(({ changedMs }) => changedMs));
}

/** Then it is not all that was sent of its change. */
export function hasReminder(sent: readonly NotificationEntry[]): boolean {
  return sent.some(({ isReminder }) => isReminder);
}

function sentTogether(entries: readonly LogEntry[], from: number) {
  const first = entries[from];
  if (first?.what !== 'notification') return null;
  const mixed = sentAtOnce(entries, from);
  const sent = isMixed(mixed) ? mixed : sentOfOneKind(entries, from, first);
  if (sent.length < sentMin) return null;
  const alerts = sent.filter(({ isReminder }) => !isReminder);
  const ids = new Set(alerts.map(({ channelId }) => channelId));
  const ofSame = entries.filter(
    (entry): entry is NotificationEntry =>
      isOfSame(entry, first) && ids.has(entry.channelId) && (sent.includes(entry) || !isMixed(sent)),
  );
  const reminders = sent.filter(({ isReminder, channelId }) => isReminder && !ids.has(channelId));
  return { kind: 'sent', entries: sent, results: [...reminders, ...lastResults(ofSame)] } as const;
}

function isOfSame(entry: LogEntry, { changedMs, kind }: NotificationEntry): entry is NotificationEntry {
  return entry.what === 'notification' && entry.changedMs === changedMs && entry.kind === kind;
}

/** Milliseconds in which notifications of one change count as sent at once. */
const atOnceMs = 5000;

/**
 * What was sent at once of one change. When a snooze ends, those who had the alert get a reminder, and those whose alert had failed get
 * the alert.
 */
function sentAtOnce(entries: readonly LogEntry[], from: number): readonly NotificationEntry[] {
  const first = entries[from];
  if (first?.what !== 'notification') return [];
  return takenWhile(
    entries,
    from,
    (entry): entry is NotificationEntry => isOfSame(entry, first) && first.atMs - entry.atMs < atOnceMs,
  );
}

/** Alerts and reminders, of each integration one: then they are one sending. */
function isMixed(sent: readonly NotificationEntry[]): boolean {
  const isEachOnce = new Set(sent.map(({ channelId }) => channelId)).size === sent.length;
  return isEachOnce && sent.some(({ isReminder }) => isReminder !== sent[0]?.isReminder);
}

/** Alerts or reminders of one change, until others were sent at once with them. */
function sentOfOneKind(
  entries: readonly LogEntry[],
  from: number,
  first: NotificationEntry,
): readonly NotificationEntry[] {
  const sent = takenWhile(
    entries,
    from,
    (entry): entry is NotificationEntry => isOfSame(entry, first) && entry.isReminder === first.isReminder,
  );
  const until = sent.findIndex((_, at) => isMixed(sentAtOnce(entries, from + at)));
  return until < 0 ? sent : sent.slice(0, until);
}

/** Returns `Down alert`, `Reminder`, or of both together `Down alert and reminder`. */
export function sentTitle(sent: readonly NotificationEntry[]): string {
  const titles = new Set(sent.toSorted((a, b) => +a.isReminder - +b.isReminder).map(notificationTitle));
  return capital([...titles].join(' and ').toLowerCase());
}

function takenWhile<Entry extends LogEntry>(
  entries: readonly LogEntry[],
  from: number,
  isWanted: (entry: LogEntry) => entry is Entry,
): readonly Entry[] {
  const taken: Entry[] = [];
  for (let at = from; at < entries.length; at++) {
    const entry = entries[at];
    if (!entry || !isWanted(entry)) break;
    taken.push(entry);
  }
  return taken;
}

/**
 * What the notifications of one change came to last, of each integration: one that was given up may have been retried. A reminder is no
 * second result. Newest first.
 */
export function lastResults(entries: readonly NotificationEntry[]): readonly NotificationEntry[] {
  const last = new Map<string, NotificationEntry>();
  for (const entry of entries) {
    const known = last.get(entry.channelId);
    if (!known || isAfter(entry, known)) last.set(entry.channelId, entry);
  }
  return [...last.values()].sort((a, b) => b.atMs - a.atMs);
}

/** Whether `entry`, which is further down in the log, is the result all the same. */
function isAfter(entry: NotificationEntry, known: NotificationEntry): boolean {
  // Of a long outage, the first pages of its log have nothing else.
  if (known.isReminder !== entry.isReminder) return known.isReminder;
  // What waits has the time since when it does, and what was not sent made way for another.
  if (known.outcome === 'waiting') return false;
  return entry.outcome === 'waiting' || (known.outcome === 'superseded' && entry.outcome === 'delivered');
}

/** Returns `3 delivered, 2 waiting`. */
export function outcomeCounts(entries: readonly NotificationEntry[]): string {
  const outcomes = ['delivered', 'failing', 'waiting', 'failed', 'superseded', 'held'] as const;
  return outcomes
    .map((outcome) => ({ outcome, count: entries.filter((entry) => shownOutcome(entry) === outcome).length }))
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => `${count} ${outcomeWords[outcome].toLowerCase()}`)
    .join(', ');
}

/** Returns `3 delivered, 1 failing, 2 waiting, 1 failed`, of what took over a minute with `, the last at 02:39`. Newest first. */
export function sentWords(entries: readonly NotificationEntry[], nowMs: number): string {
  const [newest] = entries;
  const oldest = entries.at(-1);
  const isLong = newest && oldest && newest.atMs - oldest.atMs >= 60_000;
  const last = isLong ? `the last ${laterWords(newest.atMs, oldest.atMs, nowMs)}` : '';
  return [outcomeCounts(entries), last].filter((words) => words !== '').join(', ');
}

/** Returns `at 02:39` of the same day, or else the day, too: `today 07:00`. */
function laterWords(atMs: number, firstMs: number, nowMs: number): string {
  const [time, moment] = [timeWords(atMs), momentWords(atMs, nowMs)];
  if (dayWords(atMs, nowMs) === dayWords(firstMs, nowMs)) return `at ${time}`;
  return moment === time ? `today ${time}` : moment;
}

/** Returns the ids of entries that a clock without seconds would show at the same time as their neighbour. */
export function ofOneMinute(items: readonly LogItem[]): ReadonlySet<string> {
  const entries = items.flatMap((item): readonly LogEntry[] =>
    item.kind === 'entry' ? [item.entry] : item.entries,
  );
  const ids = entries.flatMap((entry, at) => {
    const before = entries[at - 1];
    return before && minuteOf(before) === minuteOf(entry) ? [before.id, entry.id] : [];
  });
  return new Set(ids);
}

function minuteOf({ atMs }: LogEntry): number {
  return Math.floor(atMs / 60_000);
}

export interface LogDay {
  readonly title: string;
  readonly items: readonly LogItem[];
}

/** Returns the items under the day, or the days, to which they belong. */
export function daysOf(items: readonly LogItem[], nowMs: number): readonly LogDay[] {
  const days: { title: string; items: LogItem[] }[] = [];
  for (const item of items) {
    const title = item.kind === 'entry' ? dayTitle(item.entry.atMs, nowMs) : foldTitle(item.entries, nowMs);
    const last = days.at(-1);
    if (last?.title === title) last.items.push(item);
    else days.push({ title, items: [item] });
  }
  return days;
}

function foldTitle(entries: readonly LogEntry[], nowMs: number): string {
  const [newest] = entries;
  const oldest = entries.at(-1);
  if (!newest || !oldest) return '';
  const [from, to] = [dayTitle(oldest.atMs, nowMs), dayTitle(newest.atMs, nowMs)];
  return from === to ? to : `${from} to ${to}`;
}

/** Returns ` · each took 1 min 57 s to 2 min 21 s`; empty if no start was reported. */
export function foldDurations(runs: readonly RunEntry[]): string {
  const durations = runs.flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs]));
  if (durations.length === 0) return '';
  const [shortest, longest] = [Math.min(...durations), Math.max(...durations)].map(exactSpan);
  const took = durations.length === runs.length ? 'each took' : 'took';
  return ` · ${took} ${shortest === longest ? shortest : `${shortest} to ${longest}`}`;
}
