/**
 * What a notice says, in words: a title, some lines, and the values that templates and webhooks refer to. Plain text;
 * how a target wants it escaped is `escape`.
 * Invariant: pure; a title is one line, whatever the check is called.
 */
import { tagsOf } from '../domain/check.ts';
import type { NotificationKind } from '../domain/delivery.ts';
import type { Cause } from '../domain/flip.ts';
import { uniqueKeyOf } from '../lib/ids.ts';
import { day, hour, minute, second } from '../lib/units.ts';
import type { Notice } from './channel.ts';

/** A ping's body in a chat: enough to see what went wrong. */
const bodyCharsShown = 1000;

/** Descriptions have no limit, messages do: Pushover's is 1024 characters. */
const descCharsShown = 400;

/** Opsgenie's limit for a message. */
const shortTitleChars = 130;

/** No end in sight: for services that want one. */
const farMs = 365 * day;

const words: Readonly<Record<NotificationKind, string>> = { down: 'DOWN', up: 'UP', late: 'LATE' };

export interface Facts {
  readonly [name: string]: string | number | readonly string[];
  readonly title: string;
  readonly text: string;
  readonly name: string;
}

/** All that a template can name. */
export function factsOf(notice: Notice): Facts {
  const { check, notificationKind, ping } = notice;
  const name = nameOf(notice);
  const lines = linesOf(notice);
  return {
    title: titleOf(notice),
    shortTitle: cut(titleOf(notice), shortTitleChars),
    paragraphs: lines.map(([label, value]) => (label === '' ? value : `${label}: ${value}`)).join('\n\n'),
    text: lines.map(([label, value]) => (label === '' ? value : `${label}: ${value}`)).join('\n'),
    name,
    reason: reasonOf(notice),
    code: check.id,
    uniqueKey: uniqueKeyOf(check.id),
    notificationKind,
    status: notificationKind === 'late' ? 'grace' : notificationKind,
    STATUS: words[notificationKind],
    project: notice.project.name,
    desc: check.config.desc,
    tags: tagsOf(check.config).join(' '),
    tagList: tagsOf(check.config),
    pings: check.state.nPings,
    lastPing: ping ? isoOf(ping.atMs) : 'never',
    body: cut(notice.body, bodyCharsShown),
    at: isoOf(notice.atMs),
    atUtc: new Date(notice.atMs).toISOString(),
    downSinceUtc: new Date(notice.atMs - (notice.downtimeMs ?? 0)).toISOString(),
    farUtc: new Date(notice.atMs + farMs).toISOString(),
    deliveryId: notice.deliveryId,
    baseUrl: notice.baseUrl,
  };
}

function titleOf(notice: Notice): string {
  return notice.test
    ? 'Test notification from Knell'
    : `${nameOf(notice)} is ${words[notice.notificationKind]}`;
}

export function nameOf({ check }: Pick<Notice, 'check'>): string {
  const name = oneLine(check.config.name);
  return name === '' ? check.id : name;
}

/** Labelled lines, those without anything to say left out. */
export function linesOf(notice: Notice): readonly (readonly [label: string, value: string])[] {
  const { check, downtimeMs, ping, test } = notice;
  const lines: readonly (readonly [string, string])[] = [
    ['', reasonOf(notice)],
    ['Down for', downtimeMs === null ? '' : durationText(downtimeMs)],
    ['Project', oneLine(notice.project.name)],
    ['Tags', tagsOf(check.config).join(' ')],
    ['Description', cut(check.config.desc, descCharsShown)],
    ['Schedule', scheduleText(notice)],
    ['Last ping', ping ? `${isoOf(ping.atMs)} (${ping.signal}, number ${ping.n})` : 'never'],
  ];
  // The check of a test notification does not exist.
  const shown = test ? lines.filter(([label]) => label === '' || label === 'Project') : lines;
  return shown.filter(([, value]) => value !== '');
}

const reasons: Readonly<Record<NotificationKind, Partial<Record<Cause, string>>>> = {
  down: { fail: 'The job reported a failure.', timeout: 'No ping arrived in time.' },
  up: { success: 'Recovered: a ping arrived.' },
  late: {},
};
const otherReasons: Readonly<Record<NotificationKind, string>> = {
  down: 'Overdue under the new schedule.',
  up: 'Recovered.',
  late: 'A ping is late; still within the grace time.',
};

export function reasonOf({ notificationKind, cause, test }: Notice): string {
  if (test) return 'If you can read this, it works.';
  return reasons[notificationKind][cause] ?? otherReasons[notificationKind];
}

function scheduleText({ check }: Notice): string {
  const { kind, timeoutS, graceS, schedule, tz } = check.config;
  const grace = `grace ${durationText(graceS * second)}`;
  return kind === 'simple'
    ? `every ${durationText(timeoutS * second).replace(/^1 (?=\w+$)/, '')}, ${grace}`
    : `${oneLine(schedule)} (${tz}), ${grace}`;
}

const units = [
  ['day', day],
  ['hour', hour],
  ['minute', minute],
  ['second', second],
] as const;

/** `1 day 2 hours`: the two largest units that have something to say. */
function durationText(ms: number): string {
  let rest = Math.max(0, Math.round(ms / second)) * second;
  const parts: string[] = [];
  for (const [name, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0 && parts.length < 2) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`);
  }
  return parts.length === 0 ? '0 seconds' : parts.join(' ');
}

/** As the API shows it: whole seconds and `+00:00`. */
export function isoOf(atMs: number): string {
  return `${new Date(Math.floor(atMs / second) * second).toISOString().slice(0, 19)}+00:00`;
}

/** Without line breaks and other control characters. */
export function oneLine(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/[\u2028\u2029]/g, ' ')
    .trim();
}

export function cut(text: string, charsMax: number): string {
  const chars = [...text];
  return chars.length <= charsMax ? text : `${chars.slice(0, charsMax - 1).join('')}…`;
}
