/**
 * Writes the audit log: an entry for each change, in the batch of the change. Not here: what an entry says of a change
 * (`audit-facts`), how entries are kept (`store/history/rows/audit-rows`).
 * Invariant: an entry is durable with its change, or rolled back with it.
 */
import { type AuditFact, actorOf, type Origin } from '../../domain/accounts/audit.ts';
import { type AuditId, asAuditId, type Ids } from '../../lib/ids.ts';
import type { JournalRecord, Store, Waiter } from '../../store/store.ts';

interface AuditTrailOptions {
  readonly store: Store;
  readonly ids: Ids;
  readonly nowMs: () => number;
}

const system = actorOf('system');

export class AuditTrail {
  readonly #options: AuditTrailOptions;
  #origin: Origin | null = null;
  #isQuiet = false;
  #count = 0;

  constructor(options: AuditTrailOptions) {
    this.#options = options;
  }

  /** What `change` decides before its first await is done for `origin`. */
  acting<T>(origin: Origin | null, change: () => T): T {
    const before = this.#origin;
    this.#origin = origin;
    try {
      return change();
    } finally {
      this.#origin = before;
    }
  }

  /** For a step of a change that has an entry of its own: of an integration for all checks, of a project with all that is in it. */
  quietly<T>(change: () => T): T {
    const before = this.#isQuiet;
    this.#isQuiet = true;
    try {
      return change();
    } finally {
      this.#isQuiet = before;
    }
  }

  /** For whom the change under way is, for what goes on after an await; null: Knell itself. */
  get origin(): Origin | null {
    return this.#origin;
  }

  /** Appends `record` with its entry; without one where nothing that matters has changed. */
  append(record: JournalRecord, waiter: Waiter | null, fact: AuditFact | null): void {
    const { store } = this.#options;
    if (fact === null || this.#isQuiet) {
      store.append(record, waiter);
      return;
    }
    store.beginTogether();
    store.append(record, waiter);
    this.note(fact);
    store.endTogether();
  }

  /** An entry of what no other record shows. */
  note(fact: AuditFact): void {
    if (this.#isQuiet) return;
    const { store, nowMs } = this.#options;
    const { actor, atMs } = this.#origin ?? { actor: system, atMs: nowMs() };
    store.append({ type: 'audit', entry: { id: this.#nextId(), atMs, actor, ...fact } }, null);
  }

  /** A UUID that begins with a counter: entries of the same instant are in their order. */
  #nextId(): AuditId {
    this.#count = (this.#count + 1) >>> 0;
    return asAuditId(this.#count.toString(16).padStart(8, '0') + this.#options.ids.newUuid().slice(8));
  }
}
