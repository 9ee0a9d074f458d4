/**
 * Writes the audit log: an entry for each change, in the batch of the change. `audit-facts` decides what an entry says of a
 * change; `store/history/rows/audit-rows` keeps entries.
 * Invariant: an entry is durable with its change, or rolled back with it.
 */
import { type Actor, type AuditFact, actorOf, type Origin } from '../../domain/accounts/audit.ts';
import { type AuditId, asAuditId, type Ids } from '../../lib/ids.ts';
import type { JournalRecord, Store, Waiter } from '../../store/store.ts';

interface AuditTrailOptions {
  readonly store: Store;
  readonly ids: Ids;
  readonly nowMs: () => number;
}

const system = actorOf('system');

/** Numbers entries, across the trails of all who act. */
interface Numbering {
  count: number;
}

export class AuditTrail {
  readonly #options: AuditTrailOptions;
  readonly #numbering: Numbering;
  /** The actor, and the time of its change; null: Knell itself, at the time of each entry. */
  readonly #origin: Origin | null;
  /** Writes no entries: for a step of a change that has one of its own. */
  readonly #isQuiet: boolean;

  constructor(
    options: AuditTrailOptions,
    origin: Origin | null = null,
    isQuiet = false,
    numbering: Numbering = { count: 0 },
  ) {
    this.#options = options;
    this.#origin = origin;
    this.#isQuiet = isQuiet;
    this.#numbering = numbering;
  }

  /** Who acts. */
  get actor(): Actor {
    return this.#origin?.actor ?? system;
  }

  /** The same log, for what `origin` does. */
  by(origin: Origin): AuditTrail {
    return new AuditTrail(this.#options, origin, this.#isQuiet, this.#numbering);
  }

  /**
   * The trail without entries, for a step of a change that has one: of an integration for all checks, of a project with all that
   * is in it.
   */
  quiet(): AuditTrail {
    return new AuditTrail(this.#options, this.#origin, true, this.#numbering);
  }

  /** Appends `record` with its entry; without one where nothing that matters has changed. */
  append(record: JournalRecord, waiter: Waiter | null, fact: AuditFact | null): void {
    const { store } = this.#options;
    if (fact === null || this.#isQuiet) {
      store.append(record, waiter);
      return;
    }
    store.beginGroup();
    store.append(record, waiter);
    this.note(fact);
    store.endGroup();
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
    this.#numbering.count = (this.#numbering.count + 1) >>> 0;
    return asAuditId(
      this.#numbering.count.toString(16).padStart(8, '0') + this.#options.ids.newUuid().slice(8),
    );
  }
}
