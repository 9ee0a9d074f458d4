/**
 * Records when and from where sessions were used, so rarely that it costs nothing.
 * Invariant: a request never waits for it, and none fails if it cannot be written.
 */

import { sessionMs } from '../../../commands/secrets/limits.ts';
import { KnellError } from '../../../lib/errors.ts';
import { addressNotedEveryMs, sessionNotedEveryMs } from '../../limits.ts';
import type { HttpRequest } from '../../wire/message.ts';
import type { WebContext } from '../calls/call.ts';
import type { Principal } from '../calls/principal.ts';

export function noteUse(
  { engine }: Pick<WebContext, 'engine'>,
  { user, session }: Pick<Principal, 'user' | 'session'>,
  { clientAddr: address, userAgent, receivedAtMs }: HttpRequest,
): void {
  if (!session) return;
  const { id, untilMs } = session;
  const known = user.sessions?.find((one) => one.id === id);
  const everyMs = known?.address === address ? sessionNotedEveryMs : addressNotedEveryMs;
  if (known && receivedAtMs - known.usedAtMs < everyMs) return;
  const used = { id, startedAtMs: untilMs - sessionMs, usedAtMs: receivedAtMs, untilMs, address, userAgent };
  engine.change.touchSession(user.id, used).catch((error: unknown) => {
    // The next request tries again.
    if (!(error instanceof KnellError) || error.code !== 'store-full') throw error;
  });
}
