/**
 * Every check, project, key and integration that there is, in memory, with the indexes that the doors ask by. The one
 * place that knows which checks have an active actor.
 * Not here: the meaning of an event, durability. Everything but the facts themselves is rebuilt at start.
 * Invariant: an index never names a check that is gone, and every index of a check names the same actor.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Check, type Status, statuses } from '../domain/check.ts';
import type { CheckEvent } from '../domain/check-machine.ts';
import { fastStep } from '../domain/fast-path.ts';
import type { AdminKey, ApiKey, Installation, Project } from '../domain/project.ts';
import type { User } from '../domain/user.ts';
import type { BadgeId, ChannelId, KeyId, ProjectId, UserId } from '../lib/ids.ts';
import { sha256Hex } from '../lib/ids.ts';
import { CheckActor, createRootActor } from './check-actor.ts';
import { EndedSessions } from './ended-sessions.ts';
import { ProjectIndex } from './project-index.ts';
import { UuidIndex } from './uuid-index.ts';

export class Registry {
  readonly #root = createRootActor();
  readonly #activeActorsMax: number;
  /** In the order of activation: the oldest is passivated first. */
  readonly #active = new Set<CheckActor>();
  readonly #byUuid = new UuidIndex();
  readonly #byBadge = new UuidIndex();
  readonly #byHandle: (CheckActor | undefined)[] = [];
  readonly #countByStatus = new Map<Status, number>(statuses.map((status) => [status, 0]));
  readonly #freeHandles: number[] = [];
  readonly #projectIndexes = new Map<ProjectId, ProjectIndex>();
  readonly #byBadgeKey = new Map<string, ProjectIndex>();
  readonly #keys = new Map<KeyId, ApiKey>();
  readonly #keysByHash = new Map<string, ApiKey>();
  readonly #pingKeys = new Map<string, ProjectIndex>();
  /** By their lower case, the keys as they are written. */
  readonly #pingKeysAnyCase = new Map<string, string>();
  readonly users = new Map<UserId, User>();
  readonly endedSessions = new EndedSessions();
  /** Checks whose project is gone while their own deletion could not be written. */
  readonly orphans = new Set<CheckActor>();
  /** Checks whose outage credit could not be written. */
  readonly uncredited = new Set<CheckActor>();
  installation: Installation | null = null;

  /** `activeActorsMax`: how many actors may be active at once. */
  constructor(activeActorsMax: number) {
    this.#activeActorsMax = activeActorsMax;
  }

  /** Kept as a counter: a walk over a million checks takes 0.1 s. */
  countOf(status: Status): number {
    return this.#countByStatus.get(status) ?? 0;
  }

  get checkCount(): number {
    return this.#byUuid.size;
  }

  *actors(): Iterable<CheckActor> {
    for (const actor of this.#byHandle) if (actor) yield actor;
  }

  actor(id: string): CheckActor | null {
    return this.actorByHandle(this.#byUuid.get(id));
  }

  /** Null for none, and for what the indexes have for none. */
  actorByHandle(handle: number): CheckActor | null {
    return handle < 0 ? null : (this.#byHandle[handle] ?? null);
  }

  actorByBadge(id: BadgeId): CheckActor | null {
    return this.actorByHandle(this.#byBadge.get(id));
  }

  /** Lets the check take `event`: on the fast path, or by its actor, which is activated if needed. */
  send(actor: CheckActor, event: CheckEvent): void {
    const renewed = fastStep(actor.check, event);
    if (renewed !== null) {
      this.replaceRecord(actor, renewed);
      return;
    }
    if (!actor.isActive) this.#activate(actor);
    const before = actor.check;
    actor.send(event);
    this.#moved(actor, before);
  }

  /** Gives the check another record of its own, which an active actor would not know: that is passivated. */
  replaceRecord(actor: CheckActor, record: Check): void {
    if (actor.isActive) this.#passivate(actor);
    const before = actor.check;
    actor.replace(record);
    this.#moved(actor, before);
  }

  /** A removed check counts no more, whatever is rolled back of it. */
  #moved(actor: CheckActor, before: Check): void {
    const { status } = actor.check.state;
    if (status === before.state.status || this.#byHandle[actor.handle] !== actor) return;
    this.#count(before.state.status, -1);
    this.#count(status, 1);
    this.#projectIndexes.get(actor.check.projectId)?.noteStatus(actor);
  }

  #count(status: Status, difference: number): void {
    this.#countByStatus.set(status, this.countOf(status) + difference);
  }

  /** A new check, without an actor. */
  addCheck(check: Check): CheckActor {
    const actor = new CheckActor(this.#freeHandles.pop() ?? this.#byHandle.length, check);
    this.restoreCheck(actor);
    return actor;
  }

  /** Puts a removed check into every index again: the same object, so that references to it stay right. */
  restoreCheck(actor: CheckActor): void {
    const { check } = actor;
    this.#byHandle[actor.handle] = actor;
    this.#count(check.state.status, 1);
    this.#byUuid.set(check.id, actor.handle);
    this.#byBadge.set(check.badgeId, actor.handle);
    this.#projectIndexes.get(check.projectId)?.add(actor);
  }

  /** Takes a check out of every index; its handle is not used again before `disposeCheck`. */
  removeCheck(actor: CheckActor): void {
    const { check } = actor;
    this.#byUuid.delete(check.id);
    this.#byBadge.delete(check.badgeId);
    this.#projectIndexes.get(check.projectId)?.remove(actor);
    this.#byHandle[actor.handle] = undefined;
    this.#count(check.state.status, -1);
  }

  /** Ends a check that is gone for good. */
  disposeCheck(actor: CheckActor): void {
    this.#passivate(actor);
    this.uncredited.delete(actor);
    this.#freeHandles.push(actor.handle);
  }

  /** After a change of config, or a move: the slug may be another, and so may the project. */
  reindex(actor: CheckActor, before: Check): void {
    if (before.projectId === actor.check.projectId) {
      this.#projectIndexes.get(before.projectId)?.reindex(actor, before);
      return;
    }
    this.#projectIndexes.get(before.projectId)?.remove(actor, before);
    this.#projectIndexes.get(actor.check.projectId)?.add(actor);
  }

  /**
   * One that is known already keeps its checks and integrations: when a fold was cut off, the history has the project and
   * some of its checks, and the journal's tail has the project again.
   */
  addProject(project: Project): void {
    const known = this.#projectIndexes.get(project.id);
    if (known) this.#byBadgeKey.delete(known.project.badgeKey);
    const index = known ?? new ProjectIndex(project);
    index.project = project;
    this.#projectIndexes.set(project.id, index);
    this.#byBadgeKey.set(project.badgeKey, index);
  }

  removeProject(project: Project): void {
    this.#projectIndexes.delete(project.id);
    this.#byBadgeKey.delete(project.badgeKey);
  }

  /** Puts a removed project back, with everything in it. */
  restoreProject(index: ProjectIndex): void {
    this.#projectIndexes.set(index.project.id, index);
    this.#byBadgeKey.set(index.project.badgeKey, index);
  }

  projectIndexes(): Iterable<ProjectIndex> {
    return this.#projectIndexes.values();
  }

  projectIndex(id: ProjectId): ProjectIndex | null {
    return this.#projectIndexes.get(id) ?? null;
  }

  /** The project of an integration. Looks through all of them: they are few, and this is asked for rarely. */
  projectOfChannel(id: ChannelId): ProjectIndex | null {
    for (const index of this.#projectIndexes.values()) {
      if (index.channel(id)) return index;
    }
    return null;
  }

  projectByBadgeKey(badgeKey: string): ProjectIndex | null {
    return this.#byBadgeKey.get(badgeKey) ?? null;
  }

  projectByPingKey(pingKey: string): ProjectIndex | null {
    return this.#pingKeys.get(pingKey) ?? null;
  }

  /** Of two keys that differ only in case (never by chance: 36 to the 22nd) the later one counts. */
  projectByPingKeyAnyCase(pingKey: string): ProjectIndex | null {
    return this.projectByPingKey(this.#pingKeysAnyCase.get(pingKey.toLowerCase()) ?? '');
  }

  addKey(key: ApiKey): void {
    this.#keys.set(key.id, key);
    this.#keysByHash.set(key.hash, key);
    const index = this.#projectIndexes.get(key.projectId);
    if (key.clear === null || !index) return;
    this.#pingKeys.set(key.clear, index);
    this.#pingKeysAnyCase.set(key.clear.toLowerCase(), key.clear);
  }

  removeKey(key: ApiKey): void {
    this.#keys.delete(key.id);
    this.#keysByHash.delete(key.hash);
    if (key.clear === null) return;
    this.#pingKeys.delete(key.clear);
    this.#pingKeysAnyCase.delete(key.clear.toLowerCase());
  }

  key(id: KeyId): ApiKey | null {
    return this.#keys.get(id) ?? null;
  }

  keyByHash(hash: string): ApiKey | null {
    return this.#keysByHash.get(hash) ?? null;
  }

  keys(projectId: ProjectId): readonly ApiKey[] {
    return [...this.#keys.values()].filter((key) => key.projectId === projectId);
  }

  /**
   * The key that `clear` is, found by its hash: the time of the look-up may reveal something about the hash of a guess, not
   * about a key. The last comparison is constant in time all the same.
   */
  keyByClear(clear: string): ApiKey | null {
    const hash = this.#hashOf(clear);
    const key = this.#keysByHash.get(hash);
    if (!key) return null;
    return timingSafeEqual(Buffer.from(key.hash), Buffer.from(hash)) ? key : null;
  }

  get adminKeys(): readonly AdminKey[] {
    return this.installation?.adminKeys ?? [];
  }

  /** They are few: see `accept-admin-key`. */
  adminKeyByClear(clear: string): AdminKey | null {
    const hash = Buffer.from(sha256Hex(clear));
    return this.adminKeys.find((key) => timingSafeEqual(Buffer.from(key.hash), hash)) ?? null;
  }

  /** A key that was imported from Healthchecks is kept as that keeps it: as the HMAC-SHA256 under its SECRET_KEY. */
  #hashOf(clear: string): string {
    const hash = sha256Hex(clear);
    const secret = this.installation?.importedSecret;
    if (secret === undefined || this.#keysByHash.has(hash)) return hash;
    return createHmac('sha256', secret).update(clear).digest('hex');
  }

  #activate(actor: CheckActor): void {
    if (this.#active.size >= this.#activeActorsMax) {
      const [oldest] = this.#active;
      if (oldest) this.#passivate(oldest);
    }
    actor.activate(this.#root);
    this.#active.add(actor);
  }

  #passivate(actor: CheckActor): void {
    actor.passivate(this.#root);
    this.#active.delete(actor);
  }
}
