/**
 * The rules of a check's fields as JSON Schema, out of the table that they are validated by (`domain/check/check-fields`).
 * Not here: how a field is read (`spec/field-reader`, `spec/check-spec`), which must agree: a test sends what the schema allows.
 */
import { expressionLengthMax } from '../../schedule/schedule.ts';
import {
  type CheckField,
  type CheckFieldName,
  type CheckFields,
  checkFields,
  checkKinds,
} from './check-fields.ts';

/** JSON Schema 2020-12, as OpenAPI 3.1 has it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface TextRules {
  /** Longest text, in code points. */
  readonly lengthMax?: number;
  readonly pattern?: RegExp;
  /** Says what the pattern does, and is published in its place: programs that make up texts by such a pattern never end. */
  readonly form?: string;
  readonly wrong?: (text: string) => string;
}

export function textSchema({ lengthMax, pattern, form }: TextRules = {}): JsonSchema {
  return {
    type: 'string',
    ...(lengthMax === undefined ? {} : { maxLength: lengthMax }),
    ...(form === undefined ? {} : { description: form }),
    ...(pattern === undefined || form !== undefined ? {} : { pattern: pattern.source }),
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
export const shownFieldSchemas = Object.fromEntries(
  Object.values(checkFields).map((field) => [field.json, valueSchema(field)]),
) as { readonly [Name in CheckFieldName as CheckFields[Name]['json']]: JsonSchema };
