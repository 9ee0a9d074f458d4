/**
 * The incidents of all projects, in memory: by id, by project, and by the checks that are in them.
 * Invariant: of a check that is in an open incident, `openOf` is that one.
 */
import type { Incident } from '../../domain/alerting/incident.ts';
import type { CheckId, IncidentId, ProjectId } from '../../lib/ids.ts';

const noChecks: ReadonlySet<CheckId> = new Set();

export class Incidents {
  readonly #byId = new Map<IncidentId, Incident>();
  /** In the order in which they opened. */
  readonly #byProject = new Map<ProjectId, Set<IncidentId>>();
  readonly #openOf = new Map<CheckId, IncidentId>();
  readonly #lastOf = new Map<CheckId, IncidentId>();
  /** Of checks that are in an incident whose list has no place for them. */
  readonly #unlisted = new Map<IncidentId, Set<CheckId>>();
  readonly #latest = new Map<ProjectId, IncidentId>();

  /** Puts an incident in place of the one with its id, if there is one. */
  put(incident: Incident): void {
    this.#forgetOpen(incident.id);
    this.#byId.set(incident.id, incident);
    const known = this.#byProject.get(incident.projectId);
    if (known) known.add(incident.id);
    else this.#byProject.set(incident.projectId, new Set([incident.id]));
    const latest = this.latestOf(incident.projectId);
    if (latest === null || latest.openedMs <= incident.openedMs)
      this.#latest.set(incident.projectId, incident.id);
    for (const { id, leftMs } of incident.checks) {
      this.#lastOf.set(id, incident.id);
      if (leftMs === 0) this.#openOf.set(id, incident.id);
    }
  }

  remove(id: IncidentId): void {
    const incident = this.#byId.get(id);
    if (!incident) return;
    this.#forgetOpen(id);
    for (const check of incident.checks) if (this.#lastOf.get(check.id) === id) this.#lastOf.delete(check.id);
    this.#byId.delete(id);
    const others = this.#byProject.get(incident.projectId);
    others?.delete(id);
    if (others?.size === 0) this.#byProject.delete(incident.projectId);
    if (this.#latest.get(incident.projectId) === id) this.#latest.delete(incident.projectId);
  }

  #forgetOpen(id: IncidentId): void {
    for (const check of this.#byId.get(id)?.checks ?? [])
      if (this.#openOf.get(check.id) === id) this.#openOf.delete(check.id);
  }

  get(id: IncidentId): Incident | null {
    return this.#byId.get(id) ?? null;
  }

  /** The open incident that a check is in. */
  openOf(id: CheckId): Incident | null {
    return this.#known(this.#openOf.get(id));
  }

  /** The one that opened last, whether it still is or not. */
  latestOf(projectId: ProjectId): Incident | null {
    return this.#known(this.#latest.get(projectId));
  }

  /** A check is in an incident that does not list it, or no longer. */
  noteUnlisted(id: CheckId, before: IncidentId | undefined, after: IncidentId | undefined): void {
    if (before === after) return;
    if (before !== undefined) {
      const others = this.#unlisted.get(before);
      others?.delete(id);
      if (others?.size === 0) this.#unlisted.delete(before);
      if (this.#openOf.get(id) === before) this.#openOf.delete(id);
    }
    if (after === undefined) return;
    const others = this.#unlisted.get(after);
    if (others) others.add(id);
    else this.#unlisted.set(after, new Set([id]));
    this.#openOf.set(id, after);
    this.#lastOf.set(id, after);
  }

  /** The checks that are in it and not on its list. */
  unlisted(id: IncidentId): ReadonlySet<CheckId> {
    return this.#unlisted.get(id) ?? noChecks;
  }

  /** The open ones that have had checks that are not on their list. */
  *overfull(): Iterable<Incident> {
    for (const incident of this.#byId.values())
      if (incident.more > 0 && incident.stage !== 'resolved') yield incident;
  }

  /** The latest incident of a check, open or not. */
  lastOf(id: CheckId): Incident | null {
    return this.#known(this.#lastOf.get(id));
  }

  #known(id: IncidentId | undefined): Incident | null {
    return id === undefined ? null : this.get(id);
  }

  countOf(projectId: ProjectId): number {
    return this.#byProject.get(projectId)?.size ?? 0;
  }

  /** In the order in which they became known: nearly that in which they opened. */
  *of(projectId: ProjectId): Iterable<Incident> {
    for (const id of this.#byProject.get(projectId) ?? []) {
      const incident = this.#byId.get(id);
      if (incident) yield incident;
    }
  }
}
