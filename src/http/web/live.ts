/**
 * Live updates of the open pages: notes which checks have changed, and a few times a second publishes how they are now.
 * Not what changes them.
 * Invariant: nothing is published before it is durable. While no page is open there is no subscription, so that a change
 * costs nothing; while one is, it costs one entry in a map, however often the same check changes.
 */
import type { Role } from '../../domain/user.ts';
import type { Engine, EngineRead } from '../../engine/engine.ts';
import type { ChangedCheck } from '../../engine/events.ts';
import { asProjectId, type CheckId, type ProjectId, type UserId } from '../../lib/ids.ts';
import { second } from '../../lib/units.ts';
import type { Dismiss, HttpRequest, LiveDoor, Publish } from '../message.ts';
import { type AuthContext, authHeaders, type Principal, principalOf, singleHeaders } from './principal.ts';
import { rowJson } from './rows.ts';
import { mayPing, shownId } from './shown-id.ts';

/** Real time, whatever clock the checks go by: pages are for people. */
const publishEveryMs = second / 4;
/** Under 2 ms of rendering; what is left waits for the next turn. */
const rowsPerTurn = 300;
/** While more are left than one turn takes: ten thousand changed at once are published in two seconds, for 4 % of the time. */
const publishMoreEveryMs = second / 20;

/** Which checks have changed since they were last published. */
export class ChangedChecks {
  readonly #dirty = new Map<CheckId, ProjectId>();
  readonly #publish: () => void;
  #timer: NodeJS.Timeout | null = null;

  /** `publish` is called soon after a change, and again while more are left than it takes. */
  constructor(publish: () => void) {
    this.#publish = publish;
  }

  readonly add = (check: ChangedCheck): void => {
    this.#dirty.set(check.id, check.projectId);
    if (this.#timer === null) this.#wait(publishEveryMs);
  };

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

  /** Forgets them all. */
  clear(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#dirty.clear();
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#publish();
      if (this.#dirty.size > 0) this.#wait(publishMoreEveryMs);
    }, ms);
    this.#timer.unref();
  }
}

interface LiveOptions {
  readonly engine: Pick<Engine, 'events' | 'read'>;
  readonly nowMs: () => number;
  readonly publish: Publish;
  readonly dismiss: Dismiss;
  /** What nobody listens to is not rendered. */
  readonly isListenedTo: (topic: string) => boolean;
}

export type LiveLimits = Pick<LiveDoor, 'connectionsMax' | 'connectionsPerUserMax'>;

export interface LiveChanges {
  /** How many listen, whenever that changes. */
  listeners(count: number): void;
  stop(): void;
}

/** While anybody listens, publishes each project's changes under its id; closes its listeners when it is deleted. */
export function publishChanges({ engine, nowMs, publish, dismiss, isListenedTo }: LiveOptions): LiveChanges {
  const { events, read } = engine;
  const changed = new ChangedChecks(() => {
    for (const [projectId, ids] of changed.take(rowsPerTurn)) {
      for (const [topic, role] of audiences(projectId)) {
        if (isListenedTo(topic))
          void read
            .durably(() => newsOf(read, { projectId, ids, role }, nowMs()))
            .then((news) => publish(topic, news));
      }
    }
  });
  // Of a project that a check has left, too: its pages come back, and read the list anew.
  const ends = [events.projectDeleted, events.checkLeft].map((gone) =>
    gone.subscribe((projectId) => {
      for (const [topic] of audiences(projectId)) dismiss(topic);
    }),
  );
  const userEnds = events.userChanged.subscribe((id) => dismiss(userTopic(id)));
  let unsubscribe: (() => void) | null = null;
  const pause = (): void => {
    unsubscribe?.();
    unsubscribe = null;
    changed.clear();
  };
  return {
    listeners(count) {
      if (count === 0) pause();
      else unsubscribe ??= events.checkChanged.subscribe(changed.add);
    },
    stop() {
      for (const end of [...ends, userEnds]) end();
      pause();
    },
  };
}

/** Who gets a project's changes: those who may ping, and those who may only look. */
function audiences(projectId: ProjectId): readonly (readonly [topic: string, role: Role])[] {
  return [
    [projectTopic(projectId, 'editor'), 'editor'],
    [projectTopic(projectId, 'viewer'), 'viewer'],
  ];
}

function projectTopic(projectId: ProjectId, role: Role): string {
  return mayPing(role) ? projectId : `viewers ${projectId}`;
}

interface NewsScope {
  readonly projectId: ProjectId;
  readonly ids: readonly CheckId[];
  readonly role: Role;
}

/** A `LiveNews` as text, for users of that role. A check that has moved to another project is gone. */
function newsOf(read: EngineRead, { projectId, ids, role }: NewsScope, nowMs: number): string {
  const rows: string[] = [];
  const gone: string[] = [];
  for (const id of ids) {
    const check = read.check(id, nowMs);
    if (check?.projectId === projectId) rows.push(rowJson(check, role));
    else gone.push(shownId(role, id));
  }
  return `{"rows":[${rows.join(',')}],"gone":${JSON.stringify(gone)},"nowMs":${nowMs}}`;
}

/** Nothing is published under these: they are what a listener is dismissed by when it may not read any more. */
function topicsOf({ user, session }: Principal): readonly string[] {
  return [userTopic(user.id), ...(session ? [sessionTopic(user.id, session.id)] : [])];
}

function userTopic(id: UserId): string {
  return `user ${id}`;
}

export function sessionTopic(userId: UserId, id: string): string {
  return `session ${userId} ${id}`;
}

/**
 * Cookies go along with what any page of the same host opens: so the token against forged requests is asked for here
 * too, in the address, since a browser sets no headers here.
 */
export function liveDoor(context: AuthContext, changes: LiveChanges, limits: LiveLimits): LiveDoor {
  return {
    ...limits,
    path: '/web/live',
    reads: authHeaders(context),
    single: singleHeaders(context),
    authorize(request: HttpRequest) {
      const principal = principalOf(context, request);
      const query = new URLSearchParams(request.query);
      if (!principal || !context.tokens.isCsrf(principal.csrfBinding, query.get('csrf') ?? '')) return null;
      const project = context.engine.read.project(asProjectId(query.get('project') ?? ''));
      return (
        project && {
          topics: [projectTopic(project.id, principal.user.role), ...topicsOf(principal)],
          owner: userTopic(principal.user.id),
        }
      );
    },
    listeners: (count) => changes.listeners(count),
  };
}
