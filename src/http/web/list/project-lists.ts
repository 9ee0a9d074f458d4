/**
 * The lists of the projects that somebody looks at. One that nobody has asked for in a minute is dropped, and with it the cost
 * of following its checks. Not what is in a list (`project-list`).
 */
import type { EngineRead } from '../../../engine/contract/engine.ts';
import type { ChangedCheck } from '../../../engine/contract/events.ts';
import type { ProjectId } from '../../../lib/ids.ts';
import { minute } from '../../../lib/units.ts';
import { ProjectList } from './project-list.ts';

const idleMsMax = minute;

interface Looked {
  readonly list: ProjectList;
  atMs: number;
}

export class ProjectLists {
  readonly #read: EngineRead;
  readonly #lists = new Map<ProjectId, Looked>();
  /** Called when a list comes: from then on changes have to be noted. */
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

  /** A check that has moved is another one for the project that it has left, too: its change is noted by both. */
  noteChanged({ id, projectId }: ChangedCheck): void {
    this.#lists.get(projectId)?.list.noteChanged(id);
  }

  /** Forgets lists of which nobody has asked for a minute; `keeps` says which ones somebody listens to. */
  dropIdle(nowMs: number, keeps: (projectId: ProjectId) => boolean): void {
    for (const [projectId, { atMs }] of this.#lists) {
      if (nowMs - atMs > idleMsMax && !keeps(projectId)) this.#lists.delete(projectId);
    }
  }

  drop(projectId: ProjectId): void {
    this.#lists.delete(projectId);
  }

  get size(): number {
    return this.#lists.size;
  }
}
