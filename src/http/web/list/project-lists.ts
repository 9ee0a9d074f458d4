/**
 * The lists of the projects that somebody looks at. A list that nobody has requested for a minute is dropped, and with it the
 * cost of following its checks. `project-list` has the contents of a list.
 */
import type { EngineRead } from '../../../engine/contract/engine.ts';
import type { ChangedCheck } from '../../../engine/contract/events.ts';
import type { ProjectId } from '../../../lib/ids.ts';
import { listIdleMsMax } from '../../limits.ts';
import { ProjectList } from './project-list.ts';

interface Looked {
  readonly list: ProjectList;
  atMs: number;
}

export class ProjectLists {
  readonly #read: EngineRead;
  readonly #lists = new Map<ProjectId, Looked>();
  /** Called when a list is added: from then on changes have to be noted. */
  onListed: () => void = () => {};

  constructor(read: EngineRead) {
    this.#read = read;
  }

  of(projectId: ProjectId, nowMs: number): ProjectList {
    let looked = this.#lists.get(projectId);
    if (!looked) {
      looked = { list: new ProjectList(this.#read, projectId), atMs: nowMs };
      this.#lists.set(projectId, looked);
      this.onListed();
    }
    looked.atMs = nowMs;
    return looked.list;
  }

  /** Begins to read a list that will be requested soon. An error is reported to who requests it. */
  begin(projectId: ProjectId, nowMs: number): void {
    this.of(projectId, nowMs)
      .refresh(nowMs)
      .catch(() => {});
  }

  /** A check that has moved has changed for the project that it left, too, so both lists note it. */
  noteChanged({ id, projectId }: ChangedCheck): void {
    this.#lists.get(projectId)?.list.noteChanged(id);
  }

  /** Drops lists that nobody has requested for a minute, except those for which `keeps` returns true: they have listeners. */
  dropIdle(nowMs: number, keeps: (projectId: ProjectId) => boolean): void {
    for (const [projectId, { atMs }] of this.#lists) {
      if (nowMs - atMs > listIdleMsMax && !keeps(projectId)) this.#lists.delete(projectId);
    }
  }

  drop(projectId: ProjectId): void {
    this.#lists.delete(projectId);
  }

  get size(): number {
    return this.#lists.size;
  }
}
