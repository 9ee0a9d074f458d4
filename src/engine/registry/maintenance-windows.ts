/**
 * The maintenance windows of all projects, in memory. Invariant: those of a project are one list, oldest first, which stays the same
 * until one of them is another: every status change asks for it.
 */
import type { MaintenanceWindow } from '../../domain/alerting/maintenance.ts';
import type { MaintenanceId, ProjectId } from '../../lib/ids.ts';

const none: readonly MaintenanceWindow[] = [];

export class MaintenanceWindows {
  readonly #byId = new Map<MaintenanceId, MaintenanceWindow>();
  readonly #byProject = new Map<ProjectId, readonly MaintenanceWindow[]>();
  readonly #moved: (projectId: ProjectId) => void;

  /** `moved` is called with the project of each window that changes. */
  constructor(moved: (projectId: ProjectId) => void = () => {}) {
    this.#moved = moved;
  }

  /** Puts a window in place of the one with its id, if there is one. */
  put(window: MaintenanceWindow): void {
    this.remove(window.id);
    this.#moved(window.projectId);
    this.#byId.set(window.id, window);
    this.#byProject.set(window.projectId, [...this.of(window.projectId), window].sort(byAge));
  }

  remove(id: MaintenanceId): void {
    const window = this.#byId.get(id);
    if (!window) return;
    this.#moved(window.projectId);
    this.#byId.delete(id);
    const left = this.of(window.projectId).filter((one) => one.id !== id);
    if (left.length > 0) this.#byProject.set(window.projectId, left);
    else this.#byProject.delete(window.projectId);
  }

  get(id: MaintenanceId): MaintenanceWindow | null {
    return this.#byId.get(id) ?? null;
  }

  of(projectId: ProjectId): readonly MaintenanceWindow[] {
    return this.#byProject.get(projectId) ?? none;
  }
}

/** The history gives them in the order of their ids; of the same instant they stay in it. */
function byAge(a: MaintenanceWindow, b: MaintenanceWindow): number {
  return a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1);
}
