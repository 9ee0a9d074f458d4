/**
 * A model of what a store keeps of its checks: every record that was ever applied, and what of them is still listed.
 * Not a store: no journal, no batches, no faults; and no records but those that retention looks at.
 * Invariant: it forgets nothing. What is no longer kept is left out by the answers, not by the records, so that it
 * shares neither the order nor the code of the fold.
 */

import { planLimits } from '../../../src/domain/accounts/plan-limits.ts';
import { type Check, freshState } from '../../../src/domain/check/check.ts';
import type { StatusChange } from '../../../src/domain/check/flip.ts';
import type { Ping } from '../../../src/domain/check/ping.ts';
import type { CheckId } from '../../../src/lib/ids.ts';
import type { JournalRecord } from '../../../src/store/store.ts';
import { words } from '../words.ts';
import { Loaded } from './store-facts.ts';

export type ModelRecord =
  | Extract<JournalRecord, { type: 'check' | 'check-deleted' | 'state' | 'ping' }>
  | Extract<JournalRecord, { type: 'put'; kind: 'project' }>;

/** All that was ever recorded of a check, oldest first. */
interface CheckLog {
  readonly pings: Ping[];
  /** By n. */
  readonly bodies: Map<number, Uint8Array>;
  readonly changes: StatusChange[];
}

export interface ModelRules {
  readonly bodyBudgetBytes: number;
  readonly nowMs: number;
}

export class StoreModel {
  /** What a load reports. */
  readonly facts = new Loaded();
  readonly #rules: ModelRules;
  readonly #logs = new Map<CheckId, CheckLog>();

  constructor(rules: ModelRules) {
    this.#rules = rules;
  }

  apply(record: ModelRecord): void {
    switch (record.type) {
      case 'put':
        this.facts.put(record.kind, record.fact);
        break;
      case 'check-deleted':
        this.facts.checkDeleted(words(record.id));
        this.#logs.delete(record.id);
        break;
      case 'check':
        this.facts.take(withoutDeadlines(record.check));
        this.#logOf(record.check.id).changes.push(...record.changes);
        break;
      default:
        this.#step(record);
    }
  }

  #step(record: Extract<ModelRecord, { type: 'state' | 'ping' }>): void {
    const { id } = record.check;
    this.facts.state(words(id), withoutDeadlines(record.check).state);
    const log = this.#logOf(id);
    log.changes.push(...record.changes);
    if (record.type === 'state') return;
    log.pings.push(record.ping);
    if (record.body.length > 0) log.bodies.set(record.ping.n, record.body);
  }

  #logOf(id: CheckId): CheckLog {
    const log = this.#logs.get(id) ?? { pings: [], bodies: new Map(), changes: [] };
    this.#logs.set(id, log);
    return log;
  }

  /** The newest that the project's plan lists, newest first. A body that is not kept any more counts as none. */
  pings(id: CheckId): readonly Ping[] {
    const check = this.facts.checks.get(id);
    if (!check) return [];
    const plan = this.facts.projects.get(check.projectId)?.plan ?? 'paid';
    const listed = this.#logOf(id).pings.slice(-planLimits[plan].pingsMax).reverse();
    const bodies = this.#keptBodies(id, listed);
    return listed.map((ping) => (bodies.has(ping.n) ? ping : { ...ping, bodyBytes: 0 }));
  }

  body(id: CheckId, n: number): Uint8Array | null {
    return this.#keptBodies(id, this.pings(id)).get(n) ?? null;
  }

  /** Of the listed pings: from the newest on, as many as the budget has space for; the newest in any case. */
  #keptBodies(id: CheckId, listed: readonly Ping[]): ReadonlyMap<number, Uint8Array> {
    const kept = new Map<number, Uint8Array>();
    let bytes = 0;
    for (const { n } of listed) {
      const body = this.#logs.get(id)?.bodies.get(n);
      if (!body) continue;
      bytes += body.length;
      if (bytes > this.#rules.bodyBudgetBytes && kept.size > 0) break;
      kept.set(n, body);
    }
    return kept;
  }

  /** Those of this month (UTC) and the two before it, newest first. */
  changes(id: CheckId): readonly StatusChange[] {
    const now = new Date(this.#rules.nowMs);
    const sinceMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2);
    const kept = (this.#logs.get(id)?.changes ?? []).filter(({ atMs }) => atMs >= sinceMs);
    return kept.sort((a, b) => a.atMs - b.atMs).reverse();
  }
}

/** The deadlines are derived: no store keeps them. */
function withoutDeadlines<Part extends Pick<Check, 'state'>>(check: Part): Part {
  const { expectedAtMs, downAtMs } = freshState;
  return { ...check, state: { ...check.state, expectedAtMs, downAtMs } };
}
