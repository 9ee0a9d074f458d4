import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createRing, RingReader, RingWriter } from '../../src/lib/slot-ring.ts';
import { builtUrl } from '../support/process/built.ts';

const first = (memory: SharedArrayBuffer | null): number => (memory ? new Int32Array(memory)[0] : null) ?? -1;

function fill(writer: RingWriter, value: number): boolean {
  const slot = writer.free();
  if (slot === null) return false;
  new Int32Array(slot)[0] = value;
  writer.pass();
  return true;
}

test('a slot is given to the other side when it is full, and back when the next one is asked for', () => {
  const memory = createRing(2, 8);
  const writer = new RingWriter(memory);
  const reader = new RingReader(memory, 1);
  for (let turn = 0; turn < 5; turn++) {
    expect(fill(writer, turn)).toBe(true);
    expect(first(reader.next())).toBe(turn);
  }
  expect(reader.next()).toBe(null);
  expect(reader.isWhole).toBe(false);
});

test('what was filled before the end is there after it, and whether something is missing', () => {
  for (const isWhole of [true, false]) {
    const memory = createRing(3, 8);
    const writer = new RingWriter(memory);
    fill(writer, 1);
    fill(writer, 2);
    writer.finish(isWhole);
    const reader = new RingReader(memory, 1);
    expect([first(reader.next()), first(reader.next()), reader.next()]).toEqual([1, 2, null]);
    expect(reader.isWhole).toBe(isWhole);
  }
});

test('the side that fills ends when the other one stops, and cannot say that it was whole', () => {
  const memory = createRing(1, 8);
  const writer = new RingWriter(memory);
  const reader = new RingReader(memory, 1);
  fill(writer, 1);
  reader.stop();
  expect(fill(writer, 2)).toBe(false);
  writer.finish(true);
  expect(reader.isWhole).toBe(false);
});

test('two threads pass a hundred thousand slots, each waiting for the other, and lose none', async () => {
  const count = 100_000;
  const memory = createRing(2, 8);
  const code = `
    import { workerData } from 'node:worker_threads';
    import { RingWriter } from ${JSON.stringify(builtUrl('lib/slot-ring.js').href)};
    const writer = new RingWriter(workerData);
    for (let n = 0; n < ${count}; n++) {
      new Int32Array(writer.free())[0] = n;
      writer.pass();
    }
    writer.finish(true);`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const worker = new Worker(url, { workerData: memory });
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  const reader = new RingReader(memory, 60_000);
  let expected = 0;
  for (let slot = reader.next(); slot !== null; slot = reader.next()) {
    if (first(slot) !== expected) break;
    expected++;
  }
  expect(expected).toBe(count);
  expect(reader.isWhole).toBe(true);
  expect(await exited).toBe(0);
});
