/**
 * The kinds of arguments: how each is read from JSON, and from what is typed. Not here: the fields of integrations and status pages
 * (`channel-input`, `status-page-input`), which are read by the command (`readByCommand`).
 * Invariant: pure, but for looking up what a request names.
 */

import { hasControls } from '../../domain/accounts/status-page.ts';
import type { Check } from '../../domain/check/check.ts';
import { retentionError } from '../../domain/retention/retention-rules.ts';
import { beginsWithDate } from '../../lib/calendar-date.ts';
import { KnellError } from '../../lib/errors.ts';
import { day, hour, minute, second } from '../../lib/units.ts';
import type { JsonObject } from '../../spec/field-reader.ts';
import { loggedCharsMax } from '../secrets/limits.ts';
import type { Kind, Typed } from './argument.ts';
import { choiceIn, flagIn, InvalidField, type TargetKinds, textIn } from './command.ts';

interface TextBounds {
  readonly charsMax?: number;
  /** Its name in the sentence that says that it is too long. */
  readonly called?: string;
  readonly pattern?: { readonly fits: RegExp; readonly error: string };
}

/** A text, without blanks around it. */
export function text({ charsMax, called, pattern }: TextBounds = {}): Kind<string, string> {
  return {
    is: charsMax === undefined ? 'text' : `text of at most ${charsMax} characters`,
    typed: String,
    read({ args }, name) {
      const value = textIn(args, name);
      const isLonger = charsMax !== undefined && value.length > charsMax;
      if (pattern && (isLonger || !pattern.fits.test(value))) throw new InvalidField(name, pattern.error);
      if (isLonger) throw new InvalidField(name, `${called ?? name} has at most ${charsMax} characters`);
      if (charsMax !== undefined && hasControls(value))
        throw new InvalidField(name, `${name} must not have control characters`);
      return value;
    },
  };
}

/** Rules of retention, one per line or between commas; empty for none. */
export const retention: Kind<string, string> = {
  is: 'rules of retention, one per line or between commas; empty for none',
  typed: String,
  read({ args }, name) {
    const value = textIn(args, name);
    const error = retentionError(value);
    if (error !== '') throw new InvalidField(name, `${name} is not valid: ${error}`);
    return value;
  },
};

/** Puts the value, cut to a limit, into the log of changes. */
export function logged<Json, Value>(kind: Kind<Json, Value>): Kind<Json, Value> {
  return { ...kind, logged: (value) => (typeof value === 'string' ? value.slice(0, loggedCharsMax) : null) };
}

export function choice<const T extends string>(allowed: readonly T[]): Kind<T, T> {
  return {
    is: allowed.map((one) => `\`${one}\``).join(', '),
    choices: allowed,
    typed: (words, place) => choiceIn({ [place]: words }, place, allowed),
    read: ({ args }, name) => choiceIn(args, name, allowed),
  };
}

/** `words`: those of the command line for true and false; without them it is an option that is there or not. */
export function flag(words?: { readonly yes: string; readonly no: string }): Kind<boolean, boolean> {
  return {
    is: 'true or false',
    ...(words ? { choices: [words.yes, words.no] } : {}),
    typed: (typed) => typed === (words?.yes ?? true),
    read: ({ args }, name) => flagIn(args, name),
  };
}

export const number: Kind<number, number> = {
  is: 'a number',
  typed: Number,
  read({ args }, name) {
    const value = args[name];
    if (typeof value !== 'number') throw new KnellError('usage', `${name} must be a number`);
    return value;
  },
};

/** Milliseconds since 1970; empty for 0. */
export const instant: Kind<string, number> = {
  is: 'a time such as `2026-01-31` or `2026-01-31T12:00:00Z`',
  typed: String,
  read({ args }, name) {
    const value = String(args[name]);
    if (value === '') return 0;
    const ms = beginsWithDate(value) ? Date.parse(value) : Number.NaN;
    if (!Number.isNaN(ms)) return ms;
    throw new KnellError('usage', `${name} must be a time such as 2026-01-31 or 2026-01-31T12:00:00Z`);
  },
};

/** An object; any other value counts as an empty one. */
export const object: Kind<JsonObject, JsonObject> = {
  is: 'an object',
  typed: (words) => ({ words }),
  read({ args }, name) {
    const value = args[name];
    return typeof value === 'object' && value !== null ? { ...value } : {};
  },
};

/** `of`: names or ids. */
export function texts(of: string): Kind<readonly string[], readonly string[]> {
  return {
    is: `a list of ${of}`,
    typed: listTyped,
    read({ args }, name) {
      const value = args[name];
      if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
      throw new InvalidField(name, `${name} must be a list of ${of}`);
    },
  };
}

export function listTyped(words: Typed): readonly string[] {
  return typeof words === 'object' ? words : [String(words)];
}

export const check: Kind<string, Check> = {
  is: 'the UUID of a check',
  names: 'check',
  typed: String,
  read({ args, context, nowMs }, name) {
    const found = context.engine.read.check(textIn(args, name), nowMs);
    if (!found) throw new KnellError('not-found', 'no check has this UUID');
    return found;
  },
};

/** Something that there is, looked up in the way of the caller. */
function target<Name extends keyof TargetKinds>(name: Name, is: string): Kind<string, TargetKinds[Name]> {
  return logged({
    is,
    names: name,
    typed: String,
    read: ({ args, targets }, of) => targets[name](textIn(args, of)),
  });
}

export const project = target('project', 'a project, by its name or id');
export const channel = target('channel', 'an integration, by its name or id');
export const key = target('key', 'the id of a key');
export const adminKey = target('adminKey', 'an admin key, by its name or id');
export const statusPage = target('statusPage', 'a status page, by its address or id');
export const maintenance = target('maintenance', 'a maintenance window, by its name or id');
export const user = target('user', 'a member, by the name');
export const delivery = target('delivery', 'the id of a notification, or `all`');

/** An argument that is read by the functions that know its fields: only its form on the command line is declared here. */
export function readByCommand<Json>(kind: Omit<Kind<Json, unknown>, 'read'>): Kind<Json, undefined> {
  return { ...kind, read: () => undefined };
}

const unitMs: Readonly<Record<string, number>> = { s: second, m: minute, h: hour, d: day };

/** `90s`, `5m`, `2h`, `1d`, or seconds. */
export const seconds: Kind<number, undefined> = readByCommand({
  is: 'seconds',
  typed(words, place) {
    const [, count, unit = ''] = /^(\d{1,9})([smhd]?)$/.exec(String(words)) ?? [];
    if (count === undefined)
      throw new KnellError('usage', `${place} must be a time such as 90s, 5m, 2h or 1d, or 0`);
    return (Number(count) * (unitMs[unit || 's'] ?? second)) / second;
  },
});
