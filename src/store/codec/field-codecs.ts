/** The kinds of field: each keeps a type of the domain in a record. Invariant: a value that is packed comes out equal. */
import type { Growing } from '../../domain/check/unknown-fields.ts';
import {
  type FieldCodec,
  type FieldRule,
  factOf,
  isStored,
  PackedItems,
  packItem,
  type Shape,
} from './named-record.ts';
import { bytesOfUuids, lendUuid, uuidBytes, uuidText } from './uuid.ts';

/** A field that every record has. */
export function required<Value>(key: string, codec: FieldCodec<Value>): FieldRule<Value> {
  return { key, ...codec, required: true, whenAbsent: undefined, leftOut: () => false };
}

/** A field that records leave out while it has `whenAbsent`, permanently. */
export function optional<Value>(
  key: string,
  codec: FieldCodec<Value>,
  whenAbsent: Value | undefined,
): FieldRule<Value> {
  return { key, ...codec, required: false, whenAbsent, leftOut: (value) => value === whenAbsent };
}

/** A list that records leave out while it is empty. */
export function optionalList<Item>(
  key: string,
  codec: FieldCodec<readonly Item[]>,
): FieldRule<readonly Item[]> {
  return { key, ...codec, required: false, whenAbsent: [], leftOut: (value) => value.length === 0 };
}

export const text: FieldCodec<string> = {
  pack: (value) => value,
  unpack: (stored) => (typeof stored === 'string' ? stored : undefined),
};

/** An id that is no UUID. */
export function textId<Id extends string>(brand: (text: string) => Id): FieldCodec<Id> {
  return {
    pack: (value) => value,
    unpack: (stored) => (typeof stored === 'string' ? brand(stored) : undefined),
  };
}

/** Text that many records have. */
export const sharedText: FieldCodec<string> = {
  pack: (value) => value,
  unpack: (stored, intern) => (typeof stored === 'string' ? intern.text(stored) : undefined),
};

export const flag: FieldCodec<boolean> = {
  pack: (value) => value,
  unpack: (stored) => (typeof stored === 'boolean' ? stored : undefined),
};

/** Milliseconds since 1970, or so many of them; fractions allowed. */
export const instant: FieldCodec<number> = {
  pack: (value) => value,
  unpack: (stored) => (typeof stored === 'number' && !Number.isNaN(stored) ? stored : undefined),
};

/** A whole number from 0 on. */
export const count: FieldCodec<number> = {
  pack: (value) => value,
  unpack: (stored) =>
    typeof stored === 'number' && Number.isSafeInteger(stored) && stored >= 0 ? stored : undefined,
};

/** One of the domain's constants. */
export function oneOf<Name extends string>(names: readonly Name[]): FieldCodec<Name> {
  return { pack: (value) => value, unpack: (stored) => names.find((name) => name === stored) };
}

/** Null is a value: an optional field's default may be another. */
export function nullable<Value>(codec: FieldCodec<Value>): FieldCodec<Value | null> {
  return {
    pack: (value) => (value === null ? null : codec.pack(value)),
    unpack: (stored, intern) => (stored === null ? null : codec.unpack(stored, intern)),
  };
}

/** An id that is a UUID, as its 16 bytes. `as…Id` brands it. */
export function uuid<Id extends string>(brand: (text: string) => Id): FieldCodec<Id> {
  return {
    pack: lendUuid,
    unpack: (stored) => (isUuidBytes(stored) ? brand(uuidText(stored)) : undefined),
  };
}

/** An id that many records have. */
export function sharedUuid<Id extends string>(brand: (text: string) => Id): FieldCodec<Id> {
  return {
    pack: lendUuid,
    unpack: (stored, intern) => (isUuidBytes(stored) ? brand(intern.uuid(stored, 0)) : undefined),
  };
}

/** A list of ids that many records have, one after the other in one binary. */
export function sharedUuids<Id extends string>(brand: (text: string) => Id): FieldCodec<readonly Id[]> {
  return {
    // Nearly always one: a check has few integrations.
    pack: (ids) => (ids.length === 1 ? lendUuid(ids[0] ?? '') : bytesOfUuids(ids)),
    unpack: (stored, intern) => {
      if (!(stored instanceof Uint8Array) || stored.length % uuidBytes > 0) return undefined;
      return Array.from({ length: stored.length / uuidBytes }, (_, at) =>
        brand(intern.uuid(stored, at * uuidBytes)),
      );
    },
  };
}

function isUuidBytes(stored: unknown): stored is Uint8Array {
  return stored instanceof Uint8Array && stored.length === uuidBytes;
}

/** A list in a record. */
export function listOf<Item>(codec: FieldCodec<Item>): FieldCodec<readonly Item[]> {
  return {
    pack: (items) => items.map((item) => codec.pack(item)),
    unpack: (stored, intern) => {
      if (!Array.isArray(stored)) return undefined;
      const items = stored.map((item: unknown) => codec.unpack(item, intern));
      return items.every((item) => item !== undefined) ? items : undefined;
    },
  };
}

/**
 * A list of records that changes by an item or two at a time and is written each time: a fact that has not changed is packed once. Of the
 * first hundred checks that are down together, each joins the incident, and is written with all before it: half of their time otherwise.
 */
export function listOfKept<Fact extends Growing>(shape: Shape<Fact>): FieldCodec<readonly Fact[]> {
  const packed = new WeakMap<Fact, Uint8Array>();
  const packedOnce = (fact: Fact): Uint8Array => {
    const known = packed.get(fact);
    if (known) return known;
    const bytes = packItem(recordOf(shape, fact));
    packed.set(fact, bytes);
    return bytes;
  };
  return {
    pack: (facts) => new PackedItems(facts.map(packedOnce)),
    unpack: listOf(nested(shape)).unpack,
  };
}

/** A record in a record: it grows by the same rule. */
export function nested<Fact extends Growing>(shape: Shape<Fact>): FieldCodec<Fact> {
  return {
    pack: (value) => recordOf(shape, value),
    unpack: (stored) => (isStored(stored) ? factOf(shape, stored) : undefined),
  };
}

function recordOf<Fact extends Growing>(shape: Shape<Fact>, fact: Fact): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  shape.put(record, fact);
  return record;
}
