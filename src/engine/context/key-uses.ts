/**
 * Notes on which day (UTC) a key was used last, so that its owner knows whether it can be revoked. It is not a change that anybody
 * made: no entry of the audit log says so, and no event.
 * Invariant: it is written once a day and key, after the answer. No request waits for it, and none fails if it cannot be written.
 */
import { dayOf } from '../../domain/check/status-time.ts';
import type { KeyId } from '../../lib/ids.ts';
import type { Store } from '../../store/store.ts';
import type { Registry } from '../registry/registry.ts';

interface KeyUsesOptions {
  readonly registry: Registry;
  readonly store: Store;
}

export class KeyUses {
  readonly #options: KeyUsesOptions;
  #isStopped = false;

  constructor(options: KeyUsesOptions) {
    this.#options = options;
  }

  /** The next use tries again where this one cannot be written. */
  note(id: KeyId, atMs: number): void {
    const { registry, store } = this.#options;
    const before = registry.key(id);
    const day = dayOf(atMs);
    if (before === null || isNoted(before.usedDay, day)) return;
    if (this.#isStopped || !store.mayAct || store.full) return;
    const used = { ...before, usedDay: day };
    registry.addKey(used);
    store.append(
      { type: 'put', kind: 'key', fact: used },
      { durable() {}, rolledBack: () => registry.addKey(before) },
    );
  }

  /** Answers may still be on their way when the store is about to be closed. */
  stop(): void {
    this.#isStopped = true;
  }
}

/** Requests of several nodes are dated by their clocks: at midnight they would write one day after the other in turns. */
function isNoted(known: number | null | undefined, day: number): boolean {
  return known === day || known === day + 1;
}
