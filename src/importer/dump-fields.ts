/**
 * The fields of a row as Django writes them: instants in ISO 8601, durations as `1 02:03:04.5`, bytes in base64.
 * Invariant: a column that a version lacks is its empty value, never an error; one of another type is.
 */
import { KnellError } from '../lib/errors.ts';
import { day, hour, minute, second } from '../lib/units.ts';

export class DumpFields {
  readonly #row: string;
  readonly #values: ReadonlyMap<string, unknown>;

  /** `row` names it in errors. */
  constructor(row: string, values: ReadonlyMap<string, unknown>) {
    this.#row = row;
    this.#values = values;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Empty for null. */
  text(name: string): string {
    const value = this.#values.get(name) ?? '';
    if (typeof value === 'string') return value;
    throw this.#wrong(name, 'is no text');
  }

  flag(name: string): boolean {
    return this.#values.get(name) === true;
  }

  number(name: string): number | null {
    const value = this.#values.get(name) ?? null;
    if (value === null || (typeof value === 'number' && Number.isInteger(value))) return value;
    throw this.#wrong(name, 'is no whole number');
  }

  /** Epoch milliseconds. */
  instant(name: string): number | null {
    const text = this.text(name);
    if (text === '') return null;
    const atMs = Date.parse(text);
    if (Number.isNaN(atMs)) throw this.#wrong(name, 'is no time');
    return atMs;
  }

  durationMs(name: string): number | null {
    const text = this.text(name);
    if (text === '') return null;
    const [, sign, days = '0', hours, minutes, seconds] =
      /^(-?)(?:(\d+) )?(\d{1,2}):(\d{2}):(\d{2}(?:\.\d+)?)$/.exec(text) ?? [];
    if (hours === undefined) throw this.#wrong(name, 'is no duration');
    const parts = [
      Number(days) * day,
      Number(hours) * hour,
      Number(minutes) * minute,
      Number(seconds) * second,
    ];
    const ms = parts.reduce((sum, part) => sum + part, 0);
    return sign === '-' ? -ms : ms;
  }

  bytes(name: string): Uint8Array {
    return Buffer.from(this.text(name), 'base64');
  }

  /** The primary key of another row; empty for null. */
  reference(name: string): string {
    const value = this.#values.get(name) ?? '';
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  }

  references(name: string): readonly string[] {
    const value = this.#values.get(name);
    return Array.isArray(value) ? value.map(String) : [];
  }

  #wrong(name: string, why: string): KnellError {
    return new KnellError('usage', `the dump is damaged: ${name} of ${this.#row} ${why}`);
  }
}
