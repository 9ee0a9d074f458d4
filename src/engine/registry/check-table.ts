/**
 * All checks as rows of typed arrays: what a ping reads and writes lies in one line of the processor's cache, what an owner
 * has set lies as the bytes that the store keeps, decoded when somebody asks. This file, `hot-rows` and `fast-ping` know
 * the layout; everybody else has handles and checks.
 *
 * | where | what | bytes a check |
 * |---|---|---|
 * | `hot-rows` | counters, instants, both deadlines, status, schedule, timeout and grace time | 64 (one line) |
 * | columns here | the UUID, number of the project, place in the arena | 24 |
 * | `byte-arena` | the configuration as the store's row, behind the places of badge and slug | some 200 |
 * | around it | `uuid-index` 42, `badge-index` and `slug-index` 15 each, `creation-order` 12, `wheel/timer-wheel` 27 | 111 |
 *
 * | operation | cost among a million checks (minimum of seven rounds, one core) |
 * |---|---|
 * | `fast-ping` | 0.3 µs: waits for one line of memory |
 * | `check` of one of those decoded lately | 0.02 µs |
 * | `check` of another | 4 µs |
 * | `put` with another configuration | 9 µs |
 *
 * Invariants: a check that was decoded or put is never changed, a later one is another object. As long as nothing changes,
 * `check` gives the same object.
 */
import { type Check, type CheckState, freshState } from '../../domain/check/check.ts';
import { withDeadlines } from '../../domain/check/deadline.ts';
import type { ListedCheck } from '../../domain/check/listed-check.ts';
import { ByteArena } from '../../lib/byte-arena.ts';
import { asCheckId, type CheckId, type ProjectId } from '../../lib/ids.ts';
import { putWords, takeWords, UuidWords } from '../../lib/uuid-words.ts';
import { checkRow } from '../../store/codec/check.ts';
import { type CheckFacts, emptyFacts, readCheckFacts } from '../../store/codec/check-facts.ts';
import { readListing } from '../../store/codec/check-listing.ts';
import { createIntern } from '../../store/codec/intern.ts';
import { rowHead, rowHeadBytes, writeRowHead } from '../../store/codec/row-head.ts';
import { textOfWords } from '../../store/codec/uuid.ts';
import { decodedSlots } from '../contract/limits.ts';
import { noTiming, Timings } from '../contract/timings.ts';
import { derive } from './fast-ping.ts';
import { flag, HotRows, word, wordsAt } from './hot-rows.ts';
import { ProjectNumbers } from './project-numbers.ts';
import { type SlugBytes, slugHashOfBytes } from './slug-index.ts';

const blockBits = 14;
const blockRows = 1 << blockBits;
const idWords = 4;

/** What the row of a check has. The compiler demands every field: one that is forgotten would be lost as soon as nothing else changes. */
const inRow: Readonly<Record<Exclude<keyof Check, 'id' | 'state'>, true>> = {
  ...{ projectId: true, badgeId: true, createdAtMs: true, config: true, formerRetention: true },
  ...{ acknowledgement: true, snooze: true, hold: true, incident: true, alerting: true, runs: true },
};
const rowFields = Object.keys(inRow) as readonly (keyof typeof inRow)[];

/** The columns of one block. */
interface ColdBlock {
  readonly ids: Int32Array;
  /** Numbers of projects. */
  readonly projects: Int32Array;
  readonly pieces: Uint32Array;
}

export class CheckTable implements SlugBytes {
  readonly rows = new HotRows();
  readonly timings = new Timings();
  readonly #blocks: ColdBlock[] = [];
  readonly #arena = new ByteArena();
  readonly #intern = createIntern();
  readonly #projects = new ProjectNumbers();
  readonly #free: number[] = [];
  /**
   * Checks that were decoded lately. A handle's last bits choose its slot, and a check replaces the one that was there. A walk over
   * more checks than there are slots so still finds those whose slot no other one wants; replacing the oldest, it would find none.
   */
  readonly #decoded: (Check | undefined)[] = [];
  readonly #decodedHandles = new Int32Array(decodedSlots).fill(-1);
  readonly #facts = emptyFacts();
  /** Whose they are: the check whose row was put last. */
  #factsOf = -1;
  readonly #rowHead = Buffer.alloc(rowHeadBytes);
  readonly #words = new UuidWords();
  /** Handles below it have been given out at some time. */
  #end = 0;

  /** A new check; without `state` one that nothing has happened to. */
  add(id: UuidWords, row: Uint8Array, state: CheckState = freshState): number {
    const handle = this.#begin(id);
    this.#putRow(handle, row);
    this.rows.setState(handle, state);
    this.moved(handle);
    return handle;
  }

  /**
   * What a list shows of the check has changed: called by whatever changes a row, here or on the fast path. Costs a ping one word of
   * memory that its record reads anyway.
   */
  moved(handle: number): void {
    this.#projects.moved(this.#cold(handle).projects[coldAt(handle)] ?? 0);
  }

  /** The same of something else that lists of the project show. */
  projectMoved(id: ProjectId): void {
    this.#projects.moved(this.#projects.numberOfId(id));
  }

  /** As long as it is the same, so is all that `moved` and `projectMoved` are called for. */
  movesOf(id: ProjectId): number {
    return this.#projects.movesOf(this.#projects.numberOfId(id));
  }

  #begin(id: UuidWords): number {
    const handle = this.#free.pop() ?? this.#end++;
    this.rows.reserve(handle);
    this.#reserve(handle);
    putWords(this.#cold(handle).ids, coldAt(handle) * idWords, id);
    this.rows.block(handle).words[wordsAt(handle) + word.flags] = flag.present;
    this.rows.block(handle).words[wordsAt(handle) + word.timing] = noTiming;
    return handle;
  }

  /** Another configuration, as the store's row; the deadlines are those of before. */
  replaceRow(handle: number, row: Uint8Array): void {
    const cold = this.#cold(handle);
    this.#arena.free(cold.pieces[coldAt(handle)] ?? 0);
    this.timings.release(this.#hotWord(handle, word.timing));
    this.#forget(handle);
    this.moved(handle);
    this.#putRow(handle, row);
    this.moved(handle);
  }

  #putRow(handle: number, row: Uint8Array): void {
    const facts = this.#facts;
    readCheckFacts(asBuffer(row), facts);
    this.#factsOf = handle;
    writeRowHead(this.#rowHead, 0, facts);
    this.#putPiece(handle, this.#arena.put(this.#rowHead, row), facts);
  }

  #putPiece(handle: number, piece: number, facts: CheckFacts): void {
    const cold = this.#cold(handle);
    const at = coldAt(handle);
    cold.pieces[at] = piece;
    cold.projects[at] = this.#projects.numberOf(facts.projectId);
    this.#putFacts(handle, facts);
  }

  #putFacts(handle: number, facts: CheckFacts): void {
    const { words } = this.rows.block(handle);
    const at = wordsAt(handle);
    words[at + word.timeoutS] = facts.timeoutS;
    words[at + word.graceS] = facts.graceS;
    words[at + word.timing] = facts.isSimple ? noTiming : this.timings.acquire(facts.schedule, facts.tz);
    this.rows.setFlag(handle, flag.plain, facts.isPlain);
    this.rows.setFlag(handle, flag.tracked, facts.isTracked);
    this.rows.setFlag(handle, flag.dependent, facts.isDependent);
    this.rows.setSnooze(handle, facts.snoozedUntilMs);
    this.rows.setHeld(handle, facts.heldUntilMs);
  }

  /** Puts another check in the place of the one with this handle: the same UUID. */
  put(handle: number, check: Check): void {
    const before = this.check(handle);
    const isSame = rowFields.every((name) => before[name] === check[name]);
    if (!isSame) this.replaceRow(handle, checkRow.write(check));
    this.rows.setState(handle, check.state);
    this.#remember(handle, check);
    this.moved(handle);
  }

  putState(handle: number, state: CheckState): void {
    this.rows.setState(handle, state);
    this.rows.setFlag(handle, flag.decoded, false);
    this.moved(handle);
  }

  /** Derives both deadlines of the row anew. */
  derive(handle: number): void {
    if (this.rows.flags(handle) & flag.tracked) {
      const { config, state, runs } = this.check(handle);
      this.putState(handle, withDeadlines(config, state, runs));
      return;
    }
    derive(this.rows, this.timings, handle);
    this.rows.setFlag(handle, flag.decoded, false);
    this.moved(handle);
  }

  check(handle: number): Check {
    const known = this.#decodedOf(handle);
    if (known !== undefined && this.rows.flags(handle) & flag.decoded) return known;
    const state = this.rows.state(handle);
    // Uses the configuration that was decoded before: a change of it forgets that.
    const check = known === undefined ? this.#decode(handle, state) : { ...known, state };
    this.#remember(handle, check);
    return check;
  }

  #decode(handle: number, state: CheckState): Check {
    const row = this.#arena.bytes(this.#pieceOf(handle)).subarray(rowHeadBytes);
    return { id: this.id(handle), ...checkRow.read(row, this.#intern), state };
  }

  /** What a list shows of a check, which it does not decode. */
  listed(handle: number): ListedCheck {
    const row = this.#arena.bytes(this.#pieceOf(handle)).subarray(rowHeadBytes);
    return {
      id: this.id(handle),
      ...readListing(asBuffer(row), this.#intern),
      state: this.rows.state(handle),
    };
  }

  #decodedOf(handle: number): Check | undefined {
    const slot = handle & (decodedSlots - 1);
    return this.#decodedHandles[slot] === handle ? this.#decoded[slot] : undefined;
  }

  #remember(handle: number, check: Check): void {
    const slot = handle & (decodedSlots - 1);
    const other = this.#decodedHandles[slot] ?? -1;
    if (other >= 0 && other !== handle) this.rows.setFlag(other, flag.decoded, false);
    this.#decoded[slot] = check;
    this.#decodedHandles[slot] = handle;
    this.rows.setFlag(handle, flag.decoded, true);
  }

  #forget(handle: number): void {
    this.rows.setFlag(handle, flag.decoded, false);
    const slot = handle & (decodedSlots - 1);
    if (this.#decodedHandles[slot] !== handle) return;
    this.#decoded[slot] = undefined;
    this.#decodedHandles[slot] = -1;
  }

  /** Whether the row is a check's: not of one that was taken out and may be put back. */
  isPresent(handle: number): boolean {
    return (this.rows.flags(handle) & flag.present) !== 0;
  }

  setPresent(handle: number, isPresent: boolean): void {
    this.rows.setFlag(handle, flag.present, isPresent);
    this.moved(handle);
  }

  /** The check is gone for good; its handle may be another's from now on. */
  free(handle: number): void {
    if (this.#factsOf === handle) this.#factsOf = -1;
    this.#arena.free(this.#pieceOf(handle));
    this.timings.release(this.#hotWord(handle, word.timing));
    this.#forget(handle);
    this.rows.setState(handle, freshState);
    this.rows.setSnooze(handle, 0);
    this.rows.setHeld(handle, null);
    this.rows.block(handle).words[wordsAt(handle) + word.flags] = 0;
    this.#free.push(handle);
  }

  *handles(): Iterable<number> {
    for (let handle = 0; handle < this.#end; handle++) if (this.isPresent(handle)) yield handle;
  }

  id(handle: number): CheckId {
    return asCheckId(textOfWords(this.idWords(handle)));
  }

  /** One object for all: to be used before the next call. */
  idWords(handle: number): UuidWords {
    return takeWords(this.#cold(handle).ids, coldAt(handle) * idWords, this.#words);
  }

  /** Taken from the facts of the row that was added last; otherwise the row is decoded. */
  createdAtMs(handle: number): number {
    return this.#factsOf === handle ? this.#facts.createdAtMs : this.check(handle).createdAtMs;
  }

  /** Words of the badge's address; one object for all. */
  badgeWords(handle: number): UuidWords {
    const piece = this.#pieceOf(handle);
    const bytes = this.#arena.bufferOf(piece);
    const head = this.#arena.startOf(piece);
    return this.#words.read(bytes, head + rowHeadBytes + bytes.readUInt32LE(head + rowHead.badge));
  }

  projectId(handle: number): ProjectId {
    return this.#projects.idOf(this.#cold(handle).projects[coldAt(handle)] ?? 0);
  }

  slug(handle: number): string {
    const piece = this.#pieceOf(handle);
    const bytes = this.#arena.bufferOf(piece);
    const head = this.#arena.startOf(piece);
    const start = head + rowHeadBytes + bytes.readUInt32LE(head + rowHead.slug);
    return bytes.toString('utf8', start, start + bytes.readUInt16LE(head + rowHead.slugLength));
  }

  /** Hash by which the slug is found; null for an empty one. */
  slugHash(handle: number): number | null {
    const piece = this.#pieceOf(handle);
    const bytes = this.#arena.bufferOf(piece);
    const head = this.#arena.startOf(piece);
    const length = bytes.readUInt16LE(head + rowHead.slugLength);
    const start = head + rowHeadBytes + bytes.readUInt32LE(head + rowHead.slug);
    return length === 0 ? null : slugHashOfBytes(bytes, start, start + length);
  }

  /** The grace time in seconds. */
  graceS(handle: number): number {
    return this.#hotWord(handle, word.graceS);
  }

  /** Whether the configuration contains these bytes somewhere: a text or an id of it does. */
  rowIncludes(handle: number, bytes: Uint8Array): boolean {
    return this.#arena.bytes(this.#pieceOf(handle)).indexOf(bytes, rowHeadBytes) >= 0;
  }

  slugIs(handle: number, slug: string): boolean {
    const piece = this.#pieceOf(handle);
    const bytes = this.#arena.bufferOf(piece);
    const head = this.#arena.startOf(piece);
    // Text beyond ASCII has more bytes than characters. No slug that was given here has any.
    if (bytes.readUInt16LE(head + rowHead.slugLength) !== slug.length) return this.slug(handle) === slug;
    const start = head + rowHeadBytes + bytes.readUInt32LE(head + rowHead.slug);
    for (let at = 0; at < slug.length; at++) if (bytes[start + at] !== slug.charCodeAt(at)) return false;
    return true;
  }

  #pieceOf(handle: number): number {
    return this.#cold(handle).pieces[coldAt(handle)] ?? 0;
  }

  #hotWord(handle: number, place: number): number {
    return this.rows.block(handle).words[wordsAt(handle) + place] ?? 0;
  }

  #cold(handle: number): ColdBlock {
    return this.#blocks[handle >>> blockBits] as ColdBlock;
  }

  #reserve(handle: number): void {
    while (this.#blocks.length <= handle >>> blockBits) {
      this.#blocks.push({
        ids: new Int32Array(blockRows * idWords),
        projects: new Int32Array(blockRows),
        pieces: new Uint32Array(blockRows),
      });
    }
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function coldAt(handle: number): number {
  return handle & (blockRows - 1);
}
