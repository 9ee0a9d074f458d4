/**
 * Reads typed fields out of a JSON object and remembers what is wrong with the first one that is wrong.
 * Not here: which fields there are and within which bounds (`check-spec`).
 * Invariant: a field that is absent, or wrong, or comes after a wrong one, reads as undefined; the wording is
 * Healthchecks'.
 */
import type { JsonObject } from './request-json.ts';

export interface TextRules {
  /** In code points. */
  readonly lengthMax?: number;
  readonly pattern?: RegExp;
}

export interface FieldReader {
  /** The first error, or null. */
  readonly error: string | null;
  text(field: string, rules?: TextRules): string | undefined;
  flag(field: string): boolean | undefined;
  /** A whole number within `[min, max]`; booleans and floats are none. */
  integer(field: string, min: number, max: number): number | undefined;
  choice<Choice extends string>(field: string, choices: readonly Choice[]): Choice | undefined;
  choices<Choice extends string>(field: string, choices: readonly Choice[]): readonly Choice[] | undefined;
  /** What `convert` makes of a text; null from it refuses the text as `complaint` says. */
  converted(
    text: string | undefined,
    complaint: string,
    convert: (text: string) => string | null,
  ): string | undefined;
}

export function createFieldReader(json: JsonObject): FieldReader {
  let error: string | null = null;

  function refuse(complaint: string): undefined {
    error ??= complaint;
    return undefined;
  }

  function has(field: string): boolean {
    return error === null && Object.hasOwn(json, field);
  }

  return {
    get error() {
      return error;
    },
    text(field, { lengthMax, pattern } = {}) {
      if (!has(field)) return undefined;
      const value = json[field];
      if (typeof value !== 'string' || loneSurrogate.test(value)) return refuse(`${field} is not a string`);
      if (lengthMax !== undefined && isLonger(value, lengthMax)) return refuse(`${field} is too long`);
      if (pattern !== undefined && !pattern.test(value)) return refuse(`${field} does not match pattern`);
      return value;
    },
    flag(field) {
      if (!has(field)) return undefined;
      const value = json[field];
      return typeof value === 'boolean' ? value : refuse(`${field} is not a boolean`);
    },
    integer(field, min, max) {
      if (!has(field)) return undefined;
      const value = json[field];
      if (typeof value !== 'number' || !Number.isInteger(value)) return refuse(`${field} is not a number`);
      if (value < min) return refuse(`${field} is too small`);
      return value > max ? refuse(`${field} is too large`) : value;
    },
    choice(field, choices) {
      if (!has(field)) return undefined;
      const value = json[field];
      return choices.find((choice) => choice === value) ?? refuse(`${field} has unexpected value`);
    },
    choices(field, choices) {
      if (!has(field)) return undefined;
      const value: unknown = json[field];
      if (!Array.isArray(value)) return refuse(`${field} is not an array`);
      const known = choices.filter((choice) => value.includes(choice));
      const strange = value.some((item: unknown) => !choices.some((choice) => choice === item));
      return strange ? refuse(`an item in '${field}' has unexpected value`) : known;
    },
    converted(text, complaint, convert) {
      if (text === undefined) return undefined;
      return convert(text) ?? refuse(complaint);
    },
  };
}

// Half a character is no text: UTF-8 cannot carry it, so it would not come back as it was sent.
const loneSurrogate = /\p{Surrogate}/u;

function isLonger(text: string, codePointsMax: number): boolean {
  if (text.length <= codePointsMax) return false;
  // A code point takes one or two units.
  return text.length > 2 * codePointsMax || [...text].length > codePointsMax;
}
