/**
 * Both ends of a text that is longer than its limit: how it begins says what ran, how it ends says what became of it.
 * Between them is a line that says how many bytes were left out.
 * Invariant: what is kept is no longer than the limit, and the cut splits no character of UTF-8.
 */
import { endsBytesMin, firstBytesKept } from './limits.ts';

const encoder = new TextEncoder();
/** A character of UTF-8 has so many bytes after its first one, or fewer. */
const continuations = 3;

/** Returns `whole` itself if it has no more than `bytesMax` bytes, otherwise a copy of its ends in at most so many. */
export function bothEnds(whole: Uint8Array, bytesMax: number): Uint8Array {
  return whole.length <= bytesMax ? whole : endsIn(whole, whole.length, bytesMax);
}

/**
 * Writes `chunk` where the bytes before it are already: `total` bytes of the same text were written to `buffer`. Once the buffer is full,
 * its beginning stays, and behind it the newest bytes replace the oldest. A full buffer has the limit's length.
 */
export function writeEnds(buffer: Uint8Array, total: number, chunk: Uint8Array): void {
  const free = Math.max(0, buffer.length - total);
  buffer.set(chunk.subarray(0, free), total - Math.max(0, total - buffer.length));
  const ring = ringOf(buffer);
  if (chunk.length <= free || ring === 0) return;
  // Only the last round is seen in the end.
  let from = Math.max(free, chunk.length - ring);
  while (from < chunk.length) {
    const at = placeOf(buffer, total + from);
    const piece = chunk.subarray(from, from + buffer.length - at);
    buffer.set(piece, at);
    from += piece.length;
  }
}

/**
 * Returns a copy of both ends of the `total` bytes that were written to `buffer`, in at most `bytesMax` bytes, which are fewer than
 * `total`. Of a limit under `endsBytesMin` it is only the end, without the line.
 */
export function endsIn(buffer: Uint8Array, total: number, bytesMax: number): Uint8Array {
  const first = firstOf(bytesMax);
  const head = first === 0 ? 0 : afterCharacter(buffer, first);
  const tailMax = first === 0 ? bytesMax : bytesMax - head - marker(total).length;
  const oldest = total > buffer.length ? total - ringOf(buffer) : 0;
  let from = Math.max(oldest, total - tailMax);
  for (let skipped = 0; skipped < continuations && from < total; skipped++) {
    if (!isContinuation(buffer[placeOf(buffer, from)])) break;
    from++;
  }
  const line = first === 0 ? new Uint8Array(0) : marker(from - head);
  const kept = new Uint8Array(head + line.length + total - from);
  kept.set(buffer.subarray(0, head));
  kept.set(line, head);
  copyFrom(buffer, { from, total }, kept.subarray(head + line.length));
  return kept;
}

function copyFrom(buffer: Uint8Array, range: { from: number; total: number }, into: Uint8Array): void {
  let { from } = range;
  while (from < range.total) {
    const at = placeOf(buffer, from);
    const piece = buffer.subarray(at, Math.min(buffer.length, at + range.total - from));
    into.set(piece, from - range.from);
    from += piece.length;
  }
}

function marker(bytes: number): Uint8Array {
  return encoder.encode(`\n[${bytes} bytes left out]\n`);
}

/** Bytes that are kept of the beginning, beside the rest of a character that they would split. */
function firstOf(bytesMax: number): number {
  return bytesMax < endsBytesMin ? 0 : Math.min(firstBytesKept, Math.floor(bytesMax / 10));
}

/** Bytes of the part of a buffer that is written again and again. */
function ringOf(buffer: Uint8Array): number {
  return buffer.length - fixedOf(buffer);
}

function fixedOf({ length }: Uint8Array): number {
  const first = firstOf(length);
  return first === 0 ? 0 : first + continuations;
}

/** Returns where the byte `index` of the text is; of a text that fits, at its own index. */
function placeOf(buffer: Uint8Array, index: number): number {
  if (index < buffer.length) return index;
  const fixed = fixedOf(buffer);
  return fixed + ((index - fixed) % (buffer.length - fixed));
}

function afterCharacter(buffer: Uint8Array, index: number): number {
  let end = index;
  while (end < index + continuations && isContinuation(buffer[end])) end++;
  return end;
}

/** Whether the byte continues a character: all bytes of one but the first begin with the bits 10. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
