/**
 * Tells the open pages what has changed: notes which checks were touched, and a few times a second publishes how they
 * are now. Not what changes them.
 * Invariant: nothing is published before it is durable; while nobody listens a touch costs one comparison, and while
 * somebody does, one entry in a map, however often the same check is touched.
 */
import type { Check } from '../../domain/check.ts';
import type { EngineRead } from '../../engine/engine.ts';
import { asProjectId, type CheckId, type ProjectId, type UserId } from '../../lib/ids.ts';
import { second } from '../../lib/units.ts';
import type { Dismiss, HttpRequest, LiveDoor, Publish } from '../message.ts';
import { rowJson } from './rows.ts';
import { knownVisitor, type Reception, readsOf, type Visitor } from './visitor.ts';

/** Real time, whatever clock the checks go by: pages are for people. */
const publishEveryMs = second / 4;
/** Under 2 ms of rendering; what is left waits for the next turn. */
const rowsPerTurn = 300;
/** While there is more than one turn takes: ten thousand touched at once are told in two seconds, for 4 % of the time. */
const publishMoreEveryMs = second / 20;

/** Which checks were touched since they were last told of. */
export class Touches {
  readonly #dirty = new Map<CheckId, ProjectId>();
  #listening = false;
  #timer: NodeJS.Timeout | null = null;
  #tell: () => void = () => {};
  #dismiss: (projectId: ProjectId) => void = () => {};

  readonly touched = (check: Check): void => {
    if (!this.#listening) return;
    this.#dirty.set(check.id, check.projectId);
    if (this.#timer === null) this.#wait(publishEveryMs);
  };

  /** `tell` is called soon after a touch, and again while there are more than it takes. */
  tellBy(tell: () => void): void {
    this.#tell = tell;
  }

  /** `dismiss` is called when there will be no more news of a project. */
  dismissBy(dismiss: (projectId: ProjectId) => void): void {
    this.#dismiss = dismiss;
  }

  readonly projectGone = (id: ProjectId): void => this.#dismiss(id);

  listen(listening: boolean): void {
    this.#listening = listening;
    if (!listening) this.#dirty.clear();
  }

  /** The longest waiting, by project. */
  take(max: number): ReadonlyMap<ProjectId, readonly CheckId[]> {
    const taken = new Map<ProjectId, CheckId[]>();
    let left = max;
    for (const [id, projectId] of this.#dirty) {
      if (left-- === 0) break;
      this.#dirty.delete(id);
      const ids = taken.get(projectId);
      if (ids) ids.push(id);
      else taken.set(projectId, [id]);
    }
    return taken;
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#listening = false;
    this.#dirty.clear();
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#tell();
      if (this.#dirty.size > 0) this.#wait(publishMoreEveryMs);
    }, ms);
    this.#timer.unref();
  }
}

export interface LiveOptions {
  readonly read: EngineRead;
  readonly touches: Touches;
  readonly nowMs: () => number;
  readonly publish: Publish;
  readonly dismiss: Dismiss;
}

/** Publishes each project's news under its id, and lets its listeners go when it is gone. */
export function publishTouches({ read, touches, nowMs, publish, dismiss }: LiveOptions): void {
  touches.dismissBy(dismiss);
  touches.tellBy(() => {
    for (const [projectId, ids] of touches.take(rowsPerTurn)) {
      void read.durably(() => newsOf(read, ids, nowMs())).then((news) => publish(projectId, news));
    }
  });
}

/** A `LiveNews` as text. */
function newsOf(read: EngineRead, ids: readonly CheckId[], nowMs: number): string {
  const rows: string[] = [];
  const gone: CheckId[] = [];
  for (const id of ids) {
    const check = read.check(id, nowMs);
    if (check) rows.push(rowJson(check));
    else gone.push(id);
  }
  return `{"rows":[${rows.join(',')}],"gone":${JSON.stringify(gone)},"nowMs":${nowMs}}`;
}

/** Nothing is published under these: they are what a listener is dismissed by when it may hear no more. */
function topicsOf({ user, opened }: Visitor): readonly string[] {
  return [userTopic(user.id), ...(opened ? [sessionTopic(user.id, opened.id)] : [])];
}

export function userTopic(id: UserId): string {
  return `user ${id}`;
}

export function sessionTopic(userId: UserId, id: string): string {
  return `session ${userId} ${id}`;
}

/**
 * Cookies go along with what any page of the same host opens: so the token against forged requests is asked for here
 * too, in the address, since a browser sets no headers here.
 */
export function liveDoor(reception: Reception, touches: Touches): LiveDoor {
  return {
    path: '/web/live',
    reads: readsOf(reception),
    admit(request: HttpRequest) {
      const visitor = knownVisitor(reception, request);
      const query = new URLSearchParams(request.query);
      if (!visitor || !reception.tokens.isCsrf(visitor.session, query.get('csrf') ?? '')) return null;
      const project = reception.engine.read.project(asProjectId(query.get('project') ?? ''));
      return project ? [project.id, ...topicsOf(visitor)] : null;
    },
    listeners: (count) => touches.listen(count > 0),
  };
}
