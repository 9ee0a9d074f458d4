/**
 * The value of an integration: whether it will do, what is in it, of what it is notified. Healthchecks keeps the same in
 * `Channel.value`. Not here: the rule of each kind (its file).
 * Invariant: pure; says in one sentence what is wrong, without repeating the value, which may hold secrets.
 */
import { type ChannelKind, kinds } from './all.ts';
import type { ValueParts } from './contract/values.ts';
import { plainParts } from './contract/values.ts';

const valueCharsMax = 10_000;

/** Null when `value` is what `kind` keeps; else a sentence for the person who typed it. */
export function channelValueError(kind: ChannelKind, value: string): string | null {
  if (value === '') return `the value of ${kind} must not be empty`;
  if (value.length > valueCharsMax) return `the value of ${kind} has at most ${valueCharsMax} characters`;
  const error = kinds[kind].valueError(value);
  return error === null ? null : `the value of ${kind} must be ${error}`;
}

/** Whether an integration of that value is notified of a check going down, or recovering: most of both. */
export function channelAccepts(kind: ChannelKind, value: string, direction: 'down' | 'up'): boolean {
  return kinds[kind].accepts?.(value, direction) ?? true;
}

/** The fields of a valid value; `value` is the whole of it where it is plain text. */
export function channelFields(kind: ChannelKind, value: string): ValueParts {
  return (kinds[kind].parts ?? plainParts)(value);
}
