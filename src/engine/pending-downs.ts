/**
 * Changes to down that wait for the disk, and are in no history yet: a check may go down, be snoozed, and the snooze may end,
 * within one commit. Not the history itself (`store/history`).
 */
import type { Check } from '../domain/check.ts';
import type { StatusChange } from '../domain/flip.ts';
import type { CheckId } from '../lib/ids.ts';
import type { Store } from '../store/store.ts';

export class PendingDowns {
  readonly #store: Pick<Store, 'barrier'>;
  readonly #latest = new Map<CheckId, StatusChange>();

  constructor(store: Pick<Store, 'barrier'>) {
    this.#store = store;
  }

  /** Remembers a change of the check to down, whose record was appended just now, until that is durable or undone. */
  appended({ id }: Check, changes: readonly StatusChange[]): void {
    if (changes.length === 0) return;
    const change = changes.findLast(({ to }) => to === 'down');
    if (!change) return;
    this.#latest.set(id, change);
    const forget = (): void => {
      if (this.#latest.get(id) === change) this.#latest.delete(id);
    };
    this.#store.barrier({ durable: forget, rolledBack: forget });
  }

  latest(id: CheckId): StatusChange | null {
    return this.#latest.get(id) ?? null;
  }
}
