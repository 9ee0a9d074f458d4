/**
 * The keys of a map that is stepped over: which of the known ones the next pair has. Rows that were written alike have the same keys at
 * the same places, so mostly it is the one that the row before had there.
 * Invariant: two names never count as one.
 */
import type { MsgpackWalk } from './msgpack-walk.ts';

interface Known<Key> {
  readonly name: Buffer;
  readonly key: Key;
}

export class WalkedKeys<Key> {
  /** By a hash of the name. */
  readonly #known = new Map<number, Known<Key>>();
  /** By the place of a pair: what a row had there last. */
  readonly #last: Known<Key>[] = [];

  learn(name: string, key: Key): void {
    const bytes = Buffer.from(name);
    this.#known.set(hashOf(bytes, 0, bytes.length), { name: bytes, key });
  }

  /** Steps over the key of the pair at that place of its map. Null for one that is not known. */
  next(walk: MsgpackWalk, place: number): Key | null {
    walk.content();
    const last = this.#last[place];
    if (last !== undefined && isNamed(last.name, walk)) return last.key;
    const known = this.#known.get(hashOf(walk.bytes, walk.start, walk.end));
    if (known === undefined || !isNamed(known.name, walk)) return null;
    // Only places that a row of known fields has: damaged bytes may announce any number of pairs.
    if (place < this.#known.size) this.#last[place] = known;
    return known.key;
  }
}

function isNamed(name: Buffer, { bytes, start, end }: MsgpackWalk): boolean {
  if (name.length !== end - start) return false;
  for (let at = 0; at < name.length; at++) if (name[at] !== bytes[start + at]) return false;
  return true;
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0;
  return hash;
}
