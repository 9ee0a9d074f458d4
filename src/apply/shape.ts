/**
 * The parts of a table of a file's format: shapes, the rules of single values, and the JSON Schema of a shape.
 * Not here: the format itself (`format`).
 */

import type { JsonSchema } from '../domain/check/field-schema.ts';
import { canonicalTimeZone } from '../schedule/schedule.ts';

/** A value without parts of its own that the file's reader would look into. */
export interface Leaf {
  readonly schema: JsonSchema;
  /** The error in a value, beyond its schema's type; null for none. Does not repeat the value. */
  readonly error: (value: unknown) => string | null;
}

export type Shape =
  | Leaf
  | { readonly list: Shape; readonly help: string }
  | {
      readonly object: Readonly<Record<string, Shape>>;
      readonly required: readonly string[];
      /** Names of which at least one is required. */
      readonly requiredOne?: readonly string[];
      readonly help: string;
      /** Further rules for the JSON Schema. */
      readonly rules?: readonly JsonSchema[];
    };

export interface TextRules {
  readonly choices?: readonly string[];
  readonly pattern?: RegExp;
  readonly charsMin?: number;
  readonly charsMax?: number;
}

export function text(
  description: string,
  { choices, pattern, charsMin = 0, charsMax }: TextRules = {},
): Leaf {
  const schema = {
    description,
    type: 'string',
    ...(choices ? { enum: choices } : {}),
    ...(pattern ? { pattern: pattern.source } : {}),
    ...(charsMin > 0 ? { minLength: charsMin } : {}),
    ...(charsMax === undefined ? {} : { maxLength: charsMax }),
  };
  return {
    schema,
    error(value) {
      if (typeof value !== 'string') return 'must be a text: put it in quotes';
      if (choices && !choices.includes(value)) return `must be one of ${choices.join(', ')}`;
      if (pattern && !pattern.test(value)) return `does not match ${pattern.source}`;
      const chars = [...value].length;
      if (chars < charsMin) return 'must not be empty';
      return charsMax !== undefined && chars > charsMax ? `must have at most ${charsMax} characters` : null;
    },
  };
}

export function seconds(
  description: string,
  { min, max }: { readonly min: number; readonly max: number },
): Leaf {
  return {
    schema: { description, anyOf: [{ const: 0 }, { type: 'integer', minimum: min, maximum: max }] },
    error: (value) =>
      value === 0 || (Number.isInteger(value) && Number(value) >= min && Number(value) <= max)
        ? null
        : `must be 0, or a whole number from ${min} to ${max}`,
  };
}

/** Not empty: what is left out is about all of them. `are`: what the items are, for who wrote something else. */
export function listOfNames(description: string, are: string): Leaf {
  return {
    schema: { description, type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true },
    error: (value) =>
      Array.isArray(value) && value.length > 0 && value.every((one: unknown) => typeof one === 'string')
        ? null
        : `must be a list of ${are}`,
  };
}

export function flag(description: string): Leaf {
  return {
    schema: { description, type: 'boolean' },
    error: (value) => (typeof value === 'boolean' ? null : 'must be true or false'),
  };
}

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export function timeZone(description: string): Leaf {
  return {
    schema: { description: `${description}, an IANA name.`, type: 'string' },
    error: (value) =>
      typeof value === 'string' && canonicalTimeZone(value) !== null
        ? null
        : 'must be a time zone such as Europe/Riga',
  };
}

export function schemaOf(shape: Shape): JsonSchema {
  if ('schema' in shape) return shape.schema;
  if ('list' in shape) return { description: shape.help, type: 'array', items: schemaOf(shape.list) };
  const { object, required, requiredOne, help, rules } = shape;
  return {
    description: help,
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(Object.entries(object).map(([name, part]) => [name, schemaOf(part)])),
    ...(required.length > 0 ? { required } : {}),
    ...(requiredOne ? { anyOf: requiredOne.map((name) => ({ required: [name] })) } : {}),
    ...(rules ? { allOf: rules } : {}),
  };
}
