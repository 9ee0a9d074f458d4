/** What is wrong with the form of a maintenance window: what it sees by itself, and what the server says of its times. */
import { maintenanceSecondsMax } from '../../domain/limits.ts';
import { capital } from '../../domain/words/capital.ts';
import { messageOf, Refusal, send } from '../core/calls.ts';
import { instantIn } from '../core/time-style.ts';
import { typedTags } from '../rows/typed-tags.ts';
import type { FieldError } from '../ui/field-error.tsx';
import { type Draft, type Form, timesOf } from './window-draft.ts';

export const fieldsOfForm: Readonly<Record<Form, readonly string[]>> = {
  once: ['from', 'until'],
  recurring: ['schedule', 'tz', 'duration'],
  dates: ['tz', 'ics'],
};

const untilWords = 'The end must be later than the beginning.';

/** Returns the words of the form for what the server says, whose `tz` and `schedule` are names of the API. */
export function errorWords(reason: unknown, tz: string): string {
  if (reason instanceof Refusal && reason.field === 'tz')
    return `"${tz}" is not a time zone, such as Europe/Riga`;
  if (reason instanceof Refusal && reason.field === 'schedule')
    return messageOf(reason).replace(/^schedule is/i, '"Begins at" is');
  if (reason instanceof Refusal && reason.field === 'until')
    return /year/.test(messageOf(reason)) ? 'The end must be within a year after the beginning.' : untilWords;
  if (reason instanceof Refusal && reason.field === 'duration') return durationErrorWords(messageOf(reason));
  return capital(messageOf(reason));
}

function durationErrorWords(error: string): string {
  const again = /\(([^()]+)\): it would never end/.exec(error)?.[1];
  return again === undefined
    ? `Write a length such as 90m, 2h or 1d 6h: at least 1 minute, at most ${maintenanceSecondsMax / 86_400} days.`
    : `Use less than ${again}: by then it begins again, so it would never end.`;
}

/**
 * What is wrong with the form as it is. Some of it the server would take for another window than the one that is meant: no schedule
 * begins at once, no tag is all checks, no integration is maintenance. `hasDates`: those of a file are known.
 */
export function ownErrors(draft: Draft, hasDates: boolean): readonly FieldError[] {
  const { name, form, schedule, ics, scope, tags, checks, isQuiet, integrations } = draft;
  const wrong: readonly (readonly [isWrong: boolean, field: string, error: string])[] = [
    [name.trim() === '', 'name', 'Enter a name.'],
    ...onceErrors(draft),
    [
      form === 'recurring' && schedule.trim() === '',
      'schedule',
      'Say when it begins: choose above, or write an expression.',
    ],
    [form === 'dates' && ics === '' && !hasDates, 'ics', 'Choose a file with dates.'],
    [scope === 'tags' && typedTags(tags) === '', 'tags', 'Give a tag.'],
    [scope === 'checks' && checks.length === 0, 'checks', 'Choose at least one check.'],
    [isQuiet && integrations.length === 0, 'integrations', 'Choose at least one integration.'],
  ];
  return wrong.filter(([isWrong]) => isWrong).map(([, field, error]) => ({ field, error }));
}

function onceErrors({ form, from, until }: Draft): readonly (readonly [boolean, string, string])[] {
  const [fromMs, untilMs] = [instantIn(from), instantIn(until)];
  return [
    [form === 'once' && Number.isNaN(fromMs), 'from', 'Enter a date and a time.'],
    [form === 'once' && Number.isNaN(untilMs), 'until', 'Enter a date and a time.'],
    [form === 'once' && untilMs <= fromMs, 'until', untilWords],
  ];
}

/** Returns what an attempt to save was refused for. */
export function errorOf(reason: unknown, tz: string): FieldError {
  return { field: reason instanceof Refusal ? reason.field : '', error: errorWords(reason, tz) };
}

/** Times that the server takes in place of those that are wrong, so that it says what else is: it names one field at a time. */
const standIns: Readonly<Record<string, string>> = { schedule: '0 0 1 1 *', tz: 'UTC', duration: '1h' };

/** Returns the errors with all others that the server finds in the times. */
export async function withErrorsOfTimes(
  preview: string,
  draft: Draft,
  known: readonly FieldError[],
): Promise<readonly FieldError[]> {
  const names = fieldsOfForm[draft.form];
  const isWrong = (name: string): boolean => errors.some(({ field }) => field === name);
  let errors = known;
  for (const _ of names) {
    const wrong = names.filter(isWrong);
    // What has no other value that would do hides the rest.
    if (wrong.some((name) => standIns[name] === undefined)) break;
    const times = { ...timesOf(draft), ...Object.fromEntries(wrong.map((name) => [name, standIns[name]])) };
    const next = await send('POST', preview, times).then(
      () => null,
      (reason: unknown) => errorOf(reason, draft.tz),
    );
    if (next === null || !names.includes(next.field) || isWrong(next.field)) break;
    errors = [...errors, next];
  }
  return errors;
}
