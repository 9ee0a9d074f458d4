/**
 * The value of an integration: whether it is valid, which fields it has, of which changes it is notified. Healthchecks keeps the
 * same in `Channel.value`. The rule of each kind is in the file of the kind.
 * Invariant: pure; an error is one sentence and does not repeat the value, which may contain secrets.
 */
import { type ChannelKind, kinds } from './all.ts';
import { valueCharsMax } from './contract/limits.ts';
import type { ValueParts } from './contract/values.ts';
import { plainParts } from './contract/values.ts';

/** Returns null if `value` is valid for `kind`, else a sentence for the person who typed it. */
export function channelValueError(kind: ChannelKind, value: string): string | null {
  if (value === '') return `the value of ${kind} must not be empty`;
  if (value.length > valueCharsMax) return `the value of ${kind} has at most ${valueCharsMax} characters`;
  const error = kinds[kind].valueError(value);
  return error === null ? null : `the value of ${kind} must be ${error}`;
}

/** Whether an integration of that value is notified when a check goes down, or recovers: most are notified of both. */
export function channelAccepts(kind: ChannelKind, value: string, direction: 'down' | 'up'): boolean {
  const { accepts, getsEvents = false } = kinds[kind];
  return !getsEvents && (accepts?.(value, direction) ?? true);
}

/** The fields of a valid value; if it is plain text, its one field is `value`. */
export function channelFields(kind: ChannelKind, value: string): ValueParts {
  return (kinds[kind].parts ?? plainParts)(value);
}
