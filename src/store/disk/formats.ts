/** The numbers of what this Knell writes. Invariant: a number never changes its meaning, from the first release on. */

/** Format of the data directory: journal, history and their marks. */
export const dataFormat = 1;

/** `snapshots/README.md`. */
export const snapshotFormat = 1;
