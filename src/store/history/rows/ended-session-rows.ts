/**
 * The rows of sessions that were signed out of, in the history's `config`: a user's are together, the first to run out
 * first. A key is the user, the end of the session and its id.
 * Invariant: of one user, no row stays that had run out when the newest was made.
 */
import type { EndedSession } from '../../../domain/accounts/user.ts';
import { bytesOfUuid } from '../../codec/uuid.ts';
import { configKey, endedSessionKeyHead } from '../../kinds.ts';
import type { HistoryTables } from './tables.ts';

/** Removes the same user's that had run out when it was made. */
export function forgetRunOut(tables: HistoryTables, { userId, endedAtMs }: EndedSession): void {
  removeUntil(tables, bytesOfUuid(userId), endedAtMs);
}

export function removeEndedSessions(tables: HistoryTables, userUuid: Buffer): void {
  removeUntil(tables, userUuid, Number.POSITIVE_INFINITY);
}

function removeUntil({ config }: HistoryTables, userUuid: Buffer, untilMs: number): void {
  const keys: Buffer[] = [];
  const start = configKey('ended-session', userUuid);
  const end = configKey('ended-session', endedSessionKeyHead(userUuid, untilMs));
  config.scan({ start, end }, (key) => keys.push(Buffer.from(key)));
  for (const key of keys) config.remove(key);
}
