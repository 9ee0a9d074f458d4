/**
 * What Knell promises, once more and as small as possible: read it as a second specification. It knows checks, pings,
 * status changes and what integrations are to be sent, by name; it knows nothing of actors, wheels, journals or the
 * machine's clock. Invariant: pure; every step is given its instant.
 */
import {
  accepts,
  kindOf,
  type ModelChange,
  type ModelDelivery,
  type ModelIntegration,
} from './model-alerts.ts';
import type { ModelCheck } from './model-check.ts';
import { dueAfterSnooze, type SnoozeEnd } from './model-snooze.ts';

type Assigned = Pick<ModelCheck, 'project' | 'integrations'>;

/** Everything that there is, by name; names are never used again. */
export class Model {
  projects: ReadonlySet<string> = new Set();
  readonly checks = new Map<string, ModelCheck>();
  readonly integrations = new Map<string, ModelIntegration>();
  deliveries: readonly ModelDelivery[] = [];

  clone(): Model {
    const copy = new Model();
    copy.projects = this.projects;
    for (const [name, check] of this.checks) copy.checks.set(name, check.clone());
    for (const [name, integration] of this.integrations) copy.integrations.set(name, integration);
    copy.deliveries = this.deliveries;
    return copy;
  }

  /** Lets `change` happen to a check, and notes what its integrations are to be sent of it. False: no such check. */
  step(name: string, change: (check: ModelCheck) => void): boolean {
    const check = this.checks.get(name);
    if (!check) return false;
    const known = check.changes.length;
    const ends = check.snoozeEnds.length;
    const before = { project: check.project, integrations: check.integrations };
    change(check);
    const ended = check.snoozeEnds.slice(ends);
    for (let order = known; order <= check.changes.length; order++) {
      for (const end of ended) if (end.order === order) this.#sendAfterSnooze(name, end, before);
      const made = check.changes[order];
      // What an update finds due was due for the integrations that the check had until then.
      const sentTo = ['timeout', 'hung', 'missed'].includes(made?.cause ?? '') ? before : check;
      if (made && !made.isSnoozed) this.#send(name, made, order, sentTo);
    }
    return true;
  }

  #send(check: string, change: ModelChange, order: number, assigned: Assigned): void {
    const kind = kindOf(change);
    if (kind === null) return;
    for (const [integration, to] of this.#recipients(assigned)) {
      if (!accepts(to, kind)) continue;
      const when = { sinceMs: change.atMs, endedMs: null, isOptional: false };
      this.deliveries = [...this.deliveries, { integration, check, kind, change, order, ...when }];
    }
  }

  #sendAfterSnooze(check: string, end: SnoozeEnd, assigned: Assigned): void {
    const changes = this.checks.get(check)?.changes ?? [];
    for (const [integration, to] of this.#recipients(assigned)) {
      const due = dueAfterSnooze(changes, end, to);
      const kind = due && kindOf(due.change);
      if (kind)
        this.deliveries = [...this.deliveries, { integration, check, kind, endedMs: end.atMs, ...due }];
    }
  }

  /** An owner who has not seen yet that the check was moved: an integration of another project is never notified. */
  *#recipients({ project, integrations }: Assigned): Iterable<readonly [string, ModelIntegration]> {
    for (const name of integrations) {
      const to = this.integrations.get(name);
      if (to && to.project === project && !to.disabled) yield [name, to];
    }
  }

  applyDueDeadlines(nowMs: number): void {
    for (const [name, check] of this.checks) {
      if (check.dueMs <= nowMs) this.step(name, () => check.applyDueDeadlines(nowMs));
    }
  }

  deleteProject(name: string): void {
    this.projects = new Set([...this.projects].filter((other) => other !== name));
    for (const [check, { project }] of this.checks) if (project === name) this.checks.delete(check);
    for (const [id, { project }] of this.integrations) if (project === name) this.integrations.delete(id);
  }

  /** Every check that has it loses it. */
  deleteIntegration(name: string, atMs: number): void {
    for (const [check, { config, integrations }] of this.checks) {
      if (!integrations.includes(name)) continue;
      const rest = integrations.filter((other) => other !== name);
      this.step(check, (one) => one.update(config, rest, atMs));
    }
    this.integrations.delete(name);
  }
}
