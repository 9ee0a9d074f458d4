/**
 * The incidents of all projects, in memory: by id, by project, and by the checks that are in them.
 * Invariants: of a check that is in an open incident, `openOf` is that one. `openIn` has every incident that is not resolved.
 */
import type { Incident } from '../../domain/alerting/incident.ts';
import { collectSecondsMax } from '../../domain/limits.ts';
import type { CheckId, IncidentId, ProjectId } from '../../lib/ids.ts';
import { NEVER, second } from '../../lib/units.ts';
import type { OpenIncidentCounts } from '../contract/engine.ts';
import { recentIncidentsSearchedMax } from '../contract/limits.ts';

const recentMs = collectSecondsMax * second;

const noChecks: ReadonlySet<CheckId> = new Set();

/** Those of one project that are not resolved, counted as they change. */
class OpenIncidents {
  readonly byId = new Map<IncidentId, Incident>();
  acknowledged = 0;
  /** Checks on their lists that are down. */
  down = 0;

  put(incident: Incident): void {
    this.remove(incident.id);
    this.byId.set(incident.id, incident);
    this.#count(incident, 1);
  }

  remove(id: IncidentId): void {
    const before = this.byId.get(id);
    if (!before) return;
    this.byId.delete(id);
    this.#count(before, -1);
  }

  #count({ stage, checks }: Incident, sign: 1 | -1): void {
    if (stage === 'acknowledged') this.acknowledged += sign;
    for (const { leftMs } of checks) if (leftMs === 0) this.down += sign;
  }
}

interface LastIncident {
  readonly id: IncidentId;
  /** When the check joined it. `NEVER`: it is in it, and not on its list. */
  readonly joinedMs: number;
}

const noneOpen: OpenIncidentCounts = { count: 0, acknowledged: 0, down: 0, only: null };

export class Incidents {
  readonly #byId = new Map<IncidentId, Incident>();
  /** In the order in which they opened. */
  readonly #byProject = new Map<ProjectId, Set<IncidentId>>();
  /** In the order in which they were resolved. A project without any has no entry. */
  readonly #resolvedByProject = new Map<ProjectId, Set<IncidentId>>();
  /** Those that are not resolved, acknowledged or not. A project without any has no entry. */
  readonly #openByProject = new Map<ProjectId, OpenIncidents>();
  readonly #openOf = new Map<CheckId, IncidentId>();
  /** A check may join one that opened before the one that it was in: what counts is when it joined. */
  readonly #lastOf = new Map<CheckId, LastIncident>();
  /** Of checks that are in an incident whose list has no place for them. */
  readonly #unlisted = new Map<IncidentId, Set<CheckId>>();
  /** Those that opened within the longest time to collect, in the order in which they became known. */
  readonly #recent = new Map<ProjectId, IncidentId[]>();
  readonly #moved: (projectId: ProjectId) => void;

  /** `moved` is called with the project of each incident that changes, unless only a check does that it does not list. */
  constructor(moved: (projectId: ProjectId) => void = () => {}) {
    this.#moved = moved;
  }

  /** Puts an incident in place of the one with its id, if there is one. */
  put(incident: Incident): void {
    this.#moved(incident.projectId);
    this.#forgetOpen(incident.id);
    if (!this.#byId.has(incident.id)) this.#noteRecent(incident);
    this.#byId.set(incident.id, incident);
    const known = this.#byProject.get(incident.projectId);
    if (known) known.add(incident.id);
    else this.#byProject.set(incident.projectId, new Set([incident.id]));
    if (incident.stage === 'resolved') this.#closed(incident);
    else {
      this.#forgetResolved(incident);
      this.#opened(incident);
    }
    for (const { id, joinedMs, leftMs } of incident.checks) {
      // At start they come in the order of their ids.
      if ((this.#lastOf.get(id)?.joinedMs ?? 0) <= joinedMs)
        this.#lastOf.set(id, { id: incident.id, joinedMs });
      if (leftMs === 0) this.#openOf.set(id, incident.id);
    }
  }

  remove(id: IncidentId): void {
    const incident = this.#byId.get(id);
    if (!incident) return;
    this.#moved(incident.projectId);
    this.#forgetOpen(id);
    for (const check of incident.checks)
      if (this.#lastOf.get(check.id)?.id === id) this.#lastOf.delete(check.id);
    this.#byId.delete(id);
    this.#closed(incident);
    this.#forgetResolved(incident);
    const others = this.#byProject.get(incident.projectId);
    others?.delete(id);
    if (others?.size !== 0) return;
    this.#byProject.delete(incident.projectId);
    this.#recent.delete(incident.projectId);
  }

  #opened(incident: Incident): void {
    const open = this.#openByProject.get(incident.projectId) ?? new OpenIncidents();
    this.#openByProject.set(incident.projectId, open);
    open.put(incident);
  }

  #closed({ id, projectId }: Incident): void {
    const open = this.#openByProject.get(projectId);
    open?.remove(id);
    if (open?.byId.size === 0) this.#openByProject.delete(projectId);
    const resolved = this.#resolvedByProject.get(projectId);
    if (resolved) resolved.add(id);
    else this.#resolvedByProject.set(projectId, new Set([id]));
  }

  #forgetResolved({ id, projectId }: Incident): void {
    const resolved = this.#resolvedByProject.get(projectId);
    resolved?.delete(id);
    if (resolved?.size === 0) this.#resolvedByProject.delete(projectId);
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

  #noteRecent({ id, projectId, openedMs }: Incident): void {
    const recent = this.#recent.get(projectId);
    if (!recent) {
      this.#recent.set(projectId, [id]);
      return;
    }
    let old = 0;
    while (old < recent.length && (this.#known(recent[old])?.openedMs ?? 0) < openedMs - recentMs) old++;
    recent.splice(0, old);
    recent.push(id);
  }

  /** Once all are there: at start they come in the order of their ids. */
  settle(): void {
    const openedMs = (id: IncidentId): number => this.get(id)?.openedMs ?? 0;
    for (const recent of this.#recent.values()) recent.sort((a, b) => openedMs(a) - openedMs(b));
    const resolvedMs = (id: IncidentId): number => this.get(id)?.resolvedMs ?? 0;
    for (const [projectId, resolved] of this.#resolvedByProject)
      this.#resolvedByProject.set(
        projectId,
        new Set([...resolved].sort((a, b) => resolvedMs(a) - resolvedMs(b))),
      );
  }

  /** Of those the ones that are open, newest first, at most some. */
  *openedRecently(projectId: ProjectId): Iterable<Incident> {
    const recent = this.#recent.get(projectId) ?? [];
    const end = Math.max(0, recent.length - recentIncidentsSearchedMax);
    for (let at = recent.length - 1; at >= end; at--) {
      const id = recent[at];
      const incident = id === undefined ? null : this.get(id);
      if (incident && incident.stage !== 'resolved') yield incident;
    }
  }

  /** A check is in an incident that does not list it, or no longer. */
  noteUnlisted(id: CheckId, before: IncidentId | undefined, after: IncidentId | undefined): void {
    if (before === after) return;
    if (before !== undefined) {
      const others = this.#unlisted.get(before);
      others?.delete(id);
      if (others?.size === 0) this.#unlisted.delete(before);
      if (this.#openOf.get(id) === before) this.#openOf.delete(id);
      // When it joined is nowhere: whatever it joins next is later.
      if (this.#lastOf.get(id)?.id === before) this.#lastOf.set(id, { id: before, joinedMs: 0 });
    }
    if (after === undefined) return;
    const others = this.#unlisted.get(after);
    if (others) others.add(id);
    else this.#unlisted.set(after, new Set([id]));
    this.#openOf.set(id, after);
    this.#lastOf.set(id, { id: after, joinedMs: NEVER });
  }

  /** The checks that are in it and not on its list. */
  unlisted(id: IncidentId): ReadonlySet<CheckId> {
    return this.#unlisted.get(id) ?? noChecks;
  }

  /** The open ones that have had checks that are not on their list. */
  *withUnlisted(): Iterable<Incident> {
    for (const incident of this.#byId.values())
      if (incident.more > 0 && incident.stage !== 'resolved') yield incident;
  }

  /** The latest incident of a check, open or not. */
  lastOf(id: CheckId): Incident | null {
    return this.#known(this.#lastOf.get(id)?.id);
  }

  /** The latest incident of a project that lists the check: goes through all of them. */
  lastIn(projectId: ProjectId, id: CheckId): Incident | null {
    let last: Incident | null = null;
    let lastMs = 0;
    for (const incident of this.of(projectId)) {
      const joinedMs = incident.checks.find((check) => check.id === id)?.joinedMs ?? 0;
      if (joinedMs <= lastMs) continue;
      last = incident;
      lastMs = joinedMs;
    }
    return last;
  }

  #known(id: IncidentId | undefined): Incident | null {
    return id === undefined ? null : this.get(id);
  }

  countOf(projectId: ProjectId): number {
    return this.#byProject.get(projectId)?.size ?? 0;
  }

  /** The one of a project that was resolved first, without going through those that are open; null for none. */
  firstResolved(projectId: ProjectId): Incident | null {
    const [first] = this.#resolvedByProject.get(projectId) ?? [];
    return this.#known(first);
  }

  /** Those of a project that are not resolved, in no particular order. */
  openIn(projectId: ProjectId): readonly Incident[] {
    return [...(this.#openByProject.get(projectId)?.byId.values() ?? [])];
  }

  /** What those come to, without going through them. */
  openCounts(projectId: ProjectId): OpenIncidentCounts {
    const open = this.#openByProject.get(projectId);
    if (!open) return noneOpen;
    let { down } = open;
    for (const [id, checks] of this.#unlisted) if (open.byId.has(id)) down += checks.size;
    const [only = null] = open.byId.size === 1 ? open.byId.keys() : [];
    return { count: open.byId.size, acknowledged: open.acknowledged, down, only };
  }

  /** How many of all projects are not resolved. */
  openCount(): number {
    let count = 0;
    for (const { byId } of this.#openByProject.values()) count += byId.size;
    return count;
  }

  /** In the order in which they became known: nearly that in which they opened. */
  *of(projectId: ProjectId): Iterable<Incident> {
    for (const id of this.#byProject.get(projectId) ?? []) {
      const incident = this.#byId.get(id);
      if (incident) yield incident;
    }
  }
}
