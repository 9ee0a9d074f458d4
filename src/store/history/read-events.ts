/**
 * Reads events in the order of the journal: of folded batches from their rows, of the others from the tail.
 * Invariant: what was durable at the call and is kept is returned once, in order; nothing else is. A ping that retention has
 * dropped is left out.
 */
import type { Ping } from '../../domain/check/ping.ts';
import type { CheckId } from '../../lib/ids.ts';
import { auditRow } from '../codec/rows.ts';
import { eventRowsPerRead, rowsPerPing } from '../disk/limits.ts';
import type { Row } from '../disk/lmdb-env.ts';
import { BatchCursor } from '../journal/batch-cursor.ts';
import { eachEvent, endedRunMs, pingEventOf, placeOfRun, readFact } from '../journal/batch-events.ts';
import type { Tail } from '../journal/tail.ts';
import type { EventPage, EventPlace, StoredEvent, WantedEvents } from '../store.ts';
import {
  type DeletedCheck,
  deletedCheckOf,
  eachRef,
  eventKey,
  type PingRef,
  placeOfKey,
  readDeletedCheck,
  seqKey,
} from './rows/event-rows.ts';
import { epochOf } from './rows/log-mark.ts';
import { type HistoryTables, readMeta } from './rows/tables.ts';

export interface EventReads {
  events(after: EventPlace, wanted: WantedEvents): EventPage;
  eventsFrom(wanted: WantedEvents): EventPlace;
  readonly eventsUntil: EventPlace;
  readonly eventsEpoch: string;
  deletedCheck(id: CheckId): DeletedCheck | null;
}

interface ReadOptions {
  readonly tables: HistoryTables;
  readonly tail: Tail;
  /** Null for one that is not kept. */
  ping(id: CheckId, n: number): Ping | null;
}

/** Behind every event of a batch. */
const lastPlace = 2 ** 32 - 1;

export function createEventReads(options: ReadOptions): EventReads {
  const { tables, tail } = options;
  // It is decided before a store is opened, and read with each event.
  let epoch: string | null = null;
  const untilSeq = (): number => tail.batches.at(-1)?.seq ?? readMeta(tables, 'folded') ?? 0;
  return {
    events: (after, wanted) => new EventRead(options, after, wanted).page(untilSeq()),
    eventsFrom({ pings, runs }) {
      const untilNow = untilSeq();
      const fromOf = (name: 'eventsFrom' | 'eventPingsFrom'): number =>
        readMeta(tables, name) ?? (tail.batches[0]?.seq ?? untilNow + 1) - 1;
      const facts = fromOf('eventsFrom');
      return { seq: pings || runs ? Math.max(facts, fromOf('eventPingsFrom')) : facts, place: lastPlace };
    },
    get eventsUntil() {
      return { seq: untilSeq(), place: lastPlace };
    },
    get eventsEpoch() {
      epoch ??= epochOf(tables);
      return epoch;
    },
    deletedCheck(id) {
      const recent = tail
        .audit(readMeta(tables, 'folded') ?? 0)
        .map(({ row }) => deletedCheckOf(auditRow.read(row)));
      return recent.find((one) => one?.id === id) ?? readDeletedCheck(tables, id);
    },
  };
}

class EventRead {
  readonly #options: ReadOptions;
  readonly #wanted: WantedEvents;
  readonly #after: EventPlace;
  readonly #events: StoredEvent[] = [];
  #left = eventRowsPerRead;
  #until: EventPlace;

  constructor(options: ReadOptions, after: EventPlace, wanted: WantedEvents) {
    this.#options = options;
    this.#after = after;
    this.#wanted = wanted;
    this.#until = after;
  }

  page(untilSeq: number): EventPage {
    const { batches } = this.#options.tail;
    const tailFrom = batches[0]?.seq ?? untilSeq + 1;
    if (this.#after.seq < tailFrom) this.#readRows(tailFrom);
    if (this.#left > 0) this.#readTail(Math.max(0, this.#after.seq - tailFrom));
    const isAtEnd = this.#left > 0;
    if (isAtEnd && this.#until.seq <= untilSeq) this.#until = { seq: untilSeq, place: lastPlace };
    return { events: this.#events, until: this.#until, isAtEnd };
  }

  /** Both tables side by side, a batch at a time. */
  #readRows(tailFrom: number): void {
    const { events, eventPings } = this.#options.tables;
    const { seq, place } = this.#after;
    const until = seqKey(tailFrom);
    const facts = events.rows({ start: eventKey(seq, place), end: until });
    const pings = this.#wantsPings ? eventPings.rows({ start: seqKey(seq), end: until }) : null;
    let fact = next(facts);
    let row = pings && next(pings);
    while ((fact || row) && this.#left > 0) {
      const batch = Math.min(
        fact ? placeOfKey(fact.key).seq : Number.POSITIVE_INFINITY,
        row ? seqOf(row) : Number.POSITIVE_INFINITY,
      );
      const ofBatch: StoredEvent[] = [];
      for (; fact && placeOfKey(fact.key).seq === batch; fact = next(facts)) {
        ofBatch.push({ ...placeOfKey(fact.key), ...readFact(fact.value) });
        this.#left--;
      }
      let until = lastPlace;
      if (pings && row && seqOf(row) === batch) {
        until = this.#addRefs(batch, row.value, ofBatch);
        row = next(pings);
      }
      this.#add({ seq: batch, place: until }, ofBatch);
    }
    facts.return?.();
    pings?.return?.();
    if (this.#left > 0) this.#until = later(this.#until, { seq: tailFrom - 1, place: lastPlace });
  }

  get #wantsPings(): boolean {
    return this.#wanted.pings || this.#wanted.runs;
  }

  /** Returns the place up to which it came: a batch may have thousands of pings. */
  #addRefs(seq: number, row: Buffer, events: StoredEvent[]): number {
    let until = lastPlace;
    eachRef(row, (ref) => {
      const isWanted = this.#wanted.pings || ref.durationMs !== null;
      if (!isWanted || !isBehind({ seq, place: placeOfRun(ref.place) }, this.#after)) return true;
      this.#left -= rowsPerPing;
      this.#addRef(seq, ref, events);
      if (this.#left > 0) return true;
      until = placeOfRun(ref.place);
      return false;
    });
    return until;
  }

  #addRef(seq: number, { place, checkId, n, durationMs }: PingRef, events: StoredEvent[]): void {
    const ping = this.#options.ping(checkId, n);
    if (ping === null) return;
    const event = { seq, checkId, ping, durationMs };
    if (this.#wanted.pings) events.push({ ...event, type: 'ping', place });
    if (this.#wanted.runs && durationMs !== null)
      events.push({ ...event, type: 'run', place: placeOfRun(place) });
  }

  /** The events of one batch up to `until`. */
  #add(until: EventPlace, events: StoredEvent[]): void {
    events.sort((a, b) => a.place - b.place);
    for (const event of events)
      if (isBehind(event, this.#after) && !isBehind(event, until)) this.#events.push(event);
    this.#until = later(this.#until, until);
  }

  #readTail(from: number): void {
    const { batches } = this.#options.tail;
    const cursor = new BatchCursor();
    for (let at = from; at < batches.length && this.#left > 0; at++) {
      const batch = batches[at];
      if (!batch || batch.seq < this.#after.seq) continue;
      const { seq, bytes } = batch;
      const events: StoredEvent[] = [];
      eachEvent(cursor.open(bytes), {
        fact: (place, fact) => {
          events.push({ seq, place, ...readFact(fact) });
          this.#left--;
        },
        ping: this.#wantsPings ? (place) => this.#addPing(cursor, { seq, place }, events) : null,
      });
      this.#add({ seq, place: lastPlace }, events);
    }
  }

  #addPing(cursor: BatchCursor, { seq, place }: EventPlace, events: StoredEvent[]): void {
    const endsRun = this.#wanted.runs && endedRunMs(cursor) !== null;
    if (!this.#wanted.pings && !endsRun) return;
    this.#left--;
    const event = { seq, ...pingEventOf(cursor) };
    if (this.#wanted.pings) events.push({ ...event, type: 'ping', place });
    if (endsRun) events.push({ ...event, type: 'run', place: placeOfRun(place) });
  }
}

/** Copies: the next read overwrites what it gives. */
function next(rows: Iterator<Row, undefined>): Row | null {
  const { value } = rows.next();
  return value ? { key: Buffer.from(value.key), value: Buffer.from(value.value) } : null;
}

function seqOf({ key }: Row): number {
  return key.readUIntBE(0, 6);
}

export function isBehind(one: EventPlace, other: EventPlace): boolean {
  return one.seq > other.seq || (one.seq === other.seq && one.place > other.place);
}

function later(one: EventPlace, other: EventPlace): EventPlace {
  return isBehind(one, other) ? one : other;
}
