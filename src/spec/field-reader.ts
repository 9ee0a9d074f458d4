/**
 * Reads typed fields out of a JSON object and remembers the first error. `check-spec` has the fields and their bounds.
 * Invariant: a field that is absent, or wrong, or comes after a wrong one, reads as undefined; errors have the wording of
 * Healthchecks.
 */
import type { TextRules } from '../domain/check/field-schema.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export class FieldReader {
  readonly #json: JsonObject;
  #error: string | null = null;

  constructor(json: JsonObject) {
    this.#json = json;
  }

  /** The first error; null while there is none. */
  get error(): string | null {
    return this.#error;
  }

  text(field: string, { lengthMax, pattern, wrong }: TextRules = {}): string | undefined {
    if (!this.#has(field)) return undefined;
    const value = this.#json[field];
    if (typeof value !== 'string' || loneSurrogate.test(value))
      return this.#refuse(`${field} is not a string`);
    if (lengthMax !== undefined && isLonger(value, lengthMax)) return this.#refuse(`${field} is too long`);
    if (pattern !== undefined && !pattern.test(value)) return this.#refuse(`${field} does not match pattern`);
    const problem = wrong?.(value) ?? '';
    if (problem !== '') return this.#refuse(`${field} is not valid: ${problem}`);
    return value;
  }

  flag(field: string): boolean | undefined {
    if (!this.#has(field)) return undefined;
    const value = this.#json[field];
    return typeof value === 'boolean' ? value : this.#refuse(`${field} is not a boolean`);
  }

  /** Reads a whole number within `[min, max]`; a boolean or a float is an error. */
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

  /** Reads a list of chosen values; they are returned in the order of `choices`, each once. */
  choices<Choice extends string>(field: string, choices: readonly Choice[]): readonly Choice[] | undefined {
    if (!this.#has(field)) return undefined;
    const value: unknown = this.#json[field];
    if (!Array.isArray(value)) return this.#refuse(`${field} is not an array`);
    const strange = value.some((item: unknown) => !choices.some((choice) => choice === item));
    if (strange) return this.#refuse(`an item in '${field}' has unexpected value`);
    return choices.filter((choice) => value.includes(choice));
  }

  /** Reads a text and returns what `convert` returns for it; if that is null, the error is `complaint`. */
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

// A lone surrogate is refused: UTF-8 cannot encode it, so the text would not come back as it was sent.
const loneSurrogate = /\p{Surrogate}/u;

function isLonger(text: string, codePointsMax: number): boolean {
  if (text.length <= codePointsMax) return false;
  // A code point takes one or two units, so a longer text is too long without a count.
  return text.length > 2 * codePointsMax || [...text].length > codePointsMax;
}
