/**
 * A client's request for a check: the parameters of create and update, validated (specification, "Create parameters").
 * `domain/check/check-fields` has the names and bounds of a check's fields; `apply-spec` applies the parameters to a check, and
 * `assigned-channels` decides which integrations exist.
 * Invariant: pure; of several errors, that of the alphabetically first field is reported, as Healthchecks does.
 */
import {
  type CheckField,
  type CheckFieldName,
  type CheckFieldValues,
  checkFieldNames,
  checkFields,
} from '../domain/check/check-fields.ts';
import { fieldSchema, type JsonSchema, textSchema } from '../domain/check/field-schema.ts';
import { canonicalTimeZone, expressionLengthMax, parseSchedule } from '../schedule/schedule.ts';
import type { JsonObject } from './field-reader.ts';
import { FieldReader } from './field-reader.ts';

const uniqueFields = ['name', 'slug', 'tags', 'timeout', 'grace'] as const;
export type UniqueField = (typeof uniqueFields)[number];

/** Fields that a request sets by itself: `kind` follows from the schedule, and only the project can resolve `channels`. */
type GivenField = Exclude<CheckFieldName, 'kind' | 'channels'>;
export const givenFields: readonly GivenField[] = checkFieldNames.filter(
  (name) => name !== 'kind' && name !== 'channels',
);

type GivenValues = { readonly [Name in GivenField]: CheckFieldValues[Name] | undefined };

/** What a request says; undefined for what it leaves out. */
export interface CheckSpec extends GivenValues {
  readonly channels: string | undefined;
  readonly subject: string | undefined;
  readonly subjectFail: string | undefined;
  readonly unique: readonly UniqueField[] | undefined;
}

type ParsedSpec =
  | { readonly ok: true; readonly spec: CheckSpec }
  | { readonly ok: false; readonly error: string };

/** A parameter: its name in `CheckSpec`, its JSON name, and how it is read. */
interface Parameter {
  readonly name: string;
  readonly json: string;
  /** The part of the parameter's rules that JSON Schema can express. */
  readonly schema: JsonSchema;
  read(fields: FieldReader): unknown;
}

const keywords = checkFields.successKw;

/** Parameters that are no field of a check. */
const otherParameters: readonly Parameter[] = [
  { name: 'channels', json: 'channels', schema: textSchema(), read: (fields) => fields.text('channels') },
  {
    name: 'subject',
    json: 'subject',
    schema: textSchema(keywords),
    read: (fields) => fields.text('subject', keywords),
  },
  {
    name: 'subjectFail',
    json: 'subject_fail',
    schema: textSchema(keywords),
    read: (fields) => fields.text('subject_fail', keywords),
  },
  {
    name: 'unique',
    json: 'unique',
    schema: { type: 'array', items: { type: 'string', enum: uniqueFields } },
    read: (fields) => fields.choices('unique', uniqueFields),
  },
];

const fieldParameters = givenFields.map((name): Parameter => {
  const field: CheckField = checkFields[name];
  return { name, json: field.json, schema: fieldSchema(field), read: (fields) => readField(fields, field) };
});

/** All parameters in the order in which errors are reported. */
const parameters = [...fieldParameters, ...otherParameters].sort((a, b) => (a.json < b.json ? -1 : 1));

/** Schemas by JSON name, sorted by that name. */
export const parameterSchemas: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  parameters.map(({ json, schema }) => [json, schema]),
);

export function parseSpec(json: JsonObject): ParsedSpec {
  const fields = new FieldReader(json);
  const values = parameters.map(({ name, read }): readonly unknown[] => [name, read(fields)]);
  const spec: CheckSpec = Object.fromEntries(values);
  if (fields.error !== null) return { ok: false, error: `json validation error: ${fields.error}` };
  return { ok: true, spec };
}

/** Every error of a request, each field's by itself, in the order of `parseSpec`, which names the first of them. */
export function specErrors(json: JsonObject): readonly string[] {
  return parameters.flatMap(({ read }) => {
    const fields = new FieldReader(json);
    read(fields);
    return fields.error ?? [];
  });
}

function readField(fields: FieldReader, field: CheckField): unknown {
  const { json } = field;
  switch (field.kind) {
    case 'text':
      return fields.text(json, field);
    case 'integer':
      return fields.integer(json, field.min, field.max);
    case 'flag':
      return fields.flag(json);
    case 'choice':
      return fields.choice(json, field.choices);
    case 'schedule': {
      const text = fields.text(json, { lengthMax: expressionLengthMax });
      return fields.converted(text, `${json} is not a valid cron or OnCalendar expression`, validSchedule);
    }
    case 'zone':
      return fields.converted(fields.text(json), `${json} is not a valid timezone`, canonicalTimeZone);
    case 'schedule-kind':
    case 'channels':
      return undefined;
  }
}

/** Whether an expression is valid does not depend on the time zone, which is read later in the alphabet. */
function validSchedule(expression: string): string | null {
  return parseSchedule(expression, 'UTC').ok ? expression : null;
}
