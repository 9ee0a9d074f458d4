/**
 * The rules of a check's fields as JSON Schema, out of the table that they are validated by (`domain/check/check-fields`).
 * Not here: how a field is read (`field-reader`, `check-spec`), which must agree: a test sends what the schema allows.
 */
import { type CheckField, checkFields, checkKinds } from '../domain/check/check-fields.ts';
import { expressionLengthMax } from '../schedule/schedule.ts';
import type { TextRules } from './field-reader.ts';

/** JSON Schema 2020-12, as OpenAPI 3.1 has it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export function textSchema({ lengthMax, pattern }: TextRules = {}): JsonSchema {
  return {
    type: 'string',
    ...(lengthMax === undefined ? {} : { maxLength: lengthMax }),
    ...(pattern === undefined ? {} : { pattern: pattern.source }),
  };
}

export function fieldSchema(field: CheckField): JsonSchema {
  return { ...valueSchema(field), default: field.default };
}

function valueSchema(field: CheckField): JsonSchema {
  switch (field.kind) {
    case 'text':
      return textSchema(field);
    case 'integer':
      return { type: 'integer', minimum: field.min, maximum: field.max };
    case 'flag':
      return { type: 'boolean' };
    case 'choice':
      return { type: 'string', enum: field.choices };
    case 'schedule':
      return {
        ...textSchema({ lengthMax: expressionLengthMax }),
        description: 'A cron or OnCalendar expression.',
      };
    case 'zone':
      return { type: 'string', description: 'A time zone by its IANA name.' };
    case 'schedule-kind':
      return { type: 'string', enum: checkKinds };
    case 'channels':
      return textSchema();
  }
}

/** A check's own fields, by JSON name: as they are shown, without defaults. */
export const shownFieldSchemas: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.values(checkFields).map((field) => [field.json, valueSchema(field)]),
);
