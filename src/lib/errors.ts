/**
 * Every error that the outside world can cause, with a stable code. A bug is no such error: it asserts and crashes.
 * Invariant: the message of each error says in one line what the user can do.
 */
export const errorCodes = {
  usage: 'a flag, a variable or an argument is wrong',
  'data-dir-locked': 'another process owns the data directory',
  'data-dir-unreadable': 'the data directory cannot be read or written',
  'journal-damaged': 'batches that were durable cannot be read',
  'history-damaged': 'the history cannot be read',
  'data-dir-newer': 'the data directory was written by a newer Knell',
  'data-dir-not-empty': 'restore wants an empty data directory',
  'port-in-use': 'a listener cannot be opened',
  'snapshot-unwritable': 'a snapshot cannot be written where it was asked for',
  'snapshot-damaged': 'a snapshot is truncated or its checksum is wrong',
  'snapshot-foreign': 'a file is no Knell snapshot, or one of a newer format',
  'store-full': 'the disk is full; writing resumes by itself once there is space',
  'store-broken': 'a write or sync failed in a way that leaves the store unknown',
  'store-fenced': 'another node owns the journal now',
  'cluster-no-leader': 'no node of the cluster leads',
  'cluster-no-snapshot': 'no node of the cluster sends its data',
  'cluster-access': 'NATS refuses the token, or the user may not do what Knell needs',
  'cluster-unfit': 'the NATS servers or the stream cannot keep what Knell promises',
  'cluster-log-missing': 'there is no stream of this name',
  'cluster-log-foreign': 'the stream is another one than before',
  'cluster-log-short': 'the stream ends before what this node has read',
  'cluster-log-behind': 'the stream has discarded entries that this node needs',
  'cluster-log-damaged': 'an entry of the stream is missing or cannot be read',
  'cluster-log-newer': 'an entry of the stream was written by a newer Knell',
  'not-found': 'what was named does not exist',
  conflict: 'the request contradicts what is there',
  'over-limit': 'the plan of the project allows no more',
  'platform-unsupported': 'a native library has no binary for this platform',
} as const;

export type ErrorCode = keyof typeof errorCodes;

interface KnellErrorOptions extends ErrorOptions {
  readonly field?: string;
}

/** An error of the outside world. `message` is one line, fit for a terminal. */
export class KnellError extends Error {
  override readonly name = 'KnellError';
  readonly code: ErrorCode;
  /** Name of the field of a form that is to blame; empty if none is. */
  readonly field: string;

  constructor(code: ErrorCode, message: string, { field = '', ...options }: KnellErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.field = field;
  }
}

/** Asserts a condition that cannot be false: crashes with `message` rather than going on with a broken invariant. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`);
}

/** The system's code of an error (`ENOSPC`, `EADDRINUSE`, …), or the empty string. */
export function systemCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return '';
}

/** One line that describes any thrown thing. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
