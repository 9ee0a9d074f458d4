/**
 * An engine of one thread and no disk for tests of the API's routes: checks in a map, every change at once durable.
 * Not a model of the real one: statuses change only as pause and resume say.
 */

import { planLimits } from '../../../src/domain/accounts/plan-limits.ts';
import type { Channel, KeyScope, Plan, Project } from '../../../src/domain/accounts/project.ts';
import {
  type Check,
  type CheckConfig,
  type CheckState,
  defaultConfig,
  freshState,
} from '../../../src/domain/check/check.ts';
import type { StatusChange } from '../../../src/domain/check/flip.ts';
import { listedOf } from '../../../src/domain/check/listed-check.ts';
import type { Ping } from '../../../src/domain/check/ping.ts';
import { snoozeOf } from '../../../src/domain/deliveries/after-snooze.ts';
import type { SentNotification } from '../../../src/domain/deliveries/sent-notification.ts';
import type { RunEnding } from '../../../src/domain/runs/run-ending.ts';
import { emptyStatistics, uptimeOf } from '../../../src/domain/runs/run-statistics.ts';
import type { EngineChange, EngineRead, KeyHolder } from '../../../src/engine/contract/engine.ts';
import { notWritten } from '../../../src/engine/contract/not-written.ts';
import { type ErrorCode, KnellError } from '../../../src/lib/errors.ts';
import {
  asBadgeId,
  asChannelId,
  asCheckId,
  asKeyId,
  asProjectId,
  type CheckId,
  type ProjectId,
  systemIds,
  uniqueKeyOf,
} from '../../../src/lib/ids.ts';

/** `00000007-0000-4000-8000-000000000000` for 7. */
export function uuid(number: number): string {
  return `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
}

export function makeCheck(
  number: number,
  config: Partial<CheckConfig> = {},
  state: Partial<CheckState> = {},
): Check {
  return {
    id: asCheckId(uuid(number)),
    projectId: asProjectId('p1'),
    badgeId: asBadgeId(uuid(number + 0xb000)),
    createdAtMs: number,
    config: { ...defaultConfig, ...config },
    state: { ...freshState, ...state },
  };
}

export function makeChannel(number: number, name: string): Channel {
  const id = asChannelId(uuid(number + 0xc000));
  return {
    id,
    projectId: asProjectId('p1'),
    kind: 'email',
    name,
    value: 'secret@example.org',
    createdAtMs: number,
  };
}

export function makeProject(id: string, plan: Plan): Project {
  return { id: asProjectId(id), name: id, plan, badgeKey: `badge-${id}`, createdAtMs: 0 };
}

export class ApiEngine {
  /** The SECRET_KEY of the Healthchecks that its data came from. */
  importedSecret: string | undefined;
  readonly checks = new Map<string, Check>();
  readonly projects = [makeProject('p1', 'paid'), makeProject('p2', 'free')];
  readonly keys = new Map<string, KeyHolder>();
  channels: Channel[] = [];
  pings: Ping[] = [];
  bodies = new Map<number, Uint8Array>();
  changes: StatusChange[] = [];
  runEndings: RunEnding[] = [];
  notifications: SentNotification[] = [];
  writable = true;
  /** How many of the next reads are rolled back once, and what happens in between. */
  onRolledBack: (() => void) | null = null;
  /** What becomes readable with the next read, once that is durable. */
  onDurable: (() => void) | null = null;
  /** Of all projects. It is not moved by changes: a test that asks for tags moves it. */
  listVersion = 0;
  private lastNumber = 1000;

  add(...checks: readonly Check[]): void {
    for (const check of checks) this.checks.set(check.id, check);
  }

  key(projectIndex: number, scope: KeyScope): string {
    const project = this.projects[projectIndex];
    if (project === undefined) throw new Error('no such project');
    const key = `${scope}-${projectIndex}`.padEnd(32, '.');
    this.keys.set(key, { project, scope, keyId: asKeyId(`k${projectIndex}`), name: '' });
    return key;
  }

  private of(projectId: ProjectId): Check[] {
    return [...this.checks.values()].filter((check) => check.projectId === projectId);
  }

  get read(): EngineRead {
    const engine = this;
    return {
      get writable() {
        return engine.writable;
      },
      isLogSilent: false,
      events: (after) => ({ events: [], until: after, isAtEnd: true }),
      eventsFrom: () => ({ seq: 0, place: 0 }),
      eventsUntil: () => ({ seq: 0, place: 0 }),
      eventsEpoch: () => '00000',
      checkAsIs: (id) => engine.checks.get(id) ?? null,
      eventFeeds: () => [],
      eventFeed: () => null,
      deletedCheck: () => null,
      retention: ({ state: { nPings } }) => ({ rules: '', former: [], aliveMs: 0, nPings, pingsMax: 1000 }),
      unlistedCount: () => 0,
      openIncidentWith: () => null,
      isOpenIn: () => false,
      statusOf: (id) => engine.checks.get(id)?.state.status ?? null,
      badgeSecret: 'ab'.repeat(32),
      get importedSecret() {
        return engine.importedSecret;
      },
      holderOf: (key) => this.keys.get(key) ?? null,
      adminKeys: () => [],
      serverSettings: () => [],
      adminKeyOf: () => null,
      projects: () => this.projects,
      project: (id) => this.projects.find((project) => project.id === id) ?? null,
      projectByBadgeKey: (badgeKey) => this.projects.find((project) => project.badgeKey === badgeKey) ?? null,
      users: () => [],
      sessionEnded: () => false,
      keys: () => [],
      channels: (projectId) => this.channels.filter((channel) => channel.projectId === projectId),
      statusPages: () => [],
      incidents: () => [],
      openIncidents: () => [],
      openIncidentCounts: () => ({ count: 0, acknowledged: 0, down: 0, only: null }),
      incident: () => null,
      incidentOf: () => null,
      whoIsNotified: () => ({ held: null, recipients: [], text: '' }),
      loggedPast: () => {
        throw new Error('nothing is kept');
      },
      statusPage: () => null,
      statusPageBySlug: () => null,
      channel: (id) => this.channels.find((channel) => channel.id === id) ?? null,
      maintenance: () => [],
      maintenanceWindow: () => null,
      checks: (projectId) => this.of(projectId),
      checksListed: (projectId) => this.of(projectId).map(listedOf),
      oldestCheck: (projectId, wanted) =>
        this.of(projectId).find(({ config }) => wanted.matches(config)) ?? null,
      checkOfTarget: (target) =>
        [...this.checks.values()].find(({ config }) => target.by === 'slug' && config.slug === target.slug) ??
        null,
      historyVersion: 0,
      listVersion: () => this.listVersion,
      checkCount: (projectId) => this.of(projectId).length,
      checksDown: (projectId) => {
        const down = this.of(projectId).filter(({ state }) => state.status === 'down');
        return { count: down.length, checks: down };
      },
      check: (id) => this.checks.get(id) ?? null,
      indexUniqueKeys: () => true,
      checkByUniqueKey: (projectId, key) =>
        this.of(projectId).find(({ id }) => uniqueKeyOf(id) === key) ?? null,
      checkByBadge: (id) => [...this.checks.values()].find(({ badgeId }) => badgeId === id) ?? null,
      mailbox: () => 'not-found',
      pings: (_, limit) => this.pings.slice(0, limit),
      body: (_, n) => this.bodies.get(n) ?? null,
      lookAtBody: (_, n, look) => {
        const body = this.bodies.get(n);
        return body ? look(Buffer.from(body)) : null;
      },
      keepsBody: () => true,
      prefetchBodies: async () => {},
      outputs: () => [],
      changes: (_, { fromMs, untilMs }) =>
        this.changes.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs),
      lastChange: () => this.changes[0] ?? null,
      statistics: (_, edges) => edges.slice(1).map(emptyStatistics),
      countAhead: async () => {},
      uptimes: (_, ranges) => ranges.map(() => uptimeOf(emptyStatistics())),
      latestRuns: () => [],
      runEndings: () => this.runEndings,
      notifications: (_, { fromMs, untilMs }, limit) =>
        this.notifications.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs).slice(0, limit),
      audit: () => [],
      snoozeAudit: () => [],
      isCaughtUp: () => true,
      durably: async (read) => {
        const result = read();
        this.onDurable?.();
        this.onDurable = null;
        const rolledBack = this.onRolledBack;
        if (rolledBack === null) return result;
        this.onRolledBack = null;
        rolledBack();
        return read();
      },
    };
  }

  get change(): EngineChange {
    const notHere = (): never => {
      throw new Error('the API does not ask for this');
    };
    return {
      ids: systemIds,
      setRetention: notHere,
      offerProject: notHere,
      withdrawOffer: notHere,
      declineOffer: notHere,
      acceptOffer: notHere,
      createCheck: async (projectId, config) => this.create(projectId, config),
      updateCheck: async (id, config) => this.replace(id, (check) => ({ ...check, config })),
      pauseCheck: async (id) => this.enter(id, 'paused'),
      resumeCheck: async (id) =>
        this.checks.get(id)?.state.status === 'paused'
          ? this.enter(id, 'new')
          : refuse('conflict', 'check is not paused'),
      acknowledgeCheck: async (id, by, atMs) =>
        this.checks.get(id)?.state.status === 'down'
          ? this.replace(id, (check) => ({ ...check, acknowledgement: { atMs, by } }))
          : refuse('conflict', 'check is not down: only a check that is down can be acknowledged'),
      unacknowledgeCheck: async (id) =>
        this.replace(id, (check) => ({ ...check, acknowledgement: undefined })),
      snoozeCheck: async (id, asked, atMs) =>
        this.replace(id, (check) => ({ ...check, snooze: snoozeOf(check, asked, atMs, () => atMs) })),
      unsnoozeCheck: async (id) => this.replace(id, (check) => ({ ...check, snooze: undefined })),
      deleteCheck: async (id) => this.delete(id),
      setServerSetting: notHere,
      moveCheck: notHere,
      createProject: notHere,
      createProjectWithoutKeys: notHere,
      renameProject: notHere,
      changePlan: notHere,
      deleteProject: notHere,
      createKey: notHere,
      replaceKey: notHere,
      renameKey: notHere,
      revokeKey: notHere,
      noteKeyUse() {},
      noteAudit: notHere,
      updateUser: notHere,
      touchSession: notHere,
      createAdminKey: notHere,
      revokeAdminKey: notHere,
      assignChannel: notHere,
      unassignChannel: notHere,
      createChannel: notHere,
      editChannel: notHere,
      putEventFeed: notHere,
      replaceChannel: notHere,
      deleteChannel: notHere,
      putStatusPage: notHere,
      deleteStatusPage: notHere,
      acknowledgeIncident: notHere,
      unacknowledgeIncident: notHere,
      noteIncident: notHere,
      putMaintenance: notHere,
      startMaintenance: notHere,
      endMaintenance: notHere,
      deleteMaintenance: notHere,
      putUser: notHere,
      deleteUser: notHere,
      endSession: notHere,
    };
  }

  private create(projectId: ProjectId, config: CheckConfig): Check {
    if (!this.writable) throw notWritten(this.read);
    const plan = this.read.project(projectId)?.plan ?? 'free';
    if (this.of(projectId).length >= planLimits[plan].checksMax)
      refuse('over-limit', 'the plan of the project allows no more checks');
    this.lastNumber += 1;
    const check = { ...makeCheck(this.lastNumber, config), projectId };
    this.add(check);
    return check;
  }

  private replace(id: CheckId, next: (check: Check) => Check): Check {
    if (!this.writable) throw notWritten(this.read);
    const check = this.checks.get(id);
    if (check === undefined) refuse('not-found', 'there is no such check');
    this.add(next(check));
    return next(check);
  }

  private enter(id: CheckId, status: 'paused' | 'new'): Check {
    return this.replace(id, (check) => ({ ...check, state: { ...check.state, status } }));
  }

  private delete(id: CheckId): Check {
    const check = this.checks.get(id);
    if (check === undefined || !this.checks.delete(id)) refuse('not-found', 'there is no such check');
    return check;
  }
}

function refuse(code: ErrorCode, message: string): never {
  throw new KnellError(code, message);
}
