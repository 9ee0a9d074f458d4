/**
 * When checks went down, also where that waits for the disk and is in no history yet: a check may go down, be snoozed, and the
 * snooze may end, within one commit. Not the history itself (`store/history`).
 */
import type { Check } from '../../domain/check/check.ts';
import type { StatusChange } from '../../domain/check/flip.ts';
import type { CheckId } from '../../lib/ids.ts';
import { NEVER } from '../../lib/units.ts';
import type { Store } from '../../store/store.ts';

export class PendingDowns {
  readonly #store: Pick<Store, 'barrier' | 'changes'>;
  readonly #pending = new Map<CheckId, StatusChange>();

  constructor(store: Pick<Store, 'barrier' | 'changes'>) {
    this.#store = store;
  }

  /** Remembers a change of the check to down, whose record was appended just now, until that is durable or undone. */
  appended({ id }: Check, changes: readonly StatusChange[]): void {
    if (changes.length === 0) return;
    const change = changes.findLast(({ to }) => to === 'down');
    if (!change) return;
    this.#pending.set(id, change);
    const forget = (): void => {
      if (this.#pending.get(id) === change) this.#pending.delete(id);
    };
    this.#store.barrier({ durable: forget, rolledBack: forget });
  }

  /**
   * When the check went down last, whether history has that yet or not: by date, since a run that is over its time takes a check
   * down as of a deadline that may be long past. Null where the history has forgotten it.
   */
  latest(id: CheckId): StatusChange | null {
    const found = this.#store.changes(id, { fromMs: 0, untilMs: NEVER });
    const [latest = null] = found.filter(({ to }) => to === 'down');
    const pending = this.#pending.get(id);
    return pending && pending.atMs >= (latest?.atMs ?? 0) ? pending : latest;
  }
}
