/**
 * From a check's UUID to its handle: what every ping asks first. UUIDs are kept as four words in typed arrays, so that a
 * look-up touches two cache lines, where a map of strings goes after a string for each that it compares: 0.1 µs instead of
 * 0.5 µs among ten thousand checks.
 *
 * In 256 parts by the first two digits, each of which grows by itself: a million checks are never moved in one turn.
 * Open addressing with linear probing; what is removed leaves no gap (Knuth, The Art of Computer Programming, vol. 3,
 * 6.4, algorithm R). Invariant: only a lower-case UUID with hyphens is ever found.
 */
import { assert } from '../lib/errors.ts';

const parts = 256;
const slotsMin = 8;
const empty = -1;

/** Value of a digit by its character code; 128 for what is none. */
const digits = new Uint8Array(128).fill(128);
for (let value = 0; value < 16; value++) digits[value.toString(16).charCodeAt(0)] = value;

const hyphen = 45;

interface Part {
  /** A power of two of slots; four words each. */
  words: Uint32Array;
  handles: Int32Array;
  count: number;
}

export class UuidIndex {
  size = 0;
  readonly #parts: Part[] = Array.from({ length: parts }, () => emptyPart(slotsMin));
  /** The UUID that was parsed last. */
  #w0 = 0;
  #w1 = 0;
  #w2 = 0;
  #w3 = 0;

  /** The handle; -1 for none, and for what is no UUID. */
  get(uuid: string): number {
    if (!this.#parse(uuid)) return -1;
    const part = this.#part();
    return part.handles[this.#slot(part)] ?? empty;
  }

  /** Replaces the handle where the UUID is known. */
  set(uuid: string, handle: number): void {
    assert(this.#parse(uuid), `not a UUID: ${uuid}`);
    const part = this.#part();
    const slot = this.#slot(part);
    if (part.handles[slot] === empty) {
      this.size++;
      part.count++;
      put(part.words, slot, this.#w0, this.#w1, this.#w2, this.#w3);
    }
    part.handles[slot] = handle;
    if (part.count * 2 > part.handles.length) grow(part);
  }

  delete(uuid: string): void {
    if (!this.#parse(uuid)) return;
    const part = this.#part();
    const slot = this.#slot(part);
    if (part.handles[slot] === empty) return;
    this.size--;
    part.count--;
    closeGap(part, slot);
  }

  #part(): Part {
    return this.#parts[this.#w0 >>> 24] as Part;
  }

  /** Where the parsed UUID is, or would be. */
  #slot({ words, handles }: Part): number {
    const mask = handles.length - 1;
    let slot = hashOf(this.#w0, this.#w3) & mask;
    while (handles[slot] !== empty && !this.#isAt(words, slot * 4)) slot = (slot + 1) & mask;
    return slot;
  }

  #isAt(words: Uint32Array, at: number): boolean {
    return (
      words[at] === this.#w0 &&
      words[at + 1] === this.#w1 &&
      words[at + 2] === this.#w2 &&
      words[at + 3] === this.#w3
    );
  }

  #parse(uuid: string): boolean {
    if (uuid.length !== 36) return false;
    if (uuid.charCodeAt(8) !== hyphen || uuid.charCodeAt(13) !== hyphen) return false;
    if (uuid.charCodeAt(18) !== hyphen || uuid.charCodeAt(23) !== hyphen) return false;
    const high1 = fourDigits(uuid, 9);
    const low1 = fourDigits(uuid, 14);
    const high2 = fourDigits(uuid, 19);
    const low2 = fourDigits(uuid, 24);
    const high0 = fourDigits(uuid, 0);
    const low0 = fourDigits(uuid, 4);
    const high3 = fourDigits(uuid, 28);
    const low3 = fourDigits(uuid, 32);
    this.#w0 = ((high0 << 16) | low0) >>> 0;
    this.#w1 = ((high1 << 16) | low1) >>> 0;
    this.#w2 = ((high2 << 16) | low2) >>> 0;
    this.#w3 = ((high3 << 16) | low3) >>> 0;
    return (high0 | low0 | high1 | low1 | high2 | low2 | high3 | low3) >= 0;
  }
}

/** Negative when one of them is no digit. */
function fourDigits(text: string, at: number): number {
  const a = digit(text.charCodeAt(at));
  const b = digit(text.charCodeAt(at + 1));
  const c = digit(text.charCodeAt(at + 2));
  const d = digit(text.charCodeAt(at + 3));
  return (a | b | c | d) > 15 ? -1 : (a << 12) | (b << 8) | (c << 4) | d;
}

function digit(code: number): number {
  return code < 128 ? (digits[code] ?? 128) : 128;
}

/** UUIDs are random where nobody chose them; a restored snapshot may hold others, so two words are mixed. */
function hashOf(w0: number, w3: number): number {
  return Math.imul(w0 ^ Math.imul(w3, 0x9e3779b1), 0x85ebca6b) >>> 8;
}

function emptyPart(slots: number): Part {
  return { words: new Uint32Array(slots * 4), handles: new Int32Array(slots).fill(empty), count: 0 };
}

function put(words: Uint32Array, slot: number, w0: number, w1: number, w2: number, w3: number): void {
  words[slot * 4] = w0;
  words[slot * 4 + 1] = w1;
  words[slot * 4 + 2] = w2;
  words[slot * 4 + 3] = w3;
}

function homeOf({ words, handles }: Part, slot: number): number {
  return hashOf(words[slot * 4] ?? 0, words[slot * 4 + 3] ?? 0) & (handles.length - 1);
}

function move(from: Part, slot: number, to: Part, target: number): void {
  to.words.set(from.words.subarray(slot * 4, slot * 4 + 4), target * 4);
  to.handles[target] = from.handles[slot] ?? empty;
}

function grow(part: Part): void {
  const larger = emptyPart(part.handles.length * 2);
  const mask = larger.handles.length - 1;
  for (let slot = 0; slot < part.handles.length; slot++) {
    if (part.handles[slot] === empty) continue;
    let target = hashOf(part.words[slot * 4] ?? 0, part.words[slot * 4 + 3] ?? 0) & mask;
    while (larger.handles[target] !== empty) target = (target + 1) & mask;
    move(part, slot, larger, target);
  }
  part.words = larger.words;
  part.handles = larger.handles;
}

/** Moves up what would not be found any more if the run of full slots ended at `gap`. */
function closeGap(part: Part, gap: number): void {
  const mask = part.handles.length - 1;
  let free = gap;
  for (let slot = (free + 1) & mask; part.handles[slot] !== empty; slot = (slot + 1) & mask) {
    const distance = (slot - homeOf(part, slot)) & mask;
    if (distance < ((slot - free) & mask)) continue;
    move(part, slot, part, free);
    free = slot;
  }
  part.handles[free] = empty;
}
