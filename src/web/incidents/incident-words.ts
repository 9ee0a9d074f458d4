/** Incidents in words: how long, who takes care, and what happened when. Pure. */
import {
  type EndedBy,
  movedAwayText,
  movedHereText,
  outagesMs,
} from '../../domain/alerting/incident-words.ts';
import { blockedAddressIn, whyBlocked } from '../../domain/deliveries/blocked-words.ts';
import type { IncidentAnswer, IncidentDetailsAnswer } from '../../domain/views/api-answers.ts';
import type {
  IncidentMaintenance,
  IncidentSnooze,
  IncidentView,
  ListedIncidentView,
  SentView,
  SnoozedIncidentsView,
  WaitingView,
} from '../../domain/views/incident-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { sentence } from '../../domain/words/sentence.ts';
import { outageSpan, spanDown } from '../../domain/words/span-words.ts';
import type { Mark } from '../core/status-words.ts';
import {
  atWords,
  checksWords,
  dayWords,
  errorWords,
  exactClock,
  momentWords,
  timeWords,
  unbroken,
} from '../core/words.ts';
import { channelWords, isOfDeleted, notificationTitle, outcomeWords } from '../log/log-words.ts';
import type { IconName } from '../ui/icons.tsx';
import {
  type Again,
  type Joinable,
  joinedLines,
  leftWords,
  namesOf,
  recipientNames,
  textsOf,
} from './timeline-lines.ts';

/** The shape of each state. */
export const incidentMarks: Readonly<Record<IncidentAnswer['state'], Mark>> = {
  open: 'down',
  acknowledged: 'acknowledged',
  resolved: 'up',
};

/**
 * Returns those that nobody takes care of before those that somebody has acknowledged or snoozed, and of both first what went down
 * last, also anew. One that was `shownOpen` keeps its place: a button that is pressed twice is not that of another one by then.
 */
export function openFirst(
  incidents: readonly ListedIncidentView[],
  shownOpen: ReadonlySet<string>,
  snoozed: SnoozedIncidentsView['untilMs'],
): readonly ListedIncidentView[] {
  const isTaken = ({ id, state }: ListedIncidentView): number =>
    Number((state === 'acknowledged' || id in snoozed) && !shownOpen.has(id));
  const downMs = ({ opened, reopenedMs }: ListedIncidentView): number => reopenedMs ?? Date.parse(opened);
  return [...incidents].sort((a, b) => isTaken(a) - isTaken(b) || downMs(b) - downMs(a));
}

/** How one ended of which nobody knows that it is up. */
export const endedWords: Readonly<Record<EndedBy, string>> = {
  pause: 'ended by a pause',
  move: 'ended by a move to another project',
};

type Lasting = Pick<IncidentAnswer, 'opened' | 'resolved' | 'duration'>;

/**
 * Returns `Open for 12 min 4 s`, which counts while one looks, `Acknowledged, open for 1 h`, or `Resolved after 34 min`; of what was
 * reopened, as that was up in between, `Down for 4 min 40 s`, and once it is over `Down 34 min in 2 outages`.
 */
export function durationTitle(
  {
    state,
    opened,
    resolved,
    duration,
    entries,
    checks,
  }: Lasting & Pick<IncidentDetailsAnswer, 'state' | 'entries' | 'checks'>,
  nowMs: number,
  ended: EndedBy | null = null,
): string {
  const outages =
    resolved === null || ended !== null
      ? []
      : outagesMs(entries.map(({ kind, timestamp }) => ({ kind, atMs: Date.parse(timestamp) })));
  if (outages.length > 1) {
    const downMs = outages.reduce((sum, ms) => sum + ms, 0);
    return `Down ${overSpan(Math.round(downMs / 1000))} in ${outages.length.toLocaleString()} outages`;
  }
  if (resolved !== null)
    return `${ended === null ? 'Resolved' : capital(endedWords[ended])} after ${overSpan(duration)}`;
  const downMs = downLaterMs({ opened, checks });
  const span = lasting(nowMs - (downMs ?? Date.parse(opened)));
  const words = downMs === null ? `open for ${span}` : `down for ${span}`;
  return state === 'acknowledged' ? `Acknowledged, ${words}` : capital(words);
}

function lasting(ms: number): string {
  return outageSpan(Math.max(1, ms));
}

/** When what is down now went down, the first of it, where that was later than the beginning; null where it was not. */
function downLaterMs({ opened, checks }: Pick<IncidentDetailsAnswer, 'opened' | 'checks'>): number | null {
  const wentDown = checks.flatMap(({ joined, left }) => (left === null ? [Date.parse(joined)] : []));
  const first = Math.min(...wentDown);
  return wentDown.length === 0 || minuteOf(first) === minuteOf(Date.parse(opened)) ? null : first;
}

/** Of what is over, the same in the list and on its page. */
function overSpan(durationS: number): string {
  return outageSpan(Math.max(1, durationS) * 1000);
}

/**
 * Returns `since yesterday 03:00`, or `from` of what is over, `until 03:12`, which is empty of what is not, and `for 12 min`. None is
 * broken by a line's end but after its first word. What opened again has been down since then.
 */
export function spanWords(
  {
    opened,
    resolved,
    duration,
    outages,
    reopenedMs,
  }: Lasting & Pick<ListedIncidentView, 'outages' | 'reopenedMs'>,
  nowMs: number,
): readonly [since: string, until: string, span: string] {
  const openedMs = reopenedMs ?? Date.parse(opened);
  const begin = `${resolved === null ? 'since' : 'from'} ${unbroken(momentWords(openedMs, nowMs))}`;
  const until = resolved === null ? '' : `until ${unbroken(endWords(openedMs, Date.parse(resolved), nowMs))}`;
  if (outages)
    return [begin, until, `${unbroken(`down ${overSpan(outages.downS)}`)} in ${outages.count} outages`];
  const length = resolved === null ? spanDown(Math.max(1000, nowMs - openedMs)) : overSpan(duration);
  return [begin, until, unbroken(`for ${length}`)];
}

/** Returns `03:12` of the same day, or else the day, too. */
function endWords(openedMs: number, endedMs: number, nowMs: number): string {
  const endedOn = dayWords(endedMs, nowMs);
  if (endedOn === dayWords(openedMs, nowMs)) return timeWords(endedMs);
  // A time without its day would be taken for one of the day before it.
  return `${endedOn === dayWords(nowMs, nowMs) ? 'today ' : ''}${momentWords(endedMs, nowMs)}`;
}

/** Incidents from which they are folded; fewer are shown one by one. */
const foldedMin = 3;

/**
 * Returns them in the same order: in one group those of one check that followed each other and were over before anybody acknowledged
 * them, each other one in a group of its own.
 */
export function foldedIncidents(
  incidents: readonly ListedIncidentView[],
): readonly (readonly ListedIncidentView[])[] {
  const groups: ListedIncidentView[][] = [];
  for (const incident of incidents) {
    const last = groups.at(-1);
    if (last?.[0] && isRepeated(last[0], incident)) last.push(incident);
    else groups.push([incident]);
  }
  return groups.flatMap((group) => (group.length < foldedMin ? group.map((one) => [one]) : [group]));
}

function isRepeated(one: ListedIncidentView, other: ListedIncidentView): boolean {
  const isPlain = ({ state, n_checks, acknowledged, endedBy }: ListedIncidentView): boolean =>
    state === 'resolved' && n_checks === 1 && acknowledged === null && endedBy === undefined;
  return isPlain(one) && isPlain(other) && one.title === other.title;
}

/** Returns `22 times · from Tue 24 Nov, 20:55, until 15:55 · down for 21 h together`. Newest first. */
export function foldedWords(group: readonly ListedIncidentView[], nowMs: number): string {
  const [newest] = group;
  const oldest = group.at(-1);
  if (!newest || !oldest) return '';
  const [openedMs, endedMs] = [Date.parse(oldest.opened), Date.parse(newest.resolved ?? newest.opened)];
  const from = momentWords(openedMs, nowMs);
  const downS = group.reduce((sum, { duration, outages }) => sum + (outages?.downS ?? duration), 0);
  const span = unbroken(overSpan(downS));
  const until = endWords(openedMs, endedMs, nowMs);
  return `${group.length.toLocaleString()} times · from ${from} until ${until}, down for ${span} together`;
}

/** Returns `3 of 4 checks down`, `1 check down`, or of what is over `4 checks`. */
export function countWords({
  state,
  n_checks,
  n_down,
}: Pick<IncidentAnswer, 'state' | 'n_checks' | 'n_down'>): string {
  const checks = checksWords(n_checks);
  if (state === 'resolved') return checks;
  return n_down === n_checks ? `${checks} down` : `${n_down.toLocaleString()} of ${checks} down`;
}

const minuteOf = (ms: number): number => Math.floor(ms / 60_000);

/**
 * Returns `1 check down · since 21:00`, or `1 check down since 21:02 · open for 13 min, since 21:00`: what came up and went down again
 * has not been down for all of it.
 */
export function sinceParts(
  incident: Pick<IncidentDetailsAnswer, 'state' | 'n_checks' | 'n_down' | 'opened' | 'checks'>,
  nowMs: number,
): readonly [count: string, since: string] {
  const count = countWords(incident);
  const openedMs = Date.parse(incident.opened);
  const opened = momentWords(openedMs, nowMs);
  const first = downLaterMs(incident);
  if (first === null) return [count, `since ${opened}`];
  const wentDown = incident.checks.flatMap(({ joined, left }) => (left === null ? [Date.parse(joined)] : []));
  const isOneTime =
    wentDown.length === incident.n_down && minuteOf(Math.max(...wentDown)) === minuteOf(first);
  const open = `open for ${unbroken(spanDown(Math.max(1000, nowMs - openedMs)))}, since ${unbroken(opened)}`;
  return [isOneTime ? `${count} since ${momentWords(first, nowMs)}` : count, open];
}

/** Returns `03:12` of each; all with their seconds where several are in one minute. */
export function itemTimes(items: readonly Pick<TimelineItem, 'atMs'>[], nowMs: number): readonly string[] {
  const isExact = new Set(items.map(({ atMs }) => minuteOf(atMs))).size < items.length;
  return items.map(({ atMs }) => capital(momentWords(atMs, nowMs, isExact ? exactClock : timeWords)));
}

/** Returns `Acknowledged by ada`; empty for one that is over and that nobody acknowledged. */
export function acknowledgedWords({ state, acknowledged, acknowledged_by: by }: IncidentAnswer): string {
  if (state === 'open') return 'Nobody has acknowledged it';
  if (acknowledged === null) return '';
  return `Acknowledged${by === null || by === '' ? '' : ` by ${by}`}`;
}

export interface TimelineItem {
  readonly key: string;
  readonly atMs: number;
  readonly icon: IconName;
  readonly isBad: boolean;
  readonly words: string;
  /** What somebody wrote, or why something failed; empty for nothing. */
  readonly text: string;
  /** Deliveries that can be sent again. */
  readonly again: readonly Again[];
}

/** What happened, before it is put into words. */
interface Happening extends Omit<TimelineItem, 'words' | 'key' | 'again'>, Joinable {}

type Entry = IncidentDetailsAnswer['entries'][number];

/** What the reader can do about what failed. */
interface Remedies {
  /** Whether this server lacks a setting for that kind. */
  readonly lacksFor: (channelKind: string) => boolean;
  readonly mayAllow: boolean;
}

/** What an alert is about, to stand behind its title: empty in an incident of one check, which the title of the page names. */
type About = (checks: string) => string;

/** Newest first. Of checks that joined, or left, one after the other, there is one line, and of what was sent at once to several. */
export function timelineOf(
  incident: IncidentView,
  nowMs: number,
  remedies: Remedies,
): readonly TimelineItem[] {
  const { entries, notifications = [], waiting = [], snoozes = [], maintenance = [] } = incident;
  const { n_checks, checks: members } = incident;
  const about: About = (checks) => (n_checks === 1 ? '' : ` of ${checks}`);
  const all = [
    ...waiting.map((one) => waitingHappening(one, nowMs, about)),
    ...notifications.map((one) => sentHappening(one, nowMs, remedies, about)),
    ...snoozes.map((one) => snoozeHappening(one, nowMs, about)),
    ...maintenance.flatMap((one) => maintenanceHappenings(one, nowMs, about)),
    ...entries.map((entry) => entryHappening(entry, leftByOf(entry, members), about)).reverse(),
  ];
  const joined = joinedLines(all);
  const texts = textsOf(joined);
  return joined.map(({ checks, to = [], again = [], say, atMs, icon, isBad }, at) => ({
    ...{ key: `${joined.length - at} ${atMs}`, atMs, icon, isBad, text: texts[at] ?? '', again },
    words: say(namesOf(checks), checks.length === 1, recipientNames(to)),
  }));
}

const entryWords: Readonly<
  Record<Entry['kind'], { readonly icon: IconName; readonly say: (by: string) => Happening['say'] }>
> = {
  opened: { icon: 'incident', say: () => (checks) => `${checks} went down: the incident opened` },
  joined: {
    icon: 'incident',
    say: () => (checks, isOne) => `${checks} went down, and ${isOne ? 'depends' : 'depend'} on what is down`,
  },
  left: { icon: 'check', say: () => leftWords },
  acknowledged: { icon: 'acknowledge', say: (by) => () => `${by} acknowledged it` },
  unacknowledged: { icon: 'close', say: (by) => () => `${by} withdrew the acknowledgement` },
  note: { icon: 'chat', say: (by) => () => `${by} left a note` },
  resolved: { icon: 'check', say: () => () => 'Nothing in it is down any more: resolved' },
  reopened: { icon: 'incident', say: () => (checks) => `${checks} is down again: the incident reopened` },
};

const movedInWords: Readonly<Partial<Record<Entry['kind'], string>>> = {
  opened: ': the incident opened',
  reopened: ': the incident reopened',
};

const merging: ReadonlySet<Entry['kind']> = new Set(['joined', 'left', 'resolved']);

/** Who marked the check as up that left then; empty where a job did, or where that is no longer known. */
function leftByOf({ kind, check, timestamp }: Entry, members: IncidentView['checks']): string {
  if (kind !== 'left') return '';
  const at = timestamp.slice(0, secondChars);
  const left = members.find((one) => one.name === check && one.left?.slice(0, secondChars) === at);
  return left?.leftBy ?? '';
}

/** Of `2026-03-02T12:00:00`, to the second. */
const secondChars = 19;

function entryHappening(
  { timestamp, kind, check, by, text }: Entry,
  leftBy: string,
  about: About,
): Happening {
  const { icon, say } = entryWords[kind];
  if (text === movedHereText)
    return {
      ...{ atMs: Date.parse(timestamp), icon, text: '', checks: [check], isBad: true, kind: '' },
      say: (checks) => `${checks} was moved here while it was down${movedInWords[kind] ?? ''}`,
    };
  if (text === movedAwayText)
    return {
      ...{ atMs: Date.parse(timestamp), icon, text: '', checks: [check], isBad: false, kind: 'left moved' },
      say: (checks, isOne) => `${checks} ${isOne ? 'was' : 'were'} moved to another project`,
    };
  if (leftBy !== '')
    return {
      ...{ atMs: Date.parse(timestamp), icon, text, checks: [check], isBad: false, kind: `left ${leftBy}` },
      say: (checks) =>
        about(checks) === '' ? `Marked as up by ${leftBy}` : `${checks} marked as up by ${leftBy}`,
    };
  return {
    ...{ atMs: Date.parse(timestamp), icon, text, checks: [check] },
    kind: merging.has(kind) && text === '' ? kind : '',
    isBad: kind === 'opened' || kind === 'reopened',
    say: say(by === '' ? 'Somebody' : by),
  };
}

function snoozeHappening(
  { atMs, action, by, untilMs, check }: IncidentSnooze,
  nowMs: number,
  about: About,
): Happening {
  const who = by === '' ? 'Somebody' : by;
  const until = untilMs === null ? '' : ` until ${momentWords(untilMs, nowMs)}`;
  const says: Readonly<Partial<Record<IncidentSnooze['action'], Happening['say']>>> = {
    snoozed: (checks) => `${who} snoozed ${about(checks) === '' ? 'it' : checks}${until}`,
    'snooze-changed': (checks) => `${who} changed the snooze${about(checks)}: now${until}`,
    unsnoozed: (checks) => `${who} ended the snooze${about(checks)}`,
  };
  return {
    ...{ atMs, icon: 'moon', text: '', checks: [check], isBad: false, kind: `${action} ${by} ${untilMs}` },
    say: says[action] ?? ((checks) => `The snooze${about(checks)} ended: its time was over`),
  };
}

/** Its beginning, unless that was before the incident, and its end. */
function maintenanceHappenings(
  { name, fromMs, untilMs, isOver, checks }: IncidentMaintenance,
  nowMs: number,
  about: About,
): readonly Happening[] {
  const line = { icon: 'clock', text: name, checks, isBad: false, kind: '' } as const;
  const until = isOver ? '' : `, until ${momentWords(untilMs, nowMs)}`;
  const began: Happening = {
    ...{ ...line, atMs: fromMs ?? 0 },
    say: (names) => `Maintenance${about(names)} began${until}: failures are not sent`,
  };
  const ended: Happening = { ...line, atMs: untilMs, say: (names) => `Maintenance${about(names)} ended` };
  return [...(fromMs === null ? [] : [began]), ...(isOver ? [ended] : [])];
}

function sentHappening(sent: SentView, nowMs: number, remedies: Remedies, about: About): Happening {
  const { timestamp, check, event, outcome, error, reminder } = sent;
  const name = recipientName(sent, outcome);
  const title = notificationTitle({ kind: event, isReminder: reminder === true });
  const isHeld = outcome === 'held';
  const isDeleted = isToDeleted(sent, outcome);
  const text = outcome === 'failed' ? givenUpWords(sent, remedies) : capital(errorWords(error, nowMs));
  return {
    ...{
      atMs: Date.parse(timestamp),
      icon: isHeld ? 'moon' : 'bell',
      text: isDeleted ? '' : text,
      checks: [check],
    },
    to: [{ id: sent.channel, name }],
    ...(isDeleted ? {} : againOf(sent)),
    kind: `${title} ${outcome} ${error} ${sent.delivery !== undefined}`,
    isBad: outcome === 'failed' && !isDeleted,
    say: (checks, _, all) =>
      isHeld
        ? `Nobody was notified${about(checks)}`
        : `${title}${about(checks)} to ${all}: ${outcomeWords[isDeleted ? 'superseded' : outcome].toLowerCase()}`,
  };
}

function isToDeleted(
  { channel_name: channelName, channel_kind: channelKind }: SentView | WaitingView,
  outcome: SentView['outcome'] | 'waiting',
): boolean {
  return isOfDeleted({ channelName, channelKind, outcome });
}

function recipientName(
  { channel_name: channelName, channel_kind: channelKind, apart = '' }: SentView | WaitingView,
  outcome: SentView['outcome'] | 'waiting',
): string {
  return channelWords({ channelName, channelKind, outcome, apart });
}

/** Why it failed, and that nothing more comes of it by itself: as the button beside it goes on. */
function givenUpWords(
  { attempts, error, delivery, channel_kind: kind, keptBack }: SentView,
  { lacksFor, mayAllow }: Remedies,
): string {
  const after = attempts > 1 ? ` after ${attempts.toLocaleString()} attempts` : '';
  const next = lacksFor(kind)
    ? ' Once that is set, it can be retried here.'
    : ' It is sent only if somebody retries it.';
  // What keeps it back is said where the button would be.
  const again = delivery === undefined || keptBack !== undefined ? '' : next;
  const blocked = delivery !== undefined && mayAllow ? blockedAddressIn(error) : '';
  // The button beside it allows the address: a variable to set would be a second way that one need not take.
  const why = blocked === '' ? error : whyBlocked(blocked);
  return `${sentenceOf(why)}Given up${after}.${again}`;
}

function againOf(
  of: Pick<SentView | WaitingView, 'delivery' | 'channel_kind' | 'error' | 'keptBack'>,
): Pick<Happening, 'again'> {
  const { delivery, channel_kind: channelKind, error, keptBack } = of;
  return delivery === undefined ? {} : { again: [{ id: delivery, channelKind, error, keptBack }] };
}

/** One that is not over: what went wrong until now, and what comes next. */
function waitingHappening(waiting: WaitingView, nowMs: number, about: About): Happening {
  const { since, check, event, attempts, error, reminder } = waiting;
  const name = recipientName(waiting, 'waiting');
  const title = notificationTitle({ kind: event, isReminder: reminder === true });
  const next = nextWords(waiting, nowMs);
  const times = attempts === 1 ? 'failed' : `failed ${attempts.toLocaleString()} times`;
  return {
    ...{ atMs: Date.parse(since), icon: 'bell', checks: [check] },
    text: attempts === 0 ? next : `${sentenceOf(error)}${next}`,
    to: [{ id: waiting.channel, name }],
    ...againOf(waiting),
    kind: `${title} waiting ${attempts} ${error} ${next}`,
    isBad: attempts > 0,
    say: (checks, _, all) => `${title}${about(checks)} to ${all}: ${attempts === 0 ? 'waiting' : times}`,
  };
}

/** One that should have been sent for so long waits for others to the same integration, which fail. */
const sentSoonMs = 60_000;

function nextWords({ since, attempts, next_attempt, isBehind = false }: WaitingView, nowMs: number): string {
  const nextMs = next_attempt === null ? 0 : Date.parse(next_attempt);
  if (nextMs > nowMs) return `${attempts === 0 ? 'It is sent' : 'Next try'} ${atWords(nextMs, nowMs)}.`;
  const isSoon = !isBehind && nowMs - Math.max(nextMs, Date.parse(since)) < sentSoonMs;
  if (attempts > 0)
    return isSoon ? 'It is being tried again.' : 'It is tried again once those before it are.';
  return isSoon ? 'It is about to be sent.' : 'Not tried yet: others to this integration come first.';
}

function sentenceOf(error: string): string {
  return error === '' ? '' : `${sentence(capital(error))} `;
}
