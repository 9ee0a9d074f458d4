/**
 * What is wrong with the fields of a check, at each of them: what the form sees by itself, and what the server says of the rest.
 * Invariant: of what the management API refuses it names the first field only; the others are asked for once, after that.
 */
import {
  checkNameLengthMax,
  dependsOnCharsMax,
  descLengthMax,
  exitCodesLengthMax,
  hostsCharsMax,
  keywordsLengthMax,
  resultRulesCharsMax,
  retentionCharsMax,
  slugLengthMax,
  tagsLengthMax,
} from '../../domain/limits.ts';
import type { CheckDraftView } from '../../domain/views/page-view.ts';
import { expressionLengthMax } from '../../schedule/limits.ts';
import { messageOf, Refusal, send } from '../core/calls.ts';
import type { FieldError } from '../ui/field-error.tsx';
import { alertErrorWords, alertFieldIn } from './alert-fields.tsx';
import { retentionErrorWords } from './retention-fields.tsx';
import { runErrorWords, runFieldIn } from './run-fields.tsx';

type Fields = Readonly<Record<string, unknown>>;

/** In characters. */
const longest = new Map([
  ['name', checkNameLengthMax],
  ['slug', slugLengthMax],
  ['tags', tagsLengthMax],
  ['desc', descLengthMax],
  ['schedule', expressionLengthMax],
  ['start_kw', keywordsLengthMax],
  ['success_kw', keywordsLengthMax],
  ['failure_kw', keywordsLengthMax],
  ['exit_codes', exitCodesLengthMax],
  ['hosts', hostsCharsMax],
  ['results', resultRulesCharsMax],
  ['retention', retentionCharsMax],
  ['depends_on', dependsOnCharsMax],
]);

const spans = { timeout: 'The interval', grace: 'The grace time' } as const;

/** Returns an error of the management API, with the field as the form calls it. */
export function checkErrorWords(error: string): string {
  const [, field = '', invalid = ''] = /^(timeout|grace) is too (small|large)$/i.exec(error) ?? [];
  if (field !== '') {
    const name = field.toLowerCase() === 'grace' ? spans.grace : spans.timeout;
    return `${name} must be ${invalid === 'small' ? 'at least one minute' : 'at most 365 days'}.`;
  }
  if (/^tz /i.test(error)) return 'Unknown time zone. Choose one from the list, such as Europe/Berlin.';
  return tooLongWords(error) || error;
}

/** Empty for another error. */
function tooLongWords(error: string): string {
  const charsMax = longest.get(/^(\w+) is too long$/i.exec(error)?.[1]?.toLowerCase() ?? '');
  return charsMax === undefined ? '' : `Use at most ${charsMax.toLocaleString('en')} characters.`;
}

/** The fields that an error may name. */
const blamed =
  /^(name|slug|tags|desc|timeout|grace|schedule|tz|\w+_kw|exit_codes|hosts|results|retention|depends_on)\b/i;

/** Returns what is said of an attempt to save, at the field that is wrong. */
export function checkErrorOf(reason: unknown): FieldError {
  const error = messageOf(reason);
  if (reason instanceof Refusal && reason.field !== '') return { field: reason.field, error };
  const field = blamed.exec(error)?.[1]?.toLowerCase() ?? '';
  const tooLong = tooLongWords(error);
  if (tooLong !== '') return { field, error: tooLong };
  const ofRuns = runErrorWords(error);
  if (ofRuns !== '') return { field: runFieldIn(error), error: ofRuns };
  const ofAlerts = alertErrorWords(error);
  if (ofAlerts !== '') return { field: alertFieldIn(error), error: ofAlerts };
  const ofRetention = retentionErrorWords(error);
  if (ofRetention !== '') return { field: 'retention', error: ofRetention };
  return { field, error: checkErrorWords(error) };
}

/** Returns all that the server finds wrong with these fields; nothing if it cannot be asked, since something else is said then. */
export async function draftErrors(project: string, fields: Fields): Promise<readonly FieldError[]> {
  const asked = send<CheckDraftView>('POST', `/web/in/${project}/check-draft`, fields);
  const { errors } = await asked.catch(() => ({ errors: [] }));
  return errors.map((error) => checkErrorOf(new Error(error)));
}

/** Returns what an attempt to save these fields was refused for, and what would be wrong after that. */
export async function errorsAfter(
  reason: unknown,
  project: string,
  fields: Fields,
): Promise<readonly FieldError[]> {
  const first = checkErrorOf(reason);
  const isOfFields = first.field !== '' && reason instanceof Refusal && reason.status === 400;
  return isOfFields ? [first, ...(await draftErrors(project, fields))] : [first];
}
