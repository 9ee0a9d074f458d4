/**
 * The kinds of configuration: all that the store knows of one is its entry here, and what a record of it says (`codec/rows`).
 * Journal, load, fold, repair, snapshot and restore loop over them. Checks, deliveries and the audit log are no kinds: there
 * are many of them, and they lie in tables of their own.
 *
 * Invariant: the number of a kind never changes its meaning, and no other record or frame has it.
 */
import type { EndedSession } from '../domain/accounts/user.ts';
import type { ProjectId } from '../lib/ids.ts';
import { damaged } from './codec/byte-reader.ts';
import { type RowCodec, type RowFacts, rows } from './codec/rows.ts';
import { bytesOfUuid, uuidBytes, uuidText } from './codec/uuid.ts';

/** The record that is kept for each kind of configuration. */
export type ConfigFacts = Omit<RowFacts, 'check' | 'delivery'>;
export type ConfigKind = keyof ConfigFacts;
/** The kinds of which one record can be removed by its id. */
export type RemovableKind = Exclude<ConfigKind, 'installation' | 'ended-session'>;

interface Kind<Fact> {
  /**
   * Number of the kind: of its frames in a snapshot, of its records in the journal, and the first byte of its keys in the
   * history, which a load reports in this order. The number after it is that of the record of a removal.
   */
  readonly number: number;
  readonly row: RowCodec<Fact>;
  /** Its key in the history, behind the number: its id, where it has one that is all of it. */
  keyOf(fact: Fact): Uint8Array;
  /** Form of the id in the record of a removal: the same bytes. */
  readonly id: IdForm;
  /** The project with which it goes; null for what belongs to none. */
  readonly projectOf: ((fact: Fact) => ProjectId) | null;
}

interface Owned {
  readonly projectId: ProjectId;
}

interface IdForm {
  bytes(id: string): Uint8Array;
  /** Throws a KnellError `store-broken` for what is no such id. */
  text(bytes: Buffer): string;
}

const uuidForm: IdForm = {
  bytes: bytesOfUuid,
  text(bytes) {
    if (bytes.length !== uuidBytes) throw damaged('an id has a wrong length');
    return uuidText(bytes);
  },
};
const textForm: IdForm = { bytes: (id) => Buffer.from(id), text: (bytes) => bytes.toString() };

interface Named {
  readonly id: string;
}

const byUuid = { id: uuidForm, keyOf: ({ id }: Named) => uuidForm.bytes(id) };
const byText = { id: textForm, keyOf: ({ id }: Named) => textForm.bytes(id) };
const onlyOne = { id: textForm, keyOf: () => Buffer.alloc(0) };
const ofProject = { projectOf: ({ projectId }: Owned) => projectId };

export const kinds: { readonly [Name in ConfigKind]: Kind<ConfigFacts[Name]> } = {
  installation: { number: 0x10, row: rows.installation, ...onlyOne, projectOf: null },
  project: { number: 0x20, row: rows.project, ...byUuid, projectOf: ({ id }) => id },
  key: { number: 0x30, row: rows.key, ...byText, ...ofProject },
  channel: { number: 0x40, row: rows.channel, ...byUuid, ...ofProject },
  user: { number: 0x50, row: rows.user, ...byUuid, projectOf: null },
  'ended-session': {
    ...{ number: 0x60, row: rows['ended-session'], projectOf: null },
    ...{ id: textForm, keyOf: endedSessionKey },
  },
  'status-page': { number: 0x70, row: rows['status-page'], ...byUuid, ...ofProject },
  maintenance: { number: 0x80, row: rows.maintenance, ...byUuid, ...ofProject },
  incident: { number: 0x90, row: rows.incident, ...byUuid, ...ofProject },
  'event-feed': { number: 0xa0, row: rows['event-feed'], ...byUuid, ...ofProject },
};

export const configKinds = Object.keys(kinds) as readonly ConfigKind[];

const byNumber: ReadonlyMap<number, ConfigKind> = new Map(
  configKinds.map((name) => [kinds[name].number, name]),
);
const byRemoval: ReadonlyMap<number, RemovableKind> = new Map(
  configKinds.filter(isRemovable).map((name) => [kinds[name].number + 1, name]),
);

function isRemovable(kind: ConfigKind): kind is RemovableKind {
  return kind !== 'installation' && kind !== 'ended-session';
}

/** Undefined for a number that is no kind's. */
export function kindOf(number: number): ConfigKind | undefined {
  return byNumber.get(number);
}

/** The kind of which a journal record of this type removes one. */
export function removedKindOf(recordType: number): RemovableKind | undefined {
  return byRemoval.get(recordType);
}

export function removalOf(kind: RemovableKind): number {
  return kinds[kind].number + 1;
}

/** The key that one has in the history, by the bytes of its id. */
export function configKey(kind: ConfigKind, id: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(kinds[kind].number), id]);
}

/** Likewise, by what it is. */
export function configKeyOf<Name extends ConfigKind>(kind: Name, fact: ConfigFacts[Name]): Buffer {
  return configKey(kind, kinds[kind].keyOf(fact));
}

/** Likewise, by its row. */
export function configKeyOfRow<Name extends ConfigKind>(kind: Name, row: Uint8Array): Buffer {
  return configKeyOf(kind, kinds[kind].row.read(row));
}

/** A user's are together, the first to run out first. */
function endedSessionKey({ userId, untilMs, id }: EndedSession): Buffer {
  return Buffer.concat([endedSessionKeyHead(bytesOfUuid(userId), untilMs), Buffer.from(id)]);
}

/** Positive doubles sort by their big-endian bytes. */
export function endedSessionKeyHead(userUuid: Uint8Array, untilMs: number): Buffer {
  const head = Buffer.alloc(uuidBytes + 8);
  head.set(userUuid);
  head.writeDoubleBE(Math.max(0, untilMs), uuidBytes);
  return head;
}
