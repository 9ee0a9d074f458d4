/**
 * Writes plain values into a growing, reusable buffer. Not for reading (`byte-reader`), knows no record.
 * Invariant: space is reserved before anything is written; nothing below `length` changes but by `patch…`.
 *
 * Numbers are little-endian. A string is its length in bytes (LEB128) and its UTF-8. Short ASCII is written by a loop:
 * a call into `Buffer.write` costs some 150 ns, more than the rest of a ping's record.
 */
import { assert } from '../../lib/errors.ts';
import { UuidWords, uuidChars } from '../../lib/uuid-words.ts';

const loopCharsMax = 64;

const words = new UuidWords();

export class ByteWriter {
  length = 0;
  #bytes: Buffer;
  #view: DataView;

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Reserves space for `size` more bytes. */
  reserve(size: number): void {
    if (this.length + size <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.length + size));
    this.#bytes.copy(grown, 0, 0, this.length);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }

  u8(value: number): void {
    this.#bytes[this.length++] = value;
  }

  u16(value: number): void {
    this.#view.setUint16(this.length, value, true);
    this.length += 2;
  }

  u32(value: number): void {
    this.#view.setUint32(this.length, value, true);
    this.length += 4;
  }

  /** Integers up to 2^48: numbers of pings outgrow 32 bits. */
  u48(value: number): void {
    this.#view.setUint32(this.length, value >>> 0, true);
    this.#view.setUint16(this.length + 4, Math.floor(value / 0x1_0000_0000), true);
    this.length += 6;
  }

  f64(value: number): void {
    this.#view.setFloat64(this.length, value, true);
    this.length += 8;
  }

  varint(value: number): void {
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.length++] = rest;
  }

  /** Whole numbers up to 2^53, seven bits a byte; at most `wholeBytesMax`. */
  whole(value: number): void {
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.length++] = rest;
  }

  /** Needs `stringBytesMax(text)` reserved. */
  string(text: string): void {
    const chars = text.length;
    if (chars > loopCharsMax || !this.#shortAscii(text)) this.#anyString(text);
  }

  #shortAscii(text: string): boolean {
    const bytes = this.#bytes;
    const start = this.length;
    const chars = text.length;
    bytes[start] = chars;
    for (let index = 0; index < chars; index++) {
      const code = text.charCodeAt(index);
      if (code > 127) return false;
      bytes[start + 1 + index] = code;
    }
    this.length = start + 1 + chars;
    return true;
  }

  #anyString(text: string): void {
    this.varint(Buffer.byteLength(text));
    this.length += this.#bytes.write(text, this.length);
  }

  /** The 16 bytes of a UUID in its usual form. */
  uuid(text: string): void {
    if (text.length !== uuidChars || !words.parse(text)) assert(false, `not a UUID: ${text}`);
    this.uuidWords(words);
  }

  /** The 16 bytes of a UUID that is words. */
  uuidWords({ w0, w1, w2, w3 }: UuidWords): void {
    const view = this.#view;
    const at = this.length;
    view.setInt32(at, w0);
    view.setInt32(at + 4, w1);
    view.setInt32(at + 8, w2);
    view.setInt32(at + 12, w3);
    this.length = at + 16;
  }

  raw(source: Uint8Array): void {
    this.#bytes.set(source, this.length);
    this.length += source.length;
  }

  patchU16(at: number, value: number): void {
    this.#view.setUint16(at, value, true);
  }

  patchU32(at: number, value: number): void {
    this.#view.setUint32(at, value, true);
  }

  patchU8(at: number, value: number): void {
    this.#bytes[at] = value;
  }

  /** The written bytes, in place: the next write after `clear` overwrites them. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  /** The written bytes, copied into memory of their own. */
  copy(): Buffer {
    const own = Buffer.allocUnsafeSlow(this.length);
    this.#bytes.copy(own, 0, 0, this.length);
    return own;
  }

  clear(): void {
    this.length = 0;
  }
}

/** The most bytes that `whole` writes. */
export const wholeBytesMax = 8;

/** The most bytes that `string(text)` writes. */
export function stringBytesMax(text: string): number {
  return 5 + text.length * 3;
}
