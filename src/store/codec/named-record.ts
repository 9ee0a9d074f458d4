/**
 * Records of named fields, as msgpack maps: how everything that is written seldom is kept, in journal, history and
 * snapshot alike. The one file that touches `msgpackr`. `rows` and `check` say which fields a record has.
 *
 * The one rule for growth: a field that a record lacks has its default, and a field that this version does not know is kept
 * (`domain/check/unknown-fields`) and written again. So a default never changes, and no name is used again for something else.
 *
 * Plain maps, without what has its default. Measured on check rows: 182 bytes (136 by hand before) and 4.9 µs to read (3.2 to
 * 4.6); out of the history, 100,000 checks are loaded as fast as before, since ids that many share are not decoded anew.
 * Maps with every field take 354 bytes and 12 µs. msgpackr's shared structures take 153 bytes and read no faster once a
 * check is made of them, and they name the fields nowhere in the record: what a version does not know it could not keep.
 *
 * Invariant: damaged bytes are a `store-broken` error, or the record that they say; never a field of another type.
 */
import { Packr } from 'msgpackr';
import { type Growing, unknownFields } from '../../domain/check/unknown-fields.ts';
import { KnellError } from '../../lib/errors.ts';
import { damaged } from './byte-reader.ts';
import { returnUuids, uuidText } from './uuid.ts';

const packr = new Packr({ useRecords: false, variableMapSize: true, int64AsType: 'number' });

/** A decoded msgpack map, before anything is known of its types. */
type Stored = Readonly<Record<string, unknown>>;

/** Gives back one string for equal ones: a million checks share few time zones, schedules, projects and integrations. */
export interface Intern {
  text(text: string): string;
  /** Returns the UUID in the 16 bytes from `start` on. */
  uuid(bytes: Uint8Array, start: number): string;
}

export const noIntern: Intern = { text: (text) => text, uuid: uuidText };

/** Packs and unpacks values of one type. */
export interface FieldCodec<Value> {
  /** What it returns is good until the record is packed. */
  pack(value: Value): unknown;
  /** Undefined for what is no such value. */
  unpack(stored: unknown, intern: Intern): Value | undefined;
}

export interface FieldRule<Value> extends FieldCodec<Value> {
  /** The field's name in the record. */
  readonly key: string;
  /** No record lacks it. */
  readonly required: boolean;
  /** The value where the record lacks it; undefined: the fact lacks it too. */
  readonly whenAbsent: Value | undefined;
  /** Whether the record leaves it out, since it has its default. */
  leftOut(value: Value): boolean;
}

/** Maps each property of the fact to its rule. */
type FieldRules<Fact> = {
  readonly [Name in keyof Omit<Fact, typeof unknownFields>]-?: FieldRule<Fact[Name]>;
};

interface NamedRule extends FieldRule<unknown> {
  readonly name: string;
}

/** A fact that is being read: its properties are filled in one by one. */
export type Draft = Record<PropertyKey, unknown>;

/** The fields of one kind of record. */
export class Shape<Fact extends Growing> {
  readonly #rules: readonly NamedRule[];
  readonly #byKey: ReadonlyMap<string, NamedRule>;
  readonly requiredCount: number;
  readonly defaults: Readonly<Draft>;

  constructor(rules: FieldRules<Fact>) {
    this.#rules = Object.entries<FieldRule<unknown>>({ ...rules }).map(([name, rule]) => ({ ...rule, name }));
    this.#byKey = new Map(this.#rules.map((rule) => [rule.key, rule]));
    const given = this.#rules.filter(({ whenAbsent }) => whenAbsent !== undefined);
    this.defaults = Object.fromEntries(given.map(({ name, whenAbsent }) => [name, whenAbsent]));
    this.requiredCount = this.#rules.filter((rule) => rule.required).length;
  }

  /** Adds the fields of `fact` to `record`, last what an older reading did not know. */
  put(record: Record<string, unknown>, fact: Fact): void {
    const values = fact as Draft;
    for (const rule of this.#rules) {
      const value = values[rule.name];
      if (!rule.leftOut(value)) record[rule.key] = rule.pack(value);
    }
    if (fact[unknownFields]) Object.assign(record, fact[unknownFields]);
  }

  /** Puts one field into the draft. Answers whether it was required; null when this kind has no such field. */
  take(draft: Draft, key: string, stored: unknown, intern: Intern): boolean | null {
    const rule = this.#byKey.get(key);
    if (rule === undefined) return null;
    const value = rule.unpack(stored, intern);
    if (value === undefined) throw damaged(`a record's field ${key} holds something else`);
    draft[rule.name] = value;
    return rule.required;
  }
}

export function factOf<Fact extends Growing>(shape: Shape<Fact>, stored: Stored): Fact {
  const draft: Draft = { ...shape.defaults };
  let missing = shape.requiredCount;
  let unknown: Record<string, unknown> | null = null;
  for (const key in stored) {
    const known = shape.take(draft, key, stored[key], noIntern);
    if (known === null) unknown = withUnknown(unknown, key, stored[key]);
    else if (known) missing--;
  }
  if (missing > 0) throw damaged('a record lacks a field');
  if (unknown) draft[unknownFields] = unknown;
  return draft as Fact;
}

/** Copies what was read into memory of its own: it is a view that the next read overwrites. */
export function withUnknown(
  unknown: Record<string, unknown> | null,
  key: string,
  value: unknown,
): Record<string, unknown> {
  const kept = unknown ?? {};
  kept[key] = packr.unpack(packr.pack(value));
  return kept;
}

/** Of the one record that is being filled: its UUIDs are lent to it. */
export function packRecord(record: Stored): Buffer {
  const packed = packr.pack(record);
  returnUuids();
  return packed;
}

/** Items of a list, packed already: see `packWithItems`. */
export class PackedItems {
  readonly items: readonly Uint8Array[];

  constructor(items: readonly Uint8Array[]) {
    this.items = items;
  }
}

/** Packs an item that is to be written again and again, into memory of its own. */
export function packItem(record: Stored): Uint8Array {
  return Uint8Array.prototype.slice.call(packr.pack(record));
}

/** The same bytes as of `packRecord`, of a record that has lists of packed items. */
export function packWithItems(record: Stored): Buffer {
  const fields = Object.entries(record);
  const parts: Uint8Array[] = [head(fields.length, mapHead)];
  for (const [key, value] of fields) {
    parts.push(packr.pack(key));
    if (value instanceof PackedItems) parts.push(head(value.items.length, arrayHead), ...value.items);
    else parts.push(packr.pack(value));
  }
  returnUuids();
  return Buffer.concat(parts);
}

/** First bytes of msgpack's formats for up to 15, 65,535 and more (specification, "Array format family" and "Map format family"). */
const arrayHead = [0x90, 0xdc, 0xdd] as const;
const mapHead = [0x80, 0xde, 0xdf] as const;

function head(count: number, [fix, of16, of32]: typeof arrayHead | typeof mapHead): Uint8Array {
  if (count <= 0x0f) return Buffer.of(fix | count);
  const bytes = Buffer.alloc(count <= 0xffff ? 3 : 5);
  bytes.writeUInt8(count <= 0xffff ? of16 : of32);
  bytes.writeUIntBE(count, 1, bytes.length - 1);
  return bytes;
}

/** Records are read out of one buffer: for another, msgpackr would make and attach a DataView each time. */
let source = Buffer.allocUnsafeSlow(64 * 1024);

/** Binaries in it are views that the next reading overwrites. */
export function unpackRecord(bytes: Uint8Array): Stored {
  if (bytes.length > source.length) source = Buffer.allocUnsafeSlow(bytes.length * 2);
  source.set(bytes);
  let stored: unknown;
  try {
    stored = packr.unpack(source, bytes.length);
  } catch (error) {
    throw new KnellError('store-broken', damaged('a record cannot be decoded').message, { cause: error });
  }
  if (!isStored(stored)) throw damaged('a record is no map');
  return stored;
}

/** A map as msgpack reads it, not one of the types that its extensions stand for. */
export function isStored(value: unknown): value is Stored {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
