/**
 * Reports everything durable to the engine at start: the history's rows, then the journal's tail in order.
 * Blocks: nobody is served yet. Invariant: a check of the history is reported once, its state with it.
 */
import { asCheckId, asDeliveryId } from '../../lib/ids.ts';
import { UuidIndex } from '../../lib/uuid-index.ts';
import { UuidWords } from '../../lib/uuid-words.ts';
import { ByteReader, damaged } from '../codec/byte-reader.ts';
import { readState } from '../codec/check.ts';
import { CheckPart } from '../codec/check-part.ts';
import { readDeliveries } from '../codec/delivery.ts';
import { rows } from '../codec/rows.ts';
import { bytesOfUuid, textOfWords, uuidBytes, uuidText } from '../codec/uuid.ts';
import { highestKey, lowestKey, type ScanRange } from '../disk/lmdb-env.ts';
import { BatchCursor } from '../journal/batch-cursor.ts';
import type { NumberedBatch } from '../journal/batch-log.ts';
import { LatestStates } from '../journal/latest-states.ts';
import { recordTypes } from '../journal/records.ts';
import { type ConfigKind, kindOf, kinds, removedKindOf } from '../kinds.ts';
import type { LoadSink } from '../store.ts';
import type { AheadRange } from './read-ahead/read-ahead.ts';
import { counterBytes, type HistoryTables, readMeta } from './rows/tables.ts';

const progressEvery = 10_000;

const words = new UuidWords();

/** `ahead`: what threads bring that read the checks, for a sink that takes parts. */
export function load(
  tables: HistoryTables,
  tail: readonly NumberedBatch[],
  sink: LoadSink,
  ahead: readonly AheadRange[] = [],
): void {
  loadConfig(tables, sink);
  const aliveMs = readMeta(tables, 'alive');
  if (aliveMs !== null) sink.alive(aliveMs);
  loadChecks(tables, sink, ahead);
  loadOutbox(tables, sink);
  loadTail(tail, sink);
}

function loadConfig(tables: HistoryTables, sink: LoadSink): void {
  tables.config.scan({ start: lowestKey, end: highestKey }, (key, value) => {
    const kind = kindOf(key[0] ?? 0);
    if (kind === undefined) throw damaged('a row of an unknown kind');
    putRow(sink, kind, value);
  });
}

function putRow<Kind extends ConfigKind>(sink: LoadSink, kind: Kind, row: Uint8Array): void {
  sink.put(kind, kinds[kind].row.read(row));
}

function loadChecks(tables: HistoryTables, sink: LoadSink, ahead: readonly AheadRange[]): void {
  sink.expect(tables.checks.count());
  const counted = new CountedChecks(sink);
  const left = ahead.length === 0 ? [{ start: lowestKey, end: highestKey }] : takeAhead(ahead, counted);
  for (const range of left) readChecks(tables, range, counted);
  counted.report();
}

/** Takes what the threads bring, from each in turn, so that none has to wait. Returns what they left. */
function takeAhead(ahead: readonly AheadRange[], counted: CountedChecks): readonly ScanRange[] {
  const left: ScanRange[] = [];
  let open = ahead.map(({ start, end, parts }) => ({ start, end, parts }));
  while (open.length > 0) {
    open = open.filter((range) => {
      const memory = range.parts.next();
      if (memory !== null) range.start = takePart(new CheckPart(memory), counted);
      else if (!range.parts.isWhole) left.push(range);
      return memory !== null;
    });
  }
  return left;
}

/** Returns the lowest key behind it. */
function takePart(part: CheckPart, counted: CountedChecks): Buffer {
  counted.part(part);
  part.seek(part.count - 1);
  return Buffer.concat([bytesOfUuid(textOfWords(part.id)), Buffer.of(0)]);
}

/** Both tables are in the order of the checks' ids, and a check is in both or in neither. */
function readChecks(tables: HistoryTables, range: ScanRange, counted: CountedChecks): void {
  const stateReader = new ByteReader();
  const ofRow = new UuidWords();
  const checks = tables.checks.rows(range);
  try {
    tables.states.scan(range, (uuid, stored) => {
      // Both are taken out of the views before the next read overwrites them; the row of the check then need not be copied.
      words.read(uuid);
      stateReader.open(stored).skip(counterBytes);
      const state = readState(stateReader);
      const row = checks.next();
      if (row.done || !ofRow.read(row.value.key).equals(words)) throw damaged('a state without a check');
      counted.check(words, row.value.value, state);
    });
    if (!checks.next().done) throw damaged('a check without a state');
  } finally {
    checks.return?.();
  }
}

class CountedChecks {
  readonly #sink: LoadSink;
  #count = 0;

  constructor(sink: LoadSink) {
    this.#sink = sink;
  }

  check(...[id, row, state]: Parameters<LoadSink['check']>): void {
    this.#sink.check(id, row, state);
    this.#count++;
    if (this.#count % progressEvery === 0) this.report();
  }

  part(part: CheckPart): void {
    this.#sink.part?.(part);
    this.#count += part.count;
    this.report();
  }

  report(): void {
    this.#sink.progress(this.#count);
  }
}

function loadOutbox(tables: HistoryTables, sink: LoadSink): void {
  tables.outbox.scan({ start: lowestKey, end: highestKey }, (_key, row) => {
    sink.delivery(rows.delivery.read(row));
  });
}

function loadTail(tail: readonly NumberedBatch[], sink: LoadSink): void {
  const load: TailLoad = { number: 0, deleted: null, latest: new LatestStates(tail), sink };
  for (const batch of tail) loadBatch(batch, load);
}

const everyState = { has: () => true };

/** Reports what one more batch says, behind everything that was reported before. */
export function loadNext(batch: NumberedBatch, sink: LoadSink): void {
  loadBatch(batch, { number: 0, deleted: null, latest: everyState, sink });
}

const cursor = new BatchCursor();

function loadBatch({ bytes }: NumberedBatch, load: TailLoad): void {
  cursor.open(bytes);
  for (; cursor.next(); load.number++) {
    if (cursor.type <= recordTypes['check-deleted']) loadCheckRecord(cursor, load);
    else loadConfigRecord(cursor, load.sink);
  }
}

interface TailLoad {
  /** Of the record, among all of the batches. */
  number: number;
  /** Null until one is: most batches delete none, and an empty index takes 40 kB. */
  deleted: UuidIndex | null;
  readonly latest: Pick<LatestStates, 'has'>;
  readonly sink: LoadSink;
}

/** The deliveries of its changes count, whether or not a later record replaces its state. */
function loadCheckRecord(cursor: BatchCursor, load: TailLoad): void {
  const { sink } = load;
  const reader = cursor.reader.window(cursor.start, cursor.end);
  const start = reader.skip(uuidBytes);
  words.read(cursor.bytes, start);
  if (load.deleted !== null && load.deleted.get(words) >= 0) return;
  if (cursor.type === recordTypes['check-deleted']) {
    load.deleted ??= new UuidIndex();
    load.deleted.set(words, load.number);
    sink.checkDeleted(words);
    return;
  }
  if (cursor.type === recordTypes.check) {
    // Before the row, for which the reader moves on.
    const state = readState(reader);
    sink.check(words, cursor.row(), state);
  } else if (load.latest.has(load.number, words)) sink.state(words, readState(reader));
  if (!cursor.toDeliveries()) return;
  const id = asCheckId(uuidText(cursor.bytes, start));
  for (const delivery of readDeliveries(cursor.reader, id)) sink.delivery(delivery);
}

function loadConfigRecord(cursor: BatchCursor, sink: LoadSink): void {
  const reader = cursor.reader.window(cursor.start, cursor.end);
  switch (cursor.type) {
    case recordTypes.delivery:
      sink.delivery(rows.delivery.read(cursor.row()));
      break;
    case recordTypes['delivery-ended']:
      sink.deliveryEnded(asDeliveryId(reader.uuid()));
      break;
    case recordTypes.notification:
    case recordTypes.audit:
      break;
    case recordTypes.asked:
      sink.asked(reader.u32(), reader.f64());
      break;
    case recordTypes.alive:
      sink.alive(reader.f64());
      break;
    default:
      loadKind(cursor, sink);
  }
}

function loadKind(cursor: BatchCursor, sink: LoadSink): void {
  const kind = kindOf(cursor.type);
  if (kind !== undefined) {
    putRow(sink, kind, cursor.row());
    return;
  }
  const removed = removedKindOf(cursor.type);
  if (removed === undefined) throw damaged(`a journal record of the unknown type ${cursor.type}`);
  sink.removed(removed, kinds[removed].id.text(cursor.row()));
}
