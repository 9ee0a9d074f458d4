/**
 * Reads what `byte-writer` wrote. Invariant: never reads past its end: damaged bytes are a `store-broken` error,
 * not a wrong value out of a neighbour's record.
 */
import { KnellError } from '../../lib/errors.ts';
import { uuidBytes, uuidText } from './uuid.ts';

export function damaged(what: string): KnellError {
  return new KnellError('store-broken', `the stored data is damaged: ${what}`);
}

export class ByteReader {
  at = 0;
  end = 0;
  #bytes: Buffer = Buffer.alloc(0);
  #view: DataView = new DataView(this.#bytes.buffer);

  constructor(bytes?: Uint8Array) {
    if (bytes) this.open(bytes);
  }

  /** Starts anew on `bytes`: a reader is reused, since one is needed for every row of a load. */
  open(bytes: Uint8Array): this {
    this.at = 0;
    this.end = bytes.byteLength;
    if (bytes === this.#bytes) return this;
    this.#bytes = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return this;
  }

  /** Limits reading to `start` (inclusive) .. `end` (exclusive) of what was opened. */
  window(start: number, end: number): this {
    if (start < 0 || start > end || end > this.#bytes.length) throw damaged('a part lies outside its record');
    this.at = start;
    this.end = end;
    return this;
  }

  get left(): number {
    return this.end - this.at;
  }

  /** Steps over `size` bytes and says where they began. */
  skip(size: number): number {
    const start = this.at;
    if (size < 0 || start + size > this.end) throw damaged('a record ends too early');
    this.at = start + size;
    return start;
  }

  u8(): number {
    return this.#view.getUint8(this.skip(1));
  }

  u16(): number {
    return this.#view.getUint16(this.skip(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.skip(4), true);
  }

  u48(): number {
    const start = this.skip(6);
    return this.#view.getUint32(start, true) + this.#view.getUint16(start + 4, true) * 0x1_0000_0000;
  }

  f64(): number {
    return this.#view.getFloat64(this.skip(8), true);
  }

  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.u8();
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw damaged('a length is out of range');
  }

  /** Reads a number that `whole` of the writer wrote. */
  whole(): number {
    let value = 0;
    for (let unit = 1; unit <= 2 ** 49; unit *= 128) {
      const byte = this.u8();
      value += (byte & 127) * unit;
      if (byte < 128) return value;
    }
    throw damaged('a number is out of range');
  }

  string(): string {
    const size = this.varint();
    if (size === 0) return '';
    const start = this.skip(size);
    return this.#bytes.toString('utf8', start, start + size);
  }

  uuid(): string {
    return uuidText(this.#bytes, this.skip(uuidBytes));
  }

  /** A view of the next `size` bytes. */
  raw(size: number): Buffer {
    const start = this.skip(size);
    return this.#bytes.subarray(start, start + size);
  }

  /** One of `names` by its index; how the constants of the domain are kept. */
  oneOf<Name>(names: readonly Name[], index: number): Name {
    const name = names[index];
    if (name === undefined) throw damaged('an unknown kind of value');
    return name;
  }
}
