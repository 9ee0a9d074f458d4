/**
 * Reads typed fields out of a JSON object and remembers what is wrong with the first one that is wrong.
 * Not here: which fields there are and within which bounds (`check-spec`).
 * Invariant: a field that is absent, or wrong, or comes after a wrong one, reads as undefined; the wording is
 * Healthchecks'.
 */
import type { TextRules } from '../domain/check/field-schema.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export class FieldReader {
  readonly #json: JsonObject;
  #error: string | null = null;

  constructor(json: JsonObject) {
    this.#json = json;
  }

  /** The first error, or null. */
  get error(): string | null {
    return this.#error;
  }

  text(field: string, { lengthMax, pattern }: TextRules = {}): string | undefined {
    if (!this.#has(field)) return undefined;
    const value = this.#json[field];
    if (typeof value !== 'string' || loneSurrogate.test(value))
      return this.#refuse(`${field} is not a string`);
    if (lengthMax !== undefined && isLonger(value, lengthMax)) return this.#refuse(`${field} is too long`);
    if (pattern !== undefined && !pattern.test(value)) return this.#refuse(`${field} does not match pattern`);
    return value;
  }

  flag(field: string): boolean | undefined {
    if (!this.#has(field)) return undefined;
    const value = this.#json[field];
    return typeof value === 'boolean' ? value : this.#refuse(`${field} is not a boolean`);
  }

  /** A whole number within `[min, max]`; booleans and floats are none. */
  integer(field: string, min: number, max: number): number | undefined {
    if (!this.#has(field)) return undefined;
    const value = this.#json[field];
    if (typeof value !== 'number' || !Number.isInteger(value))
      return this.#refuse(`${field} is not a number`);
    if (value < min) return this.#refuse(`${field} is too small`);
    return value > max ? this.#refuse(`${field} is too large`) : value;
  }

  choice<Choice extends string>(field: string, choices: readonly Choice[]): Choice | undefined {
    if (!this.#has(field)) return undefined;
    const value = this.#json[field];
    return choices.find((choice) => choice === value) ?? this.#refuse(`${field} has unexpected value`);
  }

  /** The chosen ones in the order of `choices`, each once. */
  choices<Choice extends string>(field: string, choices: readonly Choice[]): readonly Choice[] | undefined {
    if (!this.#has(field)) return undefined;
    const value: unknown = this.#json[field];
    if (!Array.isArray(value)) return this.#refuse(`${field} is not an array`);
    const strange = value.some((item: unknown) => !choices.some((choice) => choice === item));
    if (strange) return this.#refuse(`an item in '${field}' has unexpected value`);
    return choices.filter((choice) => value.includes(choice));
  }

  /** Returns the result of `convert` for a text; null from it refuses the text as `complaint` says. */
  converted(
    text: string | undefined,
    complaint: string,
    convert: (text: string) => string | null,
  ): string | undefined {
    return text === undefined ? undefined : (convert(text) ?? this.#refuse(complaint));
  }

  #has(field: string): boolean {
    return this.#error === null && Object.hasOwn(this.#json, field);
  }

  #refuse(complaint: string): undefined {
    this.#error ??= complaint;
  }
}

// Half a character is no text: UTF-8 cannot carry it, so it would not come back as it was sent.
const loneSurrogate = /\p{Surrogate}/u;

function isLonger(text: string, codePointsMax: number): boolean {
  if (text.length <= codePointsMax) return false;
  // A code point takes one or two units.
  return text.length > 2 * codePointsMax || [...text].length > codePointsMax;
}
