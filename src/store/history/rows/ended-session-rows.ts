/**
 * The rows of sessions that were signed out of, in the history's `config`: a user's are together, the first to run out
 * first. A key is the user, the end of the session and its id.
 * Invariant: of one user, no row stays that had run out when the newest was made.
 */
import type { EndedSession } from '../../../domain/accounts/user.ts';
import { bytesOfUuid, uuidBytes } from '../../codec/uuid.ts';
import { configKey, type HistoryTables } from './tables.ts';

export function endedSessionKey({ userId, untilMs, id }: EndedSession): Buffer {
  return configKey('ended-session', Buffer.concat([keyHead(bytesOfUuid(userId), untilMs), Buffer.from(id)]));
}

/** Puts `row`, and removes the same user's that had run out when it was made. */
export function putEndedSession(tables: HistoryTables, session: EndedSession, row: Buffer): void {
  removeUntil(tables, bytesOfUuid(session.userId), session.endedAtMs);
  tables.config.put(endedSessionKey(session), row);
}

export function removeEndedSessions(tables: HistoryTables, userUuid: Buffer): void {
  removeUntil(tables, userUuid, Number.POSITIVE_INFINITY);
}

function removeUntil({ config }: HistoryTables, userUuid: Buffer, untilMs: number): void {
  const keys: Buffer[] = [];
  const start = configKey('ended-session', userUuid);
  const end = configKey('ended-session', keyHead(userUuid, untilMs));
  config.scan({ start, end }, (key) => keys.push(Buffer.from(key)));
  for (const key of keys) config.remove(key);
}

/** Positive doubles sort by their big-endian bytes. */
function keyHead(userUuid: Buffer, untilMs: number): Buffer {
  const head = Buffer.alloc(uuidBytes + 8);
  head.set(userUuid);
  head.writeDoubleBE(Math.max(0, untilMs), uuidBytes);
  return head;
}
