/**
 * Some thousand checks in one piece of memory, as the engine keeps them: their rows as pieces of a byte arena, each behind its head
 * (`row-head`), and beside them what `check-facts` reads out of a row. A start takes them over without looking into any row.
 *
 * | from | what | bytes a check |
 * |---|---|---|
 * | 0 | number of checks, bytes of pieces | 16 in all |
 * | 16 | id, project, place of the piece, flags, timeout, grace time; creation, end of the snooze | 72 |
 * | behind | the state (`codec/check`) | 65 |
 * | behind | pieces | some 250 |
 *
 * Invariant: says what `readCheckFacts` and `readState` would, but for the schedule and the zone of a check that has any.
 */
import type { CheckState } from '../../domain/check/check.ts';
import { arenaBlockBytes, PieceWriter, pieceIn } from '../../lib/byte-arena.ts';
import { putWords, takeWords, UuidWords } from '../../lib/uuid-words.ts';
import { ByteReader } from './byte-reader.ts';
import { readState, stateBytesMax } from './check.ts';
import { type CheckFacts, emptyFacts, readCheckFacts } from './check-facts.ts';
import { rowHeadBytes, writeRowHead } from './row-head.ts';

const checksMax = 8192;
const headBytes = 16;
const head = { count: 0, pieceBytes: 1 } as const;

/** Of one check: so many words, the last four of which are two doubles. */
const wordsEach = 18;
const word = { id: 0, project: 4, piece: 8, flags: 9, timeoutS: 10, graceS: 11 } as const;
const doublesEach = wordsEach / 2;
const double = { createdAt: 7, snoozedUntil: 8 } as const;
const flag = { simple: 1, plain: 2 } as const;

const statesStart = headBytes + checksMax * wordsEach * 4;
const piecesStart = statesStart + checksMax * stateBytesMax;

/** What a part takes, full or not. */
export const partBytes = piecesStart + arenaBlockBytes;

interface PartViews {
  readonly head: Int32Array;
  readonly words: Int32Array;
  readonly doubles: Float64Array;
  readonly bytes: Buffer;
}

/** By the memory: it is used again and again. */
const views = new WeakMap<SharedArrayBuffer, PartViews>();

function viewsOf(memory: SharedArrayBuffer): PartViews {
  const known = views.get(memory);
  if (known) return known;
  const made = {
    head: new Int32Array(memory, 0, headBytes / 4),
    words: new Int32Array(memory, headBytes, checksMax * wordsEach),
    doubles: new Float64Array(memory, headBytes, checksMax * doublesEach),
    bytes: Buffer.from(memory),
  };
  views.set(memory, made);
  return made;
}

export class CheckPartWriter {
  readonly #facts = emptyFacts();
  readonly #id = new UuidWords();
  readonly #head = Buffer.alloc(rowHeadBytes);
  readonly #views: PartViews;
  readonly #pieces: PieceWriter;
  #count = 0;

  constructor(memory: SharedArrayBuffer) {
    this.#views = viewsOf(memory);
    this.#pieces = new PieceWriter(this.#views.bytes.subarray(piecesStart));
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** False when there is no space for it. `state` as it is stored. Throws a `store-broken` error for what is no check's row. */
  put(id: Uint8Array, state: Uint8Array, row: Buffer): boolean {
    if (this.#count === checksMax || state.length > stateBytesMax) return false;
    const facts = this.#facts;
    readCheckFacts(row, facts);
    writeRowHead(this.#head, 0, facts);
    const piece = this.#pieces.put(this.#head, row);
    if (piece < 0) return false;
    const { words, doubles, bytes } = this.#views;
    const at = this.#count * wordsEach;
    putWords(words, at + word.id, this.#id.read(id));
    putWords(words, at + word.project, facts.projectId);
    words[at + word.piece] = piece;
    words[at + word.flags] = (facts.isSimple ? flag.simple : 0) | (facts.isPlain ? flag.plain : 0);
    words[at + word.timeoutS] = facts.timeoutS;
    words[at + word.graceS] = facts.graceS;
    doubles[this.#count * doublesEach + double.createdAt] = facts.createdAtMs;
    doubles[this.#count * doublesEach + double.snoozedUntil] = facts.snoozedUntilMs;
    bytes.set(state, statesStart + this.#count * stateBytesMax);
    this.#count++;
    return true;
  }

  /** Nothing more is put. */
  close(): void {
    this.#views.head[head.count] = this.#count;
    this.#views.head[head.pieceBytes] = this.#pieces.usedBytes;
  }
}

/** `id`, `piece`, `facts`, `row` and `state` are those of the check that `seek` came to last. */
export class CheckPart {
  readonly #views: PartViews;
  readonly #reader: ByteReader;
  readonly count: number;
  readonly id = new UuidWords();
  /** By how many units its piece lies behind the first one. */
  piece = 0;
  /** Without what the row has to be looked into for: the schedule of a check that is not simple, and where badge and slug are. */
  readonly facts: CheckFacts = emptyFacts();
  #place = 0;

  constructor(memory: SharedArrayBuffer) {
    this.#views = viewsOf(memory);
    this.#reader = new ByteReader(this.#views.bytes);
    this.count = this.#views.head[head.count] ?? 0;
  }

  /** All rows behind their heads, for an arena. */
  get pieces(): Buffer {
    const size = this.#views.head[head.pieceBytes] ?? 0;
    return this.#views.bytes.subarray(piecesStart, piecesStart + size);
  }

  /** `place`: 0..count - 1, in the order of the ids. */
  seek(place: number): void {
    const { words, doubles } = this.#views;
    const { facts } = this;
    const at = place * wordsEach;
    const flags = words[at + word.flags] ?? 0;
    takeWords(words, at + word.id, this.id);
    takeWords(words, at + word.project, facts.projectId);
    this.piece = words[at + word.piece] ?? 0;
    facts.isSimple = (flags & flag.simple) !== 0;
    facts.isPlain = (flags & flag.plain) !== 0;
    facts.timeoutS = words[at + word.timeoutS] ?? 0;
    facts.graceS = words[at + word.graceS] ?? 0;
    facts.createdAtMs = doubles[place * doublesEach + double.createdAt] ?? 0;
    facts.snoozedUntilMs = doubles[place * doublesEach + double.snoozedUntil] ?? 0;
    this.#place = place;
  }

  /** As it is stored: a view. */
  get row(): Buffer {
    return pieceIn(this.pieces, this.piece).subarray(rowHeadBytes);
  }

  get state(): CheckState {
    const start = statesStart + this.#place * stateBytesMax;
    return readState(this.#reader.window(start, start + stateBytesMax));
  }
}
