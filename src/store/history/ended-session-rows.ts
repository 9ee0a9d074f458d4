/**
 * The rows of sessions that were signed out of, in the history's `config`: a user's stand together, the first to run out
 * first. Rows and keys are the bytes of `writeEndedSession`, which begin with user and end.
 * Invariant: of one user, no row stays that had run out when the newest was made.
 */

import { ByteReader } from '../codec/byte-reader.ts';
import { readEndedSession } from '../codec/records.ts';
import { configKey, type HistoryTables, uuidBytes } from './tables.ts';

const untilBytes = 8;
/** User, end of the session, when it was signed out of. */
const headBytes = uuidBytes + 2 * untilBytes;

export function endedSessionKey(row: Buffer): Buffer {
  const { untilMs } = readEndedSession(new ByteReader(row));
  return configKey('ended-session', Buffer.concat([keyHead(row, untilMs), row.subarray(headBytes)]));
}

/** Puts `row`, and removes the same user's that had run out when it was made. */
export function putEndedSession(tables: HistoryTables, row: Buffer): void {
  removeUntil(tables, row, readEndedSession(new ByteReader(row)).endedAtMs);
  tables.config.put(endedSessionKey(row), row);
}

/** All of the user whose UUID `bytes` begin with. */
export function removeEndedSessions(tables: HistoryTables, bytes: Buffer): void {
  removeUntil(tables, bytes, Number.POSITIVE_INFINITY);
}

function removeUntil({ config }: HistoryTables, bytes: Buffer, untilMs: number): void {
  const keys: Buffer[] = [];
  const start = configKey('ended-session', bytes.subarray(0, uuidBytes));
  const end = configKey('ended-session', keyHead(bytes, untilMs));
  config.scan({ start, end }, (key) => keys.push(Buffer.from(key)));
  for (const key of keys) config.remove(key);
}

/** Positive doubles sort by their big-endian bytes. */
function keyHead(bytes: Buffer, untilMs: number): Buffer {
  const head = Buffer.alloc(uuidBytes + untilBytes);
  head.set(bytes.subarray(0, uuidBytes));
  head.writeDoubleBE(Math.max(0, untilMs), uuidBytes);
  return head;
}
