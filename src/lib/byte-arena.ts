/**
 * Byte strings of any length in a few large buffers, each known by a number: what a million checks' configuration lies in,
 * where a buffer object for each would cost more than its bytes.
 *
 * | | |
 * |---|---|
 * | a piece | its bytes, 4 bytes of length, up to 15 of rounding |
 * | put | O(1): the last freed piece of the same size, else the end of the newest buffer |
 * | a piece that is given back | waits for one of the same size; buffers are never given back |
 *
 * Invariant: a piece's bytes stay where they are until it is freed; its number is then another's.
 */
const unitBytes = 16;
const headBytes = 4;
/** 1 MB: memory grows in steps that one turn of the event loop does not notice. */
const blockUnits = 65_536;
const blockBits = 16;

export class ByteArena {
  readonly #blocks: Buffer[] = [];
  /** Units used of the newest block that takes small pieces. */
  #used = blockUnits;
  #newest = -1;
  /** Freed pieces by their size in units. */
  readonly #free = new Map<number, number[]>();
  /** Bytes in use, with lengths and rounding. */
  usedBytes = 0;

  /** Copies both, one behind the other. `first` is short. */
  put(first: Uint8Array, second: Uint8Array): number {
    const size = first.length + second.length;
    const units = unitsFor(size);
    const piece = this.#free.get(units)?.pop() ?? this.#append(units);
    this.usedBytes += units * unitBytes;
    write(this.#blockOf(piece), startOf(piece), first, second);
    return piece;
  }

  /** A view: changed with the piece, and another's once it is freed. */
  bytes(piece: number): Buffer {
    const block = this.#blockOf(piece);
    const at = startOf(piece);
    return block.subarray(at + headBytes, at + headBytes + block.readUInt32LE(at));
  }

  /** The buffer that holds the piece, for reading without a view. */
  bufferOf(piece: number): Buffer {
    return this.#blockOf(piece);
  }

  /** Offset of the piece's bytes in its buffer. */
  startOf(piece: number): number {
    return startOf(piece) + headBytes;
  }

  free(piece: number): void {
    const units = unitsFor(this.#blockOf(piece).readUInt32LE(startOf(piece)));
    this.usedBytes -= units * unitBytes;
    const freed = this.#free.get(units);
    if (freed) freed.push(piece);
    else this.#free.set(units, [piece]);
  }

  #append(units: number): number {
    if (units > blockUnits) return this.#newBlock(units) * blockUnits;
    if (this.#used + units > blockUnits) {
      this.#newest = this.#newBlock(blockUnits);
      this.#used = 0;
    }
    const piece = this.#newest * blockUnits + this.#used;
    this.#used += units;
    return piece;
  }

  #newBlock(units: number): number {
    this.#blocks.push(Buffer.allocUnsafeSlow(units * unitBytes));
    return this.#blocks.length - 1;
  }

  #blockOf(piece: number): Buffer {
    return this.#blocks[piece >>> blockBits] as Buffer;
  }
}

function write(block: Buffer, at: number, first: Uint8Array, second: Uint8Array): void {
  block.writeUInt32LE(first.length + second.length, at);
  const to = at + headBytes;
  // A few bytes, for which a call of `set` costs more than the loop.
  for (let from = 0; from < first.length; from++) block[to + from] = first[from] ?? 0;
  block.set(second, to + first.length);
}

function unitsFor(bytes: number): number {
  return Math.ceil((bytes + headBytes) / unitBytes);
}

function startOf(piece: number): number {
  return (piece & (blockUnits - 1)) * unitBytes;
}
