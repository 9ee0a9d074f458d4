/** The replicated log's contract, held over every stream. */
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { KnellError } from '../../src/lib/errors.ts';
import {
  appendsInFlightMax,
  type FollowSink,
  type LogEntry,
  type ReplicatedLog,
} from '../../src/store/replicated/replicated-log.ts';
import { findNatsServer, noNatsServer } from '../support/cluster/nats-server.ts';
import { type ReplicatedLogPlace, replicatedLogsOfTest } from '../support/cluster/replicated-logs.ts';
import { eventually } from '../support/patience.ts';

class Reader implements FollowSink {
  readonly entries: LogEntry[] = [];
  readonly storedAtMs: number[] = [];
  lostBy: Error | null = null;

  entry(entry: LogEntry, storedAtMs: number): void {
    this.entries.push(entry);
    this.storedAtMs.push(storedAtMs);
  }

  lost(error: Error): void {
    this.lostBy = error;
  }

  get lines(): readonly string[] {
    return this.entries.map(
      ({ seq, kind, epoch, node, bytes }) => `${seq} ${kind} ${epoch} ${node} ${bytes}`,
    );
  }

  get lastSeq(): number {
    return this.entries.at(-1)?.seq ?? 0;
  }

  get lostCode(): string | null {
    return this.lostBy instanceof KnellError ? this.lostBy.code : null;
  }
}

if (findNatsServer() === null) test.skip(`over JetStream: ${noNatsServer}`);

describe.each(replicatedLogsOfTest)('the replicated log over $name', (logs) => {
  const create = (firstSeq: number) => logs.create(firstSeq);
  const open: ReplicatedLog[] = [];

  afterAll(() => logs.stop());

  afterEach(async () => {
    for (const log of open.splice(0)) await log.close();
  });

  async function nodeOf(place: ReplicatedLogPlace, name: string): Promise<ReplicatedLog> {
    const log = await place.node(name);
    open.push(log);
    return log;
  }

  function read(log: ReplicatedLog, fromSeq: number): Reader {
    const reader = new Reader();
    log.follow(fromSeq, reader);
    return reader;
  }

  const append = (log: ReplicatedLog, text: string) =>
    log.append({ seq: log.nextSeq, bytes: Buffer.from(text) });

  async function leader(place: ReplicatedLogPlace, name: string, lastSeq = 0): Promise<ReplicatedLog> {
    const log = await nodeOf(place, name);
    expect(await log.claim(lastSeq)).toBe('leads');
    return log;
  }

  test('a new one is empty, and has its first number to come', async () => {
    const log = await nodeOf(await create(42), 'a');
    expect(await log.bounds()).toEqual({ firstSeq: 42, lastSeq: 41 });
    expect({ epoch: log.epoch, written: log.writtenAtMs }).toEqual({ epoch: null, written: null });
  });

  test('what the leader appends is read by every node in order, from any number on', async () => {
    const place = await create(1);
    const b = await nodeOf(place, 'b');
    const reader = read(b, 1);
    const a = await leader(place, 'a');
    expect(await append(a, 'one')).toBe('written');
    expect(await Promise.all([append(a, 'two'), append(a, 'three'), append(a, 'four')])).toEqual([
      'written',
      'written',
      'written',
    ]);
    await eventually(() => expect(reader.lastSeq).toBe(8));
    const lines = ['5 batch 1 a one', '6 batch 1 a two', '7 batch 1 a three', '8 batch 1 a four'];
    expect(reader.lines).toEqual(['1 claim 1 a ', '2 empty 1 a ', '3 empty 1 a ', '4 empty 1 a ', ...lines]);
    const later = read(a, 7);
    await eventually(() => expect(later.lines).toEqual(lines.slice(2)));
    // As they came, and fetched later.
    expect(later.storedAtMs).toEqual(reader.storedAtMs.slice(6));
    expect(reader.storedAtMs).toEqual(reader.storedAtMs.toSorted((one, other) => one - other));
    expect(reader.storedAtMs.every(Number.isFinite)).toBe(true);
    expect(await b.bounds()).toEqual({ firstSeq: 1, lastSeq: 8 });
    expect(a.incarnation).toBe(b.incarnation);
  });

  test('a claim refuses all appends of the leader before it, however many are in flight', async () => {
    const place = await create(1);
    const a = await leader(place, 'a');
    expect(await append(a, 'kept')).toBe('written');
    const b = await leader(place, 'b', 5);
    const late = Array.from({ length: appendsInFlightMax }, (_, at) => append(a, `late ${at}`));
    expect(new Set(await Promise.all(late))).toEqual(new Set(['fenced']));
    expect(a.epoch).toBeNull();
    expect(await append(a, 'later')).toBe('fenced');
    expect(await append(b, 'mine')).toBe('written');
    const reader = read(a, 1);
    await eventually(() => expect(reader.lastSeq).toBe(10));
    expect(reader.lines.filter((line) => line.includes('batch'))).toEqual([
      '5 batch 1 a kept',
      '10 batch 6 b mine',
    ]);
  });

  test('of nodes that claim at once, one leads', async () => {
    const place = await create(1);
    const nodes = await Promise.all(['a', 'b', 'c'].map((name) => nodeOf(place, name)));
    const outcomes = await Promise.all(nodes.map((node) => node.claim(0)));
    expect(outcomes.filter((outcome) => outcome === 'leads')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(2);
    expect(nodes.map(({ epoch }) => epoch).filter((epoch) => epoch !== null)).toEqual([1]);
  });

  test('who has not read to the end does not lead', async () => {
    const place = await create(1);
    await leader(place, 'a');
    const b = await nodeOf(place, 'b');
    expect(await b.claim(2)).toBe('refused');
    expect(b.epoch).toBeNull();
  });

  test('the leader that goes is seen to go, after what it appended', async () => {
    const place = await create(1);
    const a = await leader(place, 'a');
    const reader = read(await nodeOf(place, 'b'), 1);
    const last = append(a, 'last');
    await a.release();
    expect([await last, a.epoch]).toEqual(['written', null]);
    await eventually(() => expect(reader.lines.slice(4)).toEqual(['5 batch 1 a last', '6 release 1 a ']));
  });

  test('an own write that was written says when it began', async () => {
    const place = await create(1);
    const a = await leader(place, 'a');
    const claimedMs = a.writtenAtMs ?? Number.NaN;
    const beforeMs = performance.now();
    await append(a, 'one');
    expect(claimedMs).toBeLessThanOrEqual(beforeMs);
    expect(a.writtenAtMs).toBeGreaterThanOrEqual(beforeMs);
    expect(a.writtenAtMs).toBeLessThanOrEqual(performance.now());
  });

  test('batches of 256 kB come back byte for byte, the largest too, and none beyond', async () => {
    const place = await create(1);
    const a = await leader(place, 'a');
    const sizes = [256_000, 256_000, 256_000, a.batchBytesMax];
    const batches = sizes.map((size, at) => Buffer.alloc(size, at + 1));
    const outcomes = await Promise.all(batches.map((bytes) => a.append({ seq: a.nextSeq, bytes })));
    expect(outcomes).toEqual(sizes.map(() => 'written'));
    const reader = read(await nodeOf(place, 'b'), 5);
    await eventually(() => expect(reader.lastSeq).toBe(8));
    expect(reader.entries.map(({ bytes }, at) => bytes.equals(batches[at] ?? Buffer.alloc(0)))).toEqual(
      sizes.map(() => true),
    );
    await expect(a.append({ seq: a.nextSeq, bytes: Buffer.alloc(a.batchBytesMax + 1) })).rejects.toThrow(
      'max_payload',
    );
  });

  test('a log that ends before what was read is lost', async () => {
    const place = await create(1);
    await leader(place, 'a');
    const reader = read(await nodeOf(place, 'b'), 50);
    await eventually(() => expect(reader.lostCode).toBe('cluster-log-short'));
  });

  test('a log that begins behind what is needed is lost', async () => {
    const place = await create(100);
    const reader = read(await nodeOf(place, 'b'), 7);
    await eventually(() => expect(reader.lostCode).toBe('cluster-log-behind'));
  });

  test('another log in its place is lost, and takes no append that was meant for the one before', async () => {
    const place = await create(1);
    const a = await leader(place, 'a');
    const reader = read(a, 1);
    await eventually(() => expect(reader.lastSeq).toBe(4));
    await place.replace(5);
    const stray = append(a, 'stray');
    await eventually(() => expect(reader.lostCode).toBe('cluster-log-foreign'));
    await expect(a.bounds()).rejects.toThrow('another one');
    await a.close();
    expect(await stray).toBe('unknown');
    const b = await nodeOf(place, 'b');
    expect(await b.bounds()).toEqual({ firstSeq: 5, lastSeq: 4 });
    expect(b.incarnation).not.toBe(a.incarnation);
  });
});
