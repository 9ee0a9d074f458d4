/** This file puts an entry of the audit log into words. Pure. */

import type { ActorKind, AuditSubject, ShownAction } from '../../domain/accounts/audit.ts';
import type { AuditEntryView, AuditView } from '../../domain/views/account-view.ts';
import { channelKinds, titles } from '../../integrations/contract/titles.ts';
import { dateParts } from '../core/time-style.ts';
import { dayWords, exactTime, runTime, scopeWords, unbroken, zonedScheduleWords } from '../core/words.ts';
import { fieldWords } from './audit-fields.ts';

const actorWords: Readonly<Record<ActorKind, (name: string) => string>> = {
  member: (name) => name || 'Somebody',
  'api-key': (name) => `API key ${name}`,
  'admin-key': (name) => `Admin key ${name}`,
  'command-line': () => 'Command line',
  ping: () => 'A ping',
  recipient: (name) => name,
  system: () => 'Knell',
};

const actionWords: Readonly<Record<ShownAction, string>> = {
  created: 'created',
  changed: 'changed',
  deleted: 'deleted',
  moved: 'moved',
  paused: 'paused',
  resumed: 'resumed',
  acknowledged: 'acknowledged',
  unacknowledged: 'withdrew the acknowledgement of',
  snoozed: 'snoozed',
  unsnoozed: 'ended the snooze of',
  assigned: 'assigned',
  unassigned: 'unassigned',
  retried: 'retried',
  discarded: 'discarded',
  'signed-in': 'signed in',
  'sign-in-failed': 'failed to sign in',
  'password-refused': 'gave a wrong password',
  'signed-out': 'signed out',
  'link-created': 'created a link for',
  offered: 'offered',
  accepted: 'accepted',
  declined: 'declined',
  withdrew: 'withdrew the offer of',
};

export const subjectWords: Readonly<Record<AuditSubject, string>> = {
  check: 'check',
  integration: 'integration',
  notification: 'notification',
  project: 'project',
  key: 'API key',
  'admin-key': 'admin key',
  member: 'member',
  session: 'sign-in',
  'status-page': 'status page',
  maintenance: 'maintenance window',
  setting: 'setting of the server',
};

/** A key that had no name then is called by its present one, or by what it may do, too: the entry has how the key begins. */
export function whoWords({ actor }: AuditEntryView, named: AuditView['named'] = {}): string {
  const key = actor.kind === 'api-key' ? named[actor.id] : undefined;
  if (key?.name === '' && key.scope !== undefined) return `${scopeWords[key.scope]} key ${actor.name}`;
  return actorWords[actor.kind](key ? `${key.name} (${actor.name})` : actor.name);
}

/** Returns what follows who it was: `changed the check`, before its name. */
export function whatWords({ action, subject, detail }: AuditEntryView): string {
  if (subject === 'session') return actionWords[action];
  return `${actionWords[action]} the ${keyWords(subject, detail) ?? subjectWords[subject]}`;
}

/** Returns what a key is called that is for no API, by its scope; undefined for anything else. */
function keyWords(subject: AuditSubject, scope: string): string | undefined {
  if (subject !== 'key') return undefined;
  return { ping: 'ping key', wall: 'wall link' }[scope];
}

/**
 * Returns what was done to so many at once: `paused 6 checks`, `paused at least 6 checks` where more may follow, and `paused 6 checks that
 * match the filter` where others may not.
 */
export function allWords(
  { action, subject }: AuditEntryView,
  count: number,
  { isCut, isPart }: { readonly isCut: boolean; readonly isPart: boolean },
): string {
  const many = `${isCut ? 'at least ' : ''}${count.toLocaleString()}`;
  return `${actionWords[action]} ${many} ${subjectWords[subject]}s${isPart ? ' that match the filter' : ''}`;
}

/** The fields that were changed of any of several: `Tags, Grace time`. */
export function allFieldsWords(entries: readonly AuditEntryView[]): string {
  return [
    ...new Set(entries.flatMap(({ subject, fields }) => fields.map((name) => fieldWords(subject, name)))),
  ].join(', ');
}

/** Returns what was changed without its values being said, and what else there is to say. */
export function detailWords({ subject, fields, changes, detail }: AuditEntryView): string {
  const unsaid = fields
    .filter((name) => !changes.some(({ field }) => field === name))
    .map((name) => fieldWords(subject, name));
  if (keyWords(subject, detail) !== undefined) return unsaid.join(', ');
  const kind = subject === 'integration' ? channelKinds.find((one) => one === detail) : undefined;
  const readable = kind
    ? titles[kind]
    : subject === 'maintenance'
      ? calendarOnPage(detail)
      : detail.replace(instants, (text) => unbroken(exactTime(Date.parse(text))));
  return [unsaid.join(', '), readable].filter((part) => part !== '').join('; ');
}

/** The times of a maintenance window, which the log keeps in UTC and as a schedule, on the reader's clock and in words. */
export function calendarOnPage(text: string): string {
  return text
    .replace(span, (_, day: string, from: string, last: string | undefined, until: string) =>
      [`${day} ${from}`, `${last ?? day} ${until}`].map(onPage).join(' until '),
    )
    .replace(beginning, (_, instant: string) => `from ${onPage(instant)}`)
    .replace(schedule, (all, before: string, expr: string, zone: string) => {
      const words = zonedScheduleWords(expr.replaceAll(' | ', '\n'), zone);
      return words === '' ? all : `${before}${words} for `;
    });
}

const span = /(\d{4}-\d\d-\d\d) (\d\d:\d\d) to (?:(\d{4}-\d\d-\d\d) )?(\d\d:\d\d) UTC/g;
const beginning = /from (\d{4}-\d\d-\d\d \d\d:\d\d) UTC/g;
const schedule = /(^|: |; )([^;:]+(?::\d\d[^;:]*)*) \(([^()]+)\) for /;

function onPage(minute: string): string {
  return unbroken(runTime(Date.parse(`${minute.replace(' ', 'T')}:00Z`)));
}

/** Instants as the log keeps them, in UTC; the page shows all times in the zone of its reader. */
const instants = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Returns `Today, Wed 18 Nov`, `Yesterday, Tue 17 Nov`, or else `Mon 16 Nov`. */
export function dayHeading(atMs: number, nowMs: number): string {
  const days = Math.round((Date.UTC(...dateParts(nowMs)) - Date.UTC(...dateParts(atMs))) / 86_400_000);
  const near = ['Today, ', 'Yesterday, '][days] ?? '';
  return near + dayWords(atMs, nowMs);
}
