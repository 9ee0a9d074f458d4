/** Every limit of `lib` that is not handed to it, with its reason. */
import { day, kB, MB, second } from './units.ts';

/** Bytes of a file with a secret. A key or a URL has some hundred bytes: a larger file is another one. */
export const secretBytesMax = 64 * 1024;

/** Bytes that are kept of the beginning of a text whose middle is left out: what ran, with which versions. Keywords are searched in as many. */
export const firstBytesKept = 10 * kB;
/** Bytes of a limit below which only the end is kept: a beginning and a line about the middle would take too much of it. */
export const endsBytesMin = 1 * kB;

/** Characters of a badge's label: badges are as wide as their label. */
export const labelCharsMax = 50;
/** Milliseconds between two heartbeats: shorter is no use to anybody, and a burden to the receiver. */
export const heartbeatMsMin = 10 * second;
/** Milliseconds between two snapshots: rarer than once a year is a mistake. */
export const snapshotEveryMsMax = 366 * day;
/** Snapshots that are kept, one file each, listed at every look: half a day of one a minute, or three years of one a day. */
export const snapshotsKeptMax = 1000;

/** How far a small heap may grow until it is marked anew. */
export const heapGrowthLimits = {
  /** Bytes that are left to fill between two markings. */
  headroomBytes: 64 * MB,
  /** Live bytes from which on V8's own share leaves as much. */
  largeHeapBytes: 128 * MB,
  /** Below these live bytes the share would only grow for heaps that hold next to nothing. */
  smallHeapBytes: 8 * MB,
} as const;

/** Bytes of bytecode that V8 inlines into one function, all together: a fifth of its own bound. Pings a second are the same with both. */
export const inlinedBytesMax = 200;
