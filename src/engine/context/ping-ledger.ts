/**
 * The pings of the fast path that wait for the journal: of each who is answered, and what the row was before, for when the
 * batch cannot be written. One object is the waiter of all of them: the journal calls waiters in the order of their records,
 * or newest first when it rolls back, so the ledger knows which one is meant.
 *
 * A ring of typed arrays that grows and never shrinks: nothing is allocated for a ping.
 * Invariant: entries are in the order in which their records were appended.
 */

import type { OutageCredit } from '../../domain/check/deadline.ts';
import type { RunId } from '../../lib/ids.ts';
import type { Waiter } from '../../store/store.ts';
import { doublesAt, flag, type HotRows, stateDoubles, word, wordsAt } from '../registry/hot-rows.ts';

/** Who gets the outcome of a ping: the second argument goes back to the function that was given with it. */
export type Answer<Outcome> = (outcome: Outcome, who: never) => void;

export interface LedgerEvents<Outcome> {
  /** Called when the ping is on disk. */
  durable(handle: number, answer: Answer<Outcome>, who: never): void;
  /** The row is what it was. */
  rolledBack(handle: number, answer: Answer<Outcome>, who: never): void;
}

const entriesMin = 1024;

export class PingLedger<Outcome> implements Waiter {
  readonly #rows: HotRows;
  readonly #events: LedgerEvents<Outcome>;
  #mask = entriesMin - 1;
  #doubles = new Float64Array(entriesMin * stateDoubles);
  #flags = new Int32Array(entriesMin);
  #handles = new Int32Array(entriesMin);
  #answers: (Answer<Outcome> | undefined)[] = new Array(entriesMin);
  #whos: unknown[] = new Array(entriesMin);
  /** Run ids and credits of the few rows that have them, by the number of the entry. */
  readonly #rids = new Map<number, RunId>();
  readonly #credits = new Map<number, OutageCredit>();
  /** Numbers of the oldest entry and of the next one. */
  #head = 0;
  #tail = 0;

  constructor(rows: HotRows, events: LedgerEvents<Outcome>) {
    this.#rows = rows;
    this.#events = events;
  }

  /** Pings that wait. */
  get size(): number {
    return this.#tail - this.#head;
  }

  /** Notes the row as it is now, before the ping changes it. */
  note(handle: number, answer: Answer<Outcome>, who: unknown): void {
    if (this.size > this.#mask) this.#grow();
    const entry = this.#tail++;
    const slot = entry & this.#mask;
    const { doubles, words } = this.#rows.block(handle);
    const from = doublesAt(handle);
    const to = slot * stateDoubles;
    for (let at = 0; at < stateDoubles; at++) this.#doubles[to + at] = doubles[from + at] ?? 0;
    const flags = words[wordsAt(handle) + word.flags] ?? 0;
    this.#flags[slot] = flags;
    this.#handles[slot] = handle;
    this.#answers[slot] = answer;
    this.#whos[slot] = who;
    if (flags & (flag.hasRid | flag.hasCredits)) this.#noteRest(entry, handle);
  }

  #noteRest(entry: number, handle: number): void {
    const rid = this.#rows.rids.get(handle);
    const credits = this.#rows.credits.get(handle);
    if (rid !== undefined) this.#rids.set(entry, rid);
    if (credits !== undefined) this.#credits.set(entry, credits);
  }

  /** Forgets the ping that was noted last: it has not changed its row, and takes the other way. */
  cancel(): void {
    const entry = --this.#tail;
    this.#forget(entry);
  }

  /** The record of the oldest ping is on disk: answers it. */
  durable(): void {
    const entry = this.#head++;
    const slot = entry & this.#mask;
    const answer = this.#answers[slot] as Answer<Outcome>;
    const who = this.#whos[slot] as never;
    this.#forget(entry);
    this.#events.durable(this.#handles[slot] ?? 0, answer, who);
  }

  /** The record of the newest ping could not be written: undoes it in its row, and answers it. */
  rolledBack(): void {
    const entry = --this.#tail;
    const slot = entry & this.#mask;
    const handle = this.#handles[slot] ?? 0;
    const answer = this.#answers[slot] as Answer<Outcome>;
    const who = this.#whos[slot] as never;
    this.#restore(entry, handle);
    this.#forget(entry);
    this.#events.rolledBack(handle, answer, who);
  }

  #restore(entry: number, handle: number): void {
    const slot = entry & this.#mask;
    const rows = this.#rows;
    const { doubles, words } = rows.block(handle);
    const to = doublesAt(handle);
    const from = slot * stateDoubles;
    for (let at = 0; at < stateDoubles; at++) doubles[to + at] = this.#doubles[from + at] ?? 0;
    rows.setRid(handle, this.#rids.get(entry) ?? null);
    rows.setCredits(handle, this.#credits.get(entry) ?? { graceNotBeforeMs: 0, downNotBeforeMs: 0 });
    // A row that was decoded since shows the ping.
    words[wordsAt(handle) + word.flags] = (this.#flags[slot] ?? 0) & ~flag.decoded;
  }

  #forget(entry: number): void {
    const slot = entry & this.#mask;
    this.#answers[slot] = undefined;
    this.#whos[slot] = undefined;
    if (((this.#flags[slot] ?? 0) & (flag.hasRid | flag.hasCredits)) === 0) return;
    this.#rids.delete(entry);
    this.#credits.delete(entry);
  }

  #grow(): void {
    const mask = this.#mask;
    const [doubles, flags, handles] = [this.#doubles, this.#flags, this.#handles];
    const [answers, whos] = [this.#answers, this.#whos];
    const size = 2 * (mask + 1);
    this.#mask = size - 1;
    this.#doubles = new Float64Array(size * stateDoubles);
    this.#flags = new Int32Array(size);
    this.#handles = new Int32Array(size);
    this.#answers = new Array(size);
    this.#whos = new Array(size);
    for (let entry = this.#head; entry < this.#tail; entry++) {
      const [from, to] = [entry & mask, entry & this.#mask];
      this.#doubles.set(doubles.subarray(from * stateDoubles, (from + 1) * stateDoubles), to * stateDoubles);
      this.#flags[to] = flags[from] ?? 0;
      this.#handles[to] = handles[from] ?? 0;
      this.#answers[to] = answers[from];
      this.#whos[to] = whos[from];
    }
  }
}
