/** One record of a change, with the entry of the audit log about it. */
import type { AuditFact } from '../../domain/accounts/audit.ts';
import type { JournalRecord } from '../../store/store.ts';
import type { EngineContext } from '../context/context.ts';
import { notWritten } from '../contract/not-written.ts';

/**
 * Resolves when `record` is durable; when it is rolled back, undoes its effect in memory and rejects. `fact`: what the audit log
 * says of it.
 */
export function appended(
  context: EngineContext,
  record: JournalRecord,
  undo: () => void,
  fact: AuditFact | null,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const waiter = {
      durable: resolve,
      rolledBack() {
        undo();
        reject(notWritten(context.store));
      },
    };
    context.audit.append(record, waiter, fact);
  });
}
