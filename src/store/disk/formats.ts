/** The numbers of what this Knell writes. Invariant: a number never changes its meaning. */

/**
 * Of the data directory. 1: journal in LMDB. 2: deliveries. 3: journal in files. 4: users, deleted projects. 5: rows as
 * msgpack, either journal with checksums, the kind of the journal noted in the history. 6: notifications sent. 7: the latest pings
 * in runs. 8: statistics.
 */
export const dataFormat = 8;

/** `snapshots/README.md`. */
export const snapshotFormat = 6;
