/**
 * The checks of a start, read by threads while the start takes in those that are there already: moving LMDB's cursor over a million
 * rows, and looking into each, is more than half of the work. Measured with a million: ready after 3.1 instead of 4.4 s, on two cores
 * after 3.7; with one thread 3.9.
 * Invariant: it can fail without a word. What it has not brought is read without it.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { createRing, RingReader } from '../../../lib/slot-ring.ts';
import { second } from '../../../lib/units.ts';
import { partBytes } from '../../codec/check-part.ts';
import { highestKey, lowestKey, type ScanRange } from '../../disk/lmdb-env.ts';
import type { ReadAheadData } from '../../threads.ts';

/** What one thread reads. */
export interface AheadRange extends ScanRange {
  /** Parts of checks (`codec/check-part`). */
  readonly parts: RingReader;
}

export interface ReadAhead {
  readonly ranges: readonly AheadRange[];
  /** Resolves when the threads have ended and released what they opened. */
  stop(): Promise<void>;
}

/** Starts reading. Null where it would take longer than without. */
export type StartReadAhead = () => ReadAhead | null;

/** Ids are random: half of them are on each side. */
const middle = Buffer.of(0x80);
const halves: readonly ScanRange[] = [
  { start: lowestKey, end: middle },
  { start: middle, end: highestKey },
];

/** Of each thread: one is filled while another is emptied, and neither side is always equally fast. */
const slots = 3;

/** A disk that gives nothing for so long gives nothing at all: reading without a thread then says so. */
const mostPatientMs = 20 * second;

/** `url`: the thread's entry point. */
export function readAheadInThreads(url: URL, dataDir: string, patienceMs = mostPatientMs): StartReadAhead {
  return () => {
    if (availableParallelism() === 1) return null;
    const threads = halves.map((range) => startThread({ url, dataDir, range, patienceMs }));
    return {
      ranges: threads.map(({ range }) => range),
      async stop() {
        for (const { range } of threads) range.parts.stop();
        await Promise.all(threads.map(({ exited }) => exited));
      },
    };
  };
}

interface ThreadOptions {
  readonly url: URL;
  readonly dataDir: string;
  readonly range: ScanRange;
  readonly patienceMs: number;
}

function startThread({ url, dataDir, range, patienceMs }: ThreadOptions) {
  const memory = createRing(slots, partBytes);
  const workerData: ReadAheadData = { dataDir, memory, start: range.start, end: range.end };
  const worker = new Worker(url, { workerData, name: 'read-ahead' });
  // What failed is read without it.
  worker.on('error', () => {});
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  return { range: { ...range, parts: new RingReader(memory, patienceMs) }, exited };
}
