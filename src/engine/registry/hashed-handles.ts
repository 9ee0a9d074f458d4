/**
 * Handles by a hash of something that lies elsewhere: of a slug, of a badge's UUID. A slot is two words, the hash and the
 * handle plus one; whether a handle is really meant, the caller looks up. 10 to 21 bytes an entry, where a map of strings
 * takes 100.
 *
 * Open addressing with linear probing in parts of at most 16,384 slots. A part that is full is split in two by the next bit
 * of the hashes, and a directory says which part has which bits (extendible hashing: Fagin and others, 1979). So the largest
 * table is never moved in one turn.
 * Invariant: an entry is found by the hash that it was added with; the same handle may be there by several hashes.
 */
import { GatheredEntries } from './gathered-entries.ts';

export const noHandle = -1;
/** Several entries are meant. */
export const severalHandles = -2;

interface Part {
  slots: Int32Array;
  /** Slots less one; their number is a power of two. */
  mask: number;
  count: number;
  /** Number of first bits that all of its hashes share. */
  depth: number;
}

const slotsMin = 16;
const slotsMax = 16_384;
/** Deeper than this only equal hashes are left, which no split parts: then the part grows. */
const depthMax = 16;

export class HashedHandles {
  #parts: Part[] = [emptyPart(slotsMin, 0)];
  /** There are two to the power of this many entries in the directory. */
  #depth = 0;
  #gathered: GatheredEntries | null = null;

  /**
   * Entries that are added from now on are put in their places all together when somebody looks, or by `settle`. Only while
   * nothing is here.
   */
  gather(): void {
    if (this.#depth === 0 && this.#parts[0]?.count === 0) this.#gathered ??= new GatheredEntries();
  }

  /** Puts what was gathered in its place. */
  settle(): void {
    const gathered = this.#gathered;
    if (gathered === null) return;
    this.#gathered = null;
    this.#reserve(gathered.count);
    const entries = gathered.sorted(this.#depth);
    for (let at = 0; at < entries.length; at += 2) this.add(entries[at] ?? 0, entries[at + 1] ?? 0);
  }

  /** Growing by steps would move what is there each time. */
  #reserve(count: number): void {
    const slots = Math.max(slotsMin, 2 ** Math.ceil(Math.log2((count * 4) / 3 + 1)));
    const ofPart = Math.min(slots, slotsMax);
    this.#depth = Math.log2(slots / ofPart);
    this.#parts = Array.from({ length: slots / ofPart }, () => emptyPart(ofPart, this.#depth));
  }

  /** The only handle of that hash that `isMeant`; `noHandle`, or `severalHandles`. */
  find(hash: number, isMeant: (handle: number) => boolean): number {
    if (this.#gathered !== null) this.settle();
    const { slots, mask } = this.#partOf(hash);
    let found = noHandle;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const handle = (slots[2 * slot + 1] ?? 0) - 1;
      if (handle < 0) return found;
      if (slots[2 * slot] !== hash || !isMeant(handle)) continue;
      if (found >= 0) return severalHandles;
      found = handle;
    }
  }

  add(hash: number, handle: number): void {
    if (this.#gathered !== null) {
      this.#gathered.add(hash, handle);
      return;
    }
    let part = this.#partOf(hash);
    while ((part.count + 1) * 4 > part.mask * 3) {
      if (part.mask + 1 < slotsMax || part.depth >= depthMax) enlarge(part);
      else this.#split(part);
      part = this.#partOf(hash);
    }
    put(part, hash, handle);
  }

  /** Nothing happens where the handle is not there by that hash. */
  remove(hash: number, handle: number): void {
    if (this.#gathered !== null) this.settle();
    const part = this.#partOf(hash);
    const { slots, mask } = part;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const other = (slots[2 * slot + 1] ?? 0) - 1;
      if (other < 0) return;
      if (other !== handle || slots[2 * slot] !== hash) continue;
      part.count--;
      closeGap(part, slot);
      return;
    }
  }

  #partOf(hash: number): Part {
    // A shift by 32 would be one by 0.
    return this.#parts[this.#depth === 0 ? 0 : hash >>> (32 - this.#depth)] as Part;
  }

  #split(part: Part): void {
    if (part.depth === this.#depth) {
      this.#parts = this.#parts.flatMap((one) => [one, one]);
      this.#depth++;
    }
    const depth = part.depth + 1;
    const halves = [emptyPart(part.mask + 1, depth), emptyPart(part.mask + 1, depth)] as const;
    for (let at = 0; at < part.slots.length; at += 2) {
      const handle = (part.slots[at + 1] ?? 0) - 1;
      const hash = part.slots[at] ?? 0;
      if (handle >= 0) put((hash >>> (32 - depth)) & 1 ? halves[1] : halves[0], hash, handle);
    }
    const bit = this.#depth - depth;
    for (const [at, one] of this.#parts.entries())
      if (one === part) this.#parts[at] = (at >>> bit) & 1 ? halves[1] : halves[0];
  }
}

function emptyPart(slots: number, depth: number): Part {
  return { slots: new Int32Array(2 * slots), mask: slots - 1, count: 0, depth };
}

function put(part: Part, hash: number, handle: number): void {
  const { slots, mask } = part;
  let slot = hash & mask;
  while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
  slots[2 * slot] = hash;
  slots[2 * slot + 1] = handle + 1;
  part.count++;
}

function enlarge(part: Part): void {
  const before = part.slots;
  part.mask = 2 * part.mask + 1;
  part.slots = new Int32Array(2 * (part.mask + 1));
  part.count = 0;
  for (let at = 0; at < before.length; at += 2) {
    const handle = (before[at + 1] ?? 0) - 1;
    if (handle >= 0) put(part, before[at] ?? 0, handle);
  }
}

/** Moves up what would not be found any more if the run of full slots ended at `gap` (Knuth, vol. 3, 6.4, algorithm R). */
function closeGap({ slots, mask }: Part, gap: number): void {
  let free = gap;
  for (let slot = (free + 1) & mask; slots[2 * slot + 1] !== 0; slot = (slot + 1) & mask) {
    const hash = slots[2 * slot] ?? 0;
    if (((slot - (hash & mask)) & mask) < ((slot - free) & mask)) continue;
    slots[2 * free] = hash;
    slots[2 * free + 1] = slots[2 * slot + 1] ?? 0;
    free = slot;
  }
  slots[2 * free + 1] = 0;
}
