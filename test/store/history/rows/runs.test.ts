/** Runs as bytes: what is written of many checks is found again, check by check. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteWriter } from '../../../../src/store/codec/byte-writer.ts';
import { writePing } from '../../../../src/store/codec/ping.ts';
import type { Table } from '../../../../src/store/disk/lmdb-env.ts';
import { partsOfOne, RunReader, readEveryRun } from '../../../../src/store/history/rows/run-reader.ts';
import {
  Block,
  type FoundPart,
  partitionOf,
  type RunPart,
  RunWriter,
  removeRuns,
  runsOf,
} from '../../../../src/store/history/rows/runs.ts';
import { openMemoryEnv } from '../../../support/store/memory-env.ts';
import { SimulatedDisk } from '../../../support/store/simulated-disk.ts';
import { checkOf, pingOf } from '../../../support/store/store-facts.ts';

interface Written {
  readonly n: number;
  readonly bodyBytes: number;
}

/** By the check's uuid in hex. */
type WrittenRun = Readonly<Record<string, Written>>;

const uuid = fc
  .tuple(fc.constantFrom(0, 15, 16, 255), fc.nat(40))
  .map(([first, last]) => Buffer.of(first, ...Buffer.alloc(14), last).toString('hex'));
const run: fc.Arbitrary<WrittenRun> = fc.dictionary(
  uuid,
  fc.record({ n: fc.integer({ min: 1, max: 2 ** 40 }), bodyBytes: fc.oneof(fc.constant(0), fc.nat(3000)) }),
  { maxKeys: 60 },
);

function pingBytes(n: number): Buffer {
  const writer = new ByteWriter(200);
  writePing(writer, pingOf(checkOf(1), n).ping);
  return writer.copy();
}

function partOf({ n, bodyBytes }: Written): RunPart {
  const bodies = bodyBytes > 0 ? [{ n, bytes: Buffer.alloc(bodyBytes, n % 256) }] : [];
  return { pings: pingBytes(n), durations: Buffer.alloc(n % 3, n), isCounted: n % 2 === 0, bodies };
}

/** The same as text: a comparison of buffers goes from byte to byte, which took most of the time. */
const shown = ({ pings, durations, bodies, ...rest }: FoundPart) => ({
  ...rest,
  pings: hex(pings),
  durations: hex(durations),
  bodies: bodies.map(({ n, bytes }) => [n, hex(bytes)]),
});

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function openRuns() {
  const env = openMemoryEnv(new SimulatedDisk(), new Map());
  return { env, table: env.table('runs') };
}

function writeRun(table: Table, seq: number, written: WrittenRun, from = 0): void {
  const writer = new RunWriter(table, seq);
  for (const key of Object.keys(written).sort().slice(from)) {
    const one = written[key];
    if (one) writer.add(Buffer.from(key, 'hex'), partOf(one));
  }
  writer.flush();
}

describe('runs', () => {
  test('hold every part, oldest first, in whatever order one asks', () => {
    const property = fc.property(fc.array(run, { maxLength: 5 }), fc.array(uuid), (runs, asked) => {
      const { env, table } = openRuns();
      env.write(() => {
        for (const [at, one] of runs.entries()) writeRun(table, at + 1, one);
      });
      const sequential = new RunReader(table);
      for (const key of [...new Set(runs.flatMap((one) => Object.keys(one)))].sort().concat(asked)) {
        const expected = runs.flatMap((one, at) => {
          const written = one[key];
          return written ? [shown({ ...partOf(written), seq: at + 1 })] : [];
        });
        const bytes = Buffer.from(key, 'hex');
        expect(sequential.partsOf(bytes).map(shown)).toEqual(expected);
        expect(partsOfOne(table, bytes).map(shown)).toEqual(expected);
      }
    });
    fc.assert(property);
  });

  test('are gone from a partition when they were removed, and stay in the others', () => {
    const { env, table } = openRuns();
    const one = { n: 1, bodyBytes: 0 };
    const [here, there] = [Buffer.alloc(16, 0x10), Buffer.alloc(16, 0x20)];
    const written = { [here.toString('hex')]: one, [there.toString('hex')]: one };
    env.write(() => {
      for (const seq of [1, 2]) writeRun(table, seq, written);
    });
    const before = table.count();
    env.write(() => removeRuns(table, partitionOf(here)));
    expect(runsOf(table, partitionOf(here))).toEqual([]);
    expect(new RunReader(table).partsOf(here)).toEqual([]);
    expect(new RunReader(table).partsOf(there)).toHaveLength(2);
    expect(table.count()).toBe(before / 2);
  });

  test('continue in another transaction where a fold was cut off', () => {
    const { env, table } = openRuns();
    const keys = [0x10, 0x11, 0x12].map((first) => Buffer.alloc(16, first));
    const written = Object.fromEntries(keys.map((key) => [key.toString('hex'), { n: 1, bodyBytes: 0 }]));
    const [first = ''] = Object.keys(written);
    env.write(() => writeRun(table, 7, { [first]: { n: 1, bodyBytes: 0 } }));
    env.write(() => writeRun(table, 7, written, 1));
    expect(runsOf(table, 1)).toEqual([{ partition: 1, seq: 7 }]);
    for (const key of keys) expect(new RunReader(table).partsOf(key)).toHaveLength(1);
  });
});

test('a block that is missing is found by a check of the store', () => {
  const { env, table } = openRuns();
  const key = Buffer.alloc(16, 0x10);
  env.write(() => writeRun(table, 1, { [key.toString('hex')]: { n: 1, bodyBytes: 20 } }));
  expect(() => readEveryRun(table)).not.toThrow();
  env.write(() => table.remove(Buffer.concat([Buffer.of(1, 0, 0, 0, 0, 0, 1), key])));
  expect(() => readEveryRun(table)).toThrow(expect.objectContaining({ code: 'store-broken' }));
});

test('a damaged block is an error, not a wrong ping', () => {
  const { env, table } = openRuns();
  const key = Buffer.alloc(16, 0x10);
  env.write(() => writeRun(table, 1, { [key.toString('hex')]: { n: 1, bodyBytes: 20 } }));
  let block = Buffer.alloc(0);
  table.scan({ start: Buffer.of(0), end: Buffer.alloc(40, 255) }, (_key, value) => {
    if (value.length > block.length) block = Buffer.from(value);
  });
  const damaged = expect.objectContaining({ code: 'store-broken' });
  expect(() => new Block(Buffer.alloc(0), 1)).toThrow(damaged);
  expect(() => new Block(block.subarray(0, 20), 1)).toThrow(damaged);
  const longer = Buffer.from(block);
  longer.writeUInt32LE(block.length, 0);
  expect(() => new Block(longer, 1).find(key)).toThrow(damaged);
  const elsewhere = Buffer.from(block);
  elsewhere.writeUInt32LE(block.length, block.length - 8);
  expect(() => new Block(elsewhere, 1).find(key)).toThrow(damaged);
});
