/** The kinds of batch log that a data directory can have, by the name that its owner gives. */
export const logKinds = ['lmdb', 'file'] as const;
export type LogKind = (typeof logKinds)[number];
