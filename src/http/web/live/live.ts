/**
 * Live updates of the open pages: notes which checks have changed, and a few times a second publishes the present state of
 * those that a page watches, and the counts of their project.
 * The first check of an incident that has changed counts as changed, so that a page that shows the incident asks for it again.
 * Between its list and its watching a page misses changes, so recent changes are published once more when a page watches more.
 * Invariant: nothing is published before it is durable. While no page is open there is no subscription, so a change costs
 * nothing; while one is, it costs one entry in a map, however often the same check changes, and checks that no page watches are
 * not rendered.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Role, roleInProject } from '../../../domain/accounts/user.ts';
import type { Incident } from '../../../domain/alerting/incident.ts';
import type { Engine, EngineRead } from '../../../engine/contract/engine.ts';
import type { ChangedCheck } from '../../../engine/contract/events.ts';
import { asProjectId, type CheckId, type ProjectId, type UserId } from '../../../lib/ids.ts';
import { second } from '../../../lib/units.ts';
import {
  changesAtOnce,
  dropEveryMs,
  latelyMs,
  passedAtOnce,
  publishEveryMs,
  publishMoreEveryMs,
  rowsPerTurn,
} from '../../limits.ts';
import type { Dismiss, HttpRequest, LiveEndpoint, Publish } from '../../wire/message.ts';
import {
  type AuthContext,
  authHeaders,
  type Principal,
  principalOf,
  singleHeaders,
} from '../calls/principal.ts';
import { isShownTo, mayPing, shownId } from '../calls/shown-id.ts';
import type { ProjectLists } from '../list/project-lists.ts';
import { rowJson } from './rows.ts';

type IsWatched = (projectId: ProjectId, id: CheckId) => boolean;

/** The checks that have changed since they were last published. */
export class ChangedChecks {
  readonly #dirty = new Map<CheckId, ProjectId>();
  /** Recent changes; `#earlier` has those before them. */
  #lately = new Map<CheckId, ProjectId>();
  #earlier: ReadonlyMap<CheckId, ProjectId> = new Map();
  #latelySinceMs = 0;
  #reconsideredAtMs = Number.NEGATIVE_INFINITY;
  #reconsiderTimer: NodeJS.Timeout | null = null;
  readonly #publish: () => void;
  #timer: NodeJS.Timeout | null = null;

  /** `publish` is called soon after a change, and again while more changes are left than it takes. */
  constructor(publish: () => void) {
    this.#publish = publish;
  }

  readonly add = (check: ChangedCheck): void => {
    this.#turnOver();
    this.#lately.set(check.id, check.projectId);
    this.#dirty.set(check.id, check.projectId);
    if (this.#timer === null) this.#wait(publishEveryMs);
  };

  /** Takes those of the oldest changes that are watched, by project; a project with no watched change has no ids. */
  take(max: number, isWatched: IsWatched = () => true): ReadonlyMap<ProjectId, readonly CheckId[]> {
    const taken = new Map<ProjectId, CheckId[]>();
    let left = max;
    let toPass = passedAtOnce;
    for (const [id, projectId] of this.#dirty) {
      if (left === 0 || toPass-- === 0) break;
      this.#dirty.delete(id);
      const ids = taken.get(projectId) ?? [];
      taken.set(projectId, ids);
      if (!isWatched(projectId, id)) continue;
      ids.push(id);
      left--;
    }
    return taken;
  }

  /** Queues the recent changes once more, because somebody watches more: once a second, however many pages open. */
  reconsider(): void {
    if (this.#reconsiderTimer !== null) return;
    const waitMs = this.#reconsideredAtMs + second - performance.now();
    if (waitMs > 0) {
      this.#reconsiderTimer = setTimeout(() => {
        this.#reconsiderTimer = null;
        this.reconsider();
      }, waitMs).unref();
      return;
    }
    this.#reconsideredAtMs = performance.now();
    this.#turnOver();
    for (const changed of [this.#earlier, this.#lately])
      for (const [id, projectId] of changed) if (!this.#dirty.has(id)) this.#dirty.set(id, projectId);
    if (this.#dirty.size > 0 && this.#timer === null) this.#wait(publishEveryMs);
  }

  #turnOver(): void {
    const nowMs = performance.now();
    if (nowMs - this.#latelySinceMs < latelyMs) return;
    // After a long silence there are no recent changes.
    this.#earlier = nowMs - this.#latelySinceMs < 2 * latelyMs ? this.#lately : new Map();
    this.#lately = new Map();
    this.#latelySinceMs = nowMs;
  }

  /** Forgets all changes. */
  clear(): void {
    for (const timer of [this.#timer, this.#reconsiderTimer]) if (timer !== null) clearTimeout(timer);
    this.#timer = null;
    this.#reconsiderTimer = null;
    this.#dirty.clear();
    this.#lately.clear();
    this.#earlier = new Map();
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
  readonly lists: ProjectLists;
  readonly nowMs: () => number;
  readonly publish: Publish;
  readonly dismiss: Dismiss;
  /** Closes connections of this node only. */
  readonly dismissHere: Dismiss;
  /** Topics without a listener are not rendered. */
  readonly isListenedTo: (topic: string) => boolean;
}

export type LiveLimits = Pick<LiveEndpoint, 'connectionsMax' | 'connectionsPerUserMax'>;

export interface LiveChanges {
  /** Called with the number of listeners, whenever that changes. `watchesMore` is true if one of them watches something new. */
  listeners(count: number, watchesMore: boolean): void;
  stop(): void;
}

/**
 * While anybody listens, publishes the checks that a page watches, and the counts of a project when they change. Closes the
 * listeners of a project that is deleted, and of a user who may not read any more.
 */
export function publishChanges(options: LiveOptions): LiveChanges {
  const { events } = options.engine;
  const { lists, dismiss, dismissHere, nowMs } = options;
  const publisher = new LivePublisher(options);
  const changed = new ChangedChecks(() => {
    for (const [projectId, ids] of changed.take(changesAtOnce, publisher.watching()))
      publisher.publish(projectId, ids).catch((error: unknown) => {
        // A publication that is in flight when Knell ends finds the store closed.
        if (!isStopped) throw error;
      });
  });
  let isStopped = false;
  let count = 0;
  /** What changes while nobody listens, who connects later reads: a new connection asks for all that it shows. */
  const note = (check: ChangedCheck): void => {
    lists.noteChanged(check);
    if (count > 0) changed.add(check);
  };
  /** A note, or an incident that opens when a hold is over, changes no check. */
  const noteIncident = ({ checks: [first], projectId }: Incident): void => {
    if (first) note({ id: first.id, projectId });
  };
  // This includes a project that a check has left: its pages come back, and read the list anew.
  const ends = [events.projectDeleted, events.checkLeft].map((gone) =>
    gone.subscribe((projectId) => {
      lists.drop(projectId);
      publisher.forget(projectId);
      for (const [topic] of audiences(projectId)) dismiss(topic);
    }),
  );
  const userEnds = events.userChanged.subscribe((id) => dismiss(userTopic(id)));
  // The owner's own message may be lost, or may arrive before this node would refuse the page that comes back.
  const accessEnds = events.accessReplicated.subscribe(({ userId, sessionId }) =>
    dismissHere(sessionId === null ? userTopic(userId) : sessionTopic(userId, sessionId)),
  );
  let unsubscribes: readonly (() => void)[] = [];
  const follow = (): void => {
    const isWanted = count > 0 || lists.size > 0;
    if (isWanted && unsubscribes.length === 0)
      unsubscribes = [events.checkChanged.subscribe(note), events.incidentChanged.subscribe(noteIncident)];
    if (isWanted) return;
    for (const end of unsubscribes) end();
    unsubscribes = [];
    changed.clear();
  };
  lists.onListed = follow;
  const timer = setInterval(() => {
    lists.dropIdle(nowMs(), (projectId) =>
      audiences(projectId).some(([topic]) => options.isListenedTo(topic)),
    );
    follow();
  }, dropEveryMs).unref();
  return {
    listeners(now, watchesMore) {
      count = now;
      follow();
      if (watchesMore) changed.reconsider();
    },
    stop() {
      isStopped = true;
      publisher.stop();
      clearInterval(timer);
      for (const end of [...ends, userEnds, accessEnds]) end();
      for (const end of unsubscribes) end();
      changed.clear();
    },
  };
}

/** Publishes the present state of checks to pages that watch them, and the counts by status. */
class LivePublisher {
  readonly #options: LiveOptions;
  /** The last published counts of each project. */
  readonly #summaries = new Map<ProjectId, string>();
  #isStopped = false;

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  /** Forgets counts that have changed without being published: pages that come back request them. */
  forget(projectId: ProjectId): void {
    this.#summaries.delete(projectId);
  }

  /** Returns a function for one turn, which looks up the listeners of a project only once. */
  watching(): IsWatched {
    const listened = new Map<ProjectId, readonly Audience[]>();
    return (projectId, id) => {
      const found = listened.get(projectId) ?? this.#listened(projectId);
      listened.set(projectId, found);
      return found.some(([, role]) => this.#options.isListenedTo(checkTopic(projectId, shownId(role, id))));
    };
  }

  #listened(projectId: ProjectId): readonly Audience[] {
    return audiences(projectId).filter(([topic]) => this.#options.isListenedTo(topic));
  }

  /** Stops reading from the next turn on. */
  stop(): void {
    this.#isStopped = true;
  }

  async publish(projectId: ProjectId, ids: readonly CheckId[]): Promise<void> {
    const listened = this.#listened(projectId);
    if (listened.length === 0) {
      this.#summaries.delete(projectId);
      return;
    }
    for (const [, role] of listened) await this.#publishChecks(projectId, ids, role);
    if (this.#isStopped) return;
    await this.#publishSummary(
      projectId,
      listened.map(([topic]) => topic),
    );
  }

  async #publishChecks(projectId: ProjectId, ids: readonly CheckId[], role: Role): Promise<void> {
    const { engine, isListenedTo, publish, nowMs } = this.#options;
    const { read } = engine;
    const watched = ids.filter((id) => isListenedTo(checkTopic(projectId, shownId(role, id))));
    if (watched.length === 0) return;
    for (let from = 0; from < watched.length; from += rowsPerTurn) {
      const part = watched.slice(from, from + rowsPerTurn);
      const updates = await read.durably(() =>
        part.map((id) => updatesOf(read, { projectId, id, role }, nowMs())),
      );
      // This happens before the next turn: newer states must not be published first.
      for (const [at, id] of part.entries())
        publish(checkTopic(projectId, shownId(role, id)), updates[at] ?? '');
      await nextTurn();
      if (this.#isStopped) return;
    }
  }

  async #publishSummary(projectId: ProjectId, topics: readonly string[]): Promise<void> {
    const { lists, nowMs, publish } = this.#options;
    const summary = JSON.stringify(await lists.of(projectId, nowMs()).summary(nowMs()));
    if (this.#summaries.get(projectId) === summary) return;
    this.#summaries.set(projectId, summary);
    for (const topic of topics) publish(topic, `{"summary":${summary},"nowMs":${nowMs()}}`);
  }
}

type Audience = readonly [topic: string, role: Role];

/** Audiences of a project's changes: users who may ping, and users who may only look. */
function audiences(projectId: ProjectId): readonly Audience[] {
  return [
    [projectTopic(projectId, 'editor'), 'editor'],
    [projectTopic(projectId, 'viewer'), 'viewer'],
  ];
}

function projectTopic(projectId: ProjectId, role: Role): string {
  return mayPing(role) ? projectId : `viewers ${projectId}`;
}

/** Topic of a check's changes, for pages that watch it. */
function checkTopic(projectId: ProjectId, shown: string): string {
  return `${projectId} ${shown}`;
}

interface UpdateScope {
  readonly projectId: ProjectId;
  readonly id: CheckId;
  readonly role: Role;
}

/** Returns a `LiveUpdates` as text, for users of that role. A check that has moved to another project is gone. */
function updatesOf(read: EngineRead, { projectId, id, role }: UpdateScope, nowMs: number): string {
  const check = read.check(id, nowMs);
  return check?.projectId === projectId
    ? `{"rows":[${rowJson(read, check, role, nowMs)}],"nowMs":${nowMs}}`
    : `{"gone":${JSON.stringify([shownId(role, id)])},"nowMs":${nowMs}}`;
}

/** Nothing is published under these topics: they serve to dismiss a listener that may not read any more. */
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
 * Browsers send cookies with connections that any page of the same host opens, so the token against forged requests is required
 * here too. It is in the address, since a browser can set no headers here.
 */
export function liveEndpoint(context: AuthContext, changes: LiveChanges, limits: LiveLimits): LiveEndpoint {
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
      const role = project ? roleInProject(principal.user, project.id) : 'none';
      if (!project || role === 'none') return null;
      return {
        topics: [projectTopic(project.id, role), ...topicsOf(principal)],
        owner: userTopic(principal.user.id),
        // The names are those that the role gets: a viewer gets nothing by a UUID.
        watch: (text) =>
          text
            .split(',')
            .filter((shown) => isShownTo(role, shown))
            .map((shown) => checkTopic(project.id, shown)),
      };
    },
    listeners: (count, watchesMore) => changes.listeners(count, watchesMore),
  };
}
