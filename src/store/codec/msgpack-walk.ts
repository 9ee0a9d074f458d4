/**
 * Steps over msgpack values without decoding them (msgpack specification, "Formats"): what a start does with a million rows,
 * of each of which it needs a few fields. Not for decoding whole records (`named-record`).
 * Invariant: never reads past its end; bytes that are no msgpack are a `store-broken` error.
 */
import { recordDepthMax } from '../disk/limits.ts';
import { damaged } from './byte-reader.ts';

/** The kind of a value, known before the value is read. */
export type WalkedKind = 'text' | 'binary' | 'number' | 'flag' | 'list' | 'map' | 'other';

const kindOfByte: readonly WalkedKind[] = Array.from({ length: 256 }, (_, first): WalkedKind => {
  if (first < 0x80 || first >= 0xe0 || (first >= 0xca && first <= 0xd3)) return 'number';
  if (first < 0x90 || first === 0xde || first === 0xdf) return 'map';
  if (first < 0xa0 || first === 0xdc || first === 0xdd) return 'list';
  if (first < 0xc0 || (first >= 0xd9 && first <= 0xdb)) return 'text';
  if (first >= 0xc4 && first <= 0xc6) return 'binary';
  return first === 0xc2 || first === 0xc3 ? 'flag' : 'other';
});

/** Bytes behind the first one, for formats of a fixed size; -1 for all others. */
const fixedBytes = new Int8Array(256).fill(-1);
for (let first = 0; first < 256; first++) {
  if (first < 0x80 || first >= 0xe0 || first === 0xc0 || first === 0xc2 || first === 0xc3)
    fixedBytes[first] = 0;
}
for (const [first, bytes] of [
  [0xca, 4],
  [0xcb, 8],
  [0xcc, 1],
  [0xcd, 2],
  [0xce, 4],
  [0xcf, 8],
  [0xd0, 1],
  [0xd1, 2],
  [0xd2, 4],
  [0xd3, 8],
  [0xd4, 2],
  [0xd5, 3],
  [0xd6, 5],
  [0xd7, 9],
  [0xd8, 17],
] as const)
  fixedBytes[first] = bytes;

export class MsgpackWalk {
  at = 0;
  bytes: Buffer = Buffer.alloc(0);
  #end = 0;
  /** Offsets of the content of the text or binary that was stepped over last. */
  start = 0;
  end = 0;

  open(bytes: Buffer): this {
    this.bytes = bytes;
    this.at = 0;
    this.#end = bytes.length;
    return this;
  }

  get isAtEnd(): boolean {
    return this.at === this.#end;
  }

  /** The kind of the next value. */
  kind(): WalkedKind {
    return kindOfByte[this.#byte(this.at)] ?? 'other';
  }

  /** Steps into a map; answers how many pairs follow. */
  map(): number {
    const first = this.#byte(this.at++);
    if (first >= 0x80 && first < 0x90) return first & 15;
    if (first === 0xde) return this.#uint(2);
    if (first === 0xdf) return this.#uint(4);
    throw damaged('a record is no map');
  }

  /** Steps over a text or a binary, whose content is then between `start` and `end`. */
  content(): void {
    const first = this.#byte(this.at++);
    const size = this.#sizeOf(first);
    if (size < 0) throw damaged('a record holds something else than text');
    this.start = this.at;
    this.#skip(size);
    this.end = this.at;
  }

  #sizeOf(first: number): number {
    if (first >= 0xa0 && first < 0xc0) return first & 31;
    if (first === 0xd9 || first === 0xc4) return this.#uint(1);
    if (first === 0xda || first === 0xc5) return this.#uint(2);
    if (first === 0xdb || first === 0xc6) return this.#uint(4);
    return -1;
  }

  number(): number {
    const first = this.#byte(this.at);
    if (first < 0x80) {
      this.at++;
      return first;
    }
    const at = this.at + 1;
    this.skip();
    switch (first) {
      case 0xca:
        return this.bytes.readFloatBE(at);
      case 0xcb:
        return this.bytes.readDoubleBE(at);
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.bytes.readUIntBE(at, this.at - at);
      case 0xcf:
        return Number(this.bytes.readBigUInt64BE(at));
      default:
        throw damaged('a record holds something else than a number from 0 on');
    }
  }

  flag(): boolean {
    const first = this.#byte(this.at++);
    if (first !== 0xc2 && first !== 0xc3) throw damaged('a record holds something else than yes or no');
    return first === 0xc3;
  }

  /** Steps over one value, whatever it is. */
  skip(depth = 0): void {
    if (depth > recordDepthMax) throw damaged('a record is nested too deeply');
    const first = this.#byte(this.at++);
    const fixed = fixedBytes[first] ?? -1;
    if (fixed >= 0) {
      this.#skip(fixed);
      return;
    }
    const size = this.#sizeOf(first);
    if (size >= 0) this.#skip(size);
    else if (first >= 0xc7 && first <= 0xc9) this.#skip(1 + this.#uint(1 << (first - 0xc7)));
    else this.#skipItems(first, depth);
  }

  #skipItems(first: number, depth: number): void {
    this.at--;
    const isMap = kindOfByte[first] === 'map';
    let items = isMap ? 2 * this.map() : this.#list();
    for (; items > 0; items--) this.skip(depth + 1);
  }

  #list(): number {
    const first = this.#byte(this.at++);
    if (first >= 0x90 && first < 0xa0) return first & 15;
    if (first === 0xdc) return this.#uint(2);
    if (first === 0xdd) return this.#uint(4);
    throw damaged('a record cannot be decoded');
  }

  #uint(bytes: number): number {
    const at = this.at;
    this.#skip(bytes);
    return this.bytes.readUIntBE(at, bytes);
  }

  #skip(bytes: number): void {
    this.at += bytes;
    if (this.at > this.#end) throw damaged('a record ends too early');
  }

  #byte(at: number): number {
    if (at >= this.#end) throw damaged('a record ends too early');
    return this.bytes[at] ?? 0;
  }
}
