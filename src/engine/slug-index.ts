/**
 * From a slug to the handles of a project's checks that have it: nearly always one. A slot is two words, the slug's hash and
 * the handle; the slug itself lies with the check's row, where it is compared byte by byte. A map of a million strings would
 * take 100 MB, this takes 17.
 *
 * Open addressing with linear probing, at most three quarters full (Knuth, The Art of Computer Programming, vol. 3, 6.4).
 * Invariant: a check with an empty slug is not in it; a check is in it once.
 */

/** Where the slugs are. */
export interface SlugBytes {
  slugIs(handle: number, slug: string): boolean;
}

export const noHandle = -1;
/** Several checks have the slug. */
export const severalHandles = -2;

const slotsMin = 16;

export class SlugIndex {
  readonly #slugs: SlugBytes;
  /** Of each slot the hash, then the handle plus one: zero is an empty slot. */
  #slots = new Int32Array(2 * slotsMin);
  #mask = slotsMin - 1;
  #count = 0;

  constructor(slugs: SlugBytes) {
    this.#slugs = slugs;
  }

  /** The handle, or `noHandle`, or `severalHandles`. */
  find(slug: string): number {
    const hash = hashOf(slug);
    let found = noHandle;
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const handle = this.#handleAt(slot);
      if (handle < 0) return found;
      if (this.#slots[2 * slot] !== hash || !this.#slugs.slugIs(handle, slug)) continue;
      if (found >= 0) return severalHandles;
      found = handle;
    }
  }

  add(slug: string, handle: number): void {
    if (slug === '') return;
    this.#count++;
    if (this.#count * 4 > this.#mask * 3) this.#grow();
    this.#put(hashOf(slug), handle);
  }

  /** By a slug that the check has had. Nothing happens where it is not in the index. */
  remove(slug: string, handle: number): void {
    if (slug === '') return;
    for (let slot = hashOf(slug) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const other = this.#handleAt(slot);
      if (other < 0) return;
      if (other !== handle) continue;
      this.#count--;
      this.#closeGap(slot);
      return;
    }
  }

  #handleAt(slot: number): number {
    return (this.#slots[2 * slot + 1] ?? 0) - 1;
  }

  #put(hash: number, handle: number): void {
    let slot = hash & this.#mask;
    while (this.#handleAt(slot) >= 0) slot = (slot + 1) & this.#mask;
    this.#slots[2 * slot] = hash;
    this.#slots[2 * slot + 1] = handle + 1;
  }

  #grow(): void {
    const before = this.#slots;
    this.#mask = 2 * this.#mask + 1;
    this.#slots = new Int32Array(2 * (this.#mask + 1));
    for (let at = 0; at < before.length; at += 2) {
      const handle = (before[at + 1] ?? 0) - 1;
      if (handle >= 0) this.#put(before[at] ?? 0, handle);
    }
  }

  /** Moves up what would not be found any more if the run of full slots ended here (algorithm R). */
  #closeGap(gap: number): void {
    const mask = this.#mask;
    let free = gap;
    for (let slot = (free + 1) & mask; this.#handleAt(slot) >= 0; slot = (slot + 1) & mask) {
      const hash = this.#slots[2 * slot] ?? 0;
      if (((slot - (hash & mask)) & mask) < ((slot - free) & mask)) continue;
      this.#slots[2 * free] = hash;
      this.#slots[2 * free + 1] = this.#slots[2 * slot + 1] ?? 0;
      free = slot;
    }
    this.#slots[2 * free + 1] = 0;
  }
}

/** FNV-1a over the characters, mixed once more: neighbours differ in their last character. */
function hashOf(slug: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < slug.length; at++) hash = Math.imul(hash ^ slug.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
