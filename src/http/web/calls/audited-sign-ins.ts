/**
 * Writes sign-ins into the audit log, including failed ones.
 * Invariants: a typed name is written only if a member has it, because people type passwords into the wrong field. Failed
 * sign-ins are written so rarely that a stranger cannot push the owners' entries out of the log; the others are counted.
 */
import { actorOf } from '../../../domain/accounts/audit.ts';
import type { User } from '../../../domain/accounts/user.ts';
import { auditFact } from '../../../engine/context/audit-facts.ts';
import type { Engine } from '../../../engine/contract/engine.ts';
import { createRateLimit, type RateLimitOptions } from '../../../lib/rate-limit.ts';
import type { HttpRequest } from '../../wire/message.ts';
import { originOf } from './principal.ts';

export interface AuditedSignIns {
  succeeded(user: User, request: HttpRequest, detail: string): void;
  /** `user` is the user with the given name; undefined if nobody has it. */
  failed(user: User | undefined, request: HttpRequest, detail: string): void;
}

export function createAuditedSignIns(
  engine: Pick<Engine, 'changeBy'>,
  noted: RateLimitOptions,
): AuditedSignIns {
  const limit = createRateLimit(noted);
  let notNoted = 0;
  return {
    succeeded(user, request, detail) {
      const of = { subjectId: user.id, name: user.name, detail };
      engine.changeBy(originOf(user, request)).noteAudit(auditFact('signed-in', 'session', of));
    },
    failed(user, request, detail) {
      if (limit.take('all', request.receivedAtMs) > 0) {
        notNoted++;
        return;
      }
      const more = notNoted === 0 ? '' : `; ${notNoted} more before it`;
      notNoted = 0;
      const { clientAddr, receivedAtMs: atMs } = request;
      const of = { subjectId: user?.id ?? '', name: user?.name ?? '', detail: detail + more };
      const actor = actorOf('member', user?.name ?? '', user?.id ?? '', clientAddr);
      engine.changeBy({ actor, atMs }).noteAudit(auditFact('sign-in-failed', 'session', of));
    },
  };
}
