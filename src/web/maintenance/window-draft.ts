/**
 * What is typed into the form of a maintenance window, and what of it the server is sent.
 * Invariant: times that nobody touched are not sent, since setting them anew would undo an end.
 */

import type { MaintenanceAnswer } from '../../domain/views/maintenance-view.ts';
import { instantIn, localText, zoneName } from '../core/time-style.ts';
import { typedTags } from '../rows/typed-tags.ts';
import type { Scope } from './scope-fields.tsx';

export type Form = 'once' | 'recurring' | 'dates';

export interface Draft {
  readonly name: string;
  readonly form: Form;
  readonly from: string;
  readonly until: string;
  readonly schedule: string;
  readonly tz: string;
  readonly duration: string;
  /** The text of the chosen file. */
  readonly ics: string;
  readonly scope: Scope;
  readonly tags: string;
  readonly checks: readonly string[];
  /** Whether it is the quiet hours of these integrations. */
  readonly isQuiet: boolean;
  readonly integrations: readonly string[];
  readonly counts: boolean;
}

const hourMs = 3_600_000;
/** A field for times has minutes. */
const stepMs = 60_000;

export function draftOf(window: MaintenanceAnswer | null, nowMs: number, hasNoChecks: boolean): Draft {
  const fromMs = Math.floor(nowMs / stepMs) * stepMs;
  const moment = (text: string | null | undefined, otherwiseMs: number): string =>
    localText(text ? Date.parse(text) : otherwiseMs);
  return {
    // At night nobody wants to find a name first.
    name: window?.name ?? 'Maintenance',
    form: formOf(window),
    from: moment(window?.from, fromMs),
    until: moment(window?.until, fromMs + 2 * hourMs),
    schedule: window?.schedule ?? '',
    tz: window && window.schedule !== '' ? window.tz : zoneName(),
    duration: window && window.duration > 0 ? durationText(window.duration) : '2h',
    ics: '',
    scope: scopeOf(window, hasNoChecks),
    tags: window?.tags.join(' ') ?? '',
    checks: window?.checks ?? [],
    isQuiet: (window?.integrations.length ?? 0) > 0,
    integrations: window?.integrations ?? [],
    counts: window?.counts_as_downtime ?? false,
  };
}

/** A new one is about no check until some are chosen: nobody is to silence all of them by mistake. */
function scopeOf(window: MaintenanceAnswer | null, hasNoChecks: boolean): Scope {
  if (window === null) return hasNoChecks ? 'all' : 'checks';
  if (window.checks.length > 0) return 'checks';
  return window.tags.length > 0 ? 'tags' : 'all';
}

function formOf(window: MaintenanceAnswer | null): Form {
  if (window === null || window.from !== null) return 'once';
  return window.schedule === '' ? 'dates' : 'recurring';
}

function durationText(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400}d`;
  if (seconds % 3600 === 0) return `${seconds / 3600}h`;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}

/** The fields as the server takes them: times that were not touched are left out, since setting them anew would undo an end. */
export function fieldsOf(draft: Draft, before: Draft, window: MaintenanceAnswer | null): JsonFields {
  const [now, then] = [draft, before].map((one) => JSON.stringify(timesOf(one)));
  const isOther = window !== null && draft.form !== before.form;
  return {
    name: draft.name,
    tags:
      draft.scope === 'all'
        ? []
        : draft.scope === 'tags'
          ? typedTags(draft.tags, before.tags)
          : (window?.tags ?? []),
    checks: draft.scope === 'checks' ? draft.checks : [],
    integrations: draft.isQuiet ? draft.integrations : [],
    ...(draft.isQuiet ? {} : { counts_as_downtime: draft.counts }),
    ...(isOther ? { from: null, until: null, schedule: null, dates: draft.ics === '' ? [] : undefined } : {}),
    ...(window === null || now !== then ? timesOf(draft) : {}),
  };
}

type JsonFields = Readonly<Record<string, unknown>>;

export function timesOf({ form, from, until, schedule, tz, duration, ics }: Draft): JsonFields {
  if (form === 'once') return { from: isoOf(from), until: isoOf(until) };
  if (form === 'recurring') return { schedule, tz, duration: durationSent(duration) };
  return ics === '' ? {} : { tz, ics };
}

const secondsOf = { d: 86_400, h: 3600, m: 60, s: 1 } as const;

/** A length of several parts, such as `1d 1h` or `1 day 1 hour`, in seconds: the API takes one part only. Any other text as it is. */
function durationSent(text: string): string {
  const whole = text.trim().toLowerCase();
  const part =
    /(\d{1,6}) ?(?:(d)(?:ays?)?|(h)(?:ours?)?|(m)(?:in(?:utes?)?)?|(s)(?:ec(?:onds?)?)?)(?![a-z])/g;
  const parts = [...whole.matchAll(part)];
  if (parts.length === 0 || whole.replaceAll(part, '').trim() !== '') return text.trim();
  const sum = (total: number, [, count, ...names]: RegExpMatchArray): number => {
    const unit = names.find((name) => name !== undefined);
    return total + Number(count) * secondsOf[unit as keyof typeof secondsOf];
  };
  return `${parts.reduce(sum, 0)}s`;
}

/** What is no time is sent as it is: the server says what is wrong with it. */
function isoOf(text: string): string {
  const ms = instantIn(text);
  return Number.isNaN(ms) ? text : new Date(ms).toISOString();
}
