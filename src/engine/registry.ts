/**
 * Every check, project, key and integration that there is, in memory, with the indexes that the doors ask by. The one
 * place that knows which checks are awake.
 * Not here: the meaning of an event, durability. Everything but the facts themselves is rebuilt at start.
 * Invariant: an index never names a check that is gone, and every index of a check names the same actor.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Check } from '../domain/check.ts';
import type { CheckEvent } from '../domain/check-machine.ts';
import type { ApiKey, Installation, Project } from '../domain/project.ts';
import type { User } from '../domain/user.ts';
import type { BadgeId, ChannelId, KeyId, ProjectId, UserId } from '../lib/ids.ts';
import { sha256Hex } from '../lib/ids.ts';
import { CheckActor, createRootActor } from './check-actor.ts';
import { EndedSessions } from './ended-sessions.ts';
import { ProjectShelf } from './project-shelf.ts';
import { UuidIndex } from './uuid-index.ts';

export class Registry {
  readonly #root = createRootActor();
  readonly #awakeMax: number;
  /** In the order of waking: the longest awake is put to rest first. */
  readonly #awake = new Set<CheckActor>();
  readonly #byUuid = new UuidIndex();
  readonly #byBadge = new UuidIndex();
  readonly #byHandle: (CheckActor | undefined)[] = [];
  readonly #freeHandles: number[] = [];
  readonly #shelves = new Map<ProjectId, ProjectShelf>();
  readonly #byBadgeKey = new Map<string, ProjectShelf>();
  readonly #keys = new Map<KeyId, ApiKey>();
  readonly #keysByHash = new Map<string, ApiKey>();
  readonly #pingKeys = new Map<string, ProjectShelf>();
  /** By their lower case, the keys as they are written. */
  readonly #pingKeysAnyCase = new Map<string, string>();
  readonly users = new Map<UserId, User>();
  readonly endedSessions = new EndedSessions();
  /** Checks whose project is gone while their own deletion could not be written. */
  readonly orphans = new Set<CheckActor>();
  /** Checks whose outage credit could not be written. */
  readonly uncredited = new Set<CheckActor>();
  installation: Installation | null = null;

  /** `awakeMax`: how many checks may be awake at once. */
  constructor(awakeMax: number) {
    this.#awakeMax = awakeMax;
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

  /** Lets the check take `event`: on the steady path, or by its actor, woken where need be. */
  send(actor: CheckActor, event: CheckEvent): void {
    if (actor.sendSteady(event)) return;
    if (!actor.awake) this.#wake(actor);
    actor.send(event);
  }

  /** A new check, at rest. */
  addCheck(check: Check): CheckActor {
    const actor = new CheckActor(this.#freeHandles.pop() ?? this.#byHandle.length, check);
    this.putBack(actor);
    return actor;
  }

  /** Puts a check that was taken out into every index again: the same actor, so that whoever holds it stays right. */
  putBack(actor: CheckActor): void {
    const { check } = actor;
    this.#byHandle[actor.handle] = actor;
    this.#byUuid.set(check.id, actor.handle);
    this.#byBadge.set(check.badgeId, actor.handle);
    this.#shelves.get(check.projectId)?.add(actor);
  }

  /** Takes a check out of every index; its handle stays its own until `release`. */
  takeOut(actor: CheckActor): void {
    const { check } = actor;
    this.#byUuid.delete(check.id);
    this.#byBadge.delete(check.badgeId);
    this.#shelves.get(check.projectId)?.remove(actor);
    this.#byHandle[actor.handle] = undefined;
  }

  /** Ends a check that is gone for good. */
  release(actor: CheckActor): void {
    this.#awake.delete(actor);
    this.uncredited.delete(actor);
    actor.rest();
    this.#freeHandles.push(actor.handle);
  }

  /** After a change of config: the slug may be another. */
  reindex(actor: CheckActor, before: Check): void {
    this.#shelves.get(before.projectId)?.reindex(actor, before);
  }

  /**
   * One that is known already keeps what is on its shelf: when a fold was cut off, the history tells of the project and
   * of some of its checks, and the journal's tail tells of the project again.
   */
  addProject(project: Project): void {
    const known = this.#shelves.get(project.id);
    if (known) this.#byBadgeKey.delete(known.project.badgeKey);
    const shelf = known ?? new ProjectShelf(project);
    shelf.project = project;
    this.#shelves.set(project.id, shelf);
    this.#byBadgeKey.set(project.badgeKey, shelf);
  }

  removeProject(project: Project): void {
    this.#shelves.delete(project.id);
    this.#byBadgeKey.delete(project.badgeKey);
  }

  /** Puts a project that was removed there again, with all that is on its shelf. */
  putProjectBack(shelf: ProjectShelf): void {
    this.#shelves.set(shelf.project.id, shelf);
    this.#byBadgeKey.set(shelf.project.badgeKey, shelf);
  }

  shelves(): Iterable<ProjectShelf> {
    return this.#shelves.values();
  }

  shelf(id: ProjectId): ProjectShelf | null {
    return this.#shelves.get(id) ?? null;
  }

  /** Where an integration stands: there are few projects, and it is asked for seldom. */
  shelfOfChannel(id: ChannelId): ProjectShelf | null {
    for (const shelf of this.#shelves.values()) {
      if (shelf.channel(id)) return shelf;
    }
    return null;
  }

  shelfByBadgeKey(badgeKey: string): ProjectShelf | null {
    return this.#byBadgeKey.get(badgeKey) ?? null;
  }

  shelfByPingKey(pingKey: string): ProjectShelf | null {
    return this.#pingKeys.get(pingKey) ?? null;
  }

  /** Two keys that differ in case alone (never by chance: 36 to the 22nd) are the later one's. */
  shelfByPingKeyAnyCase(pingKey: string): ProjectShelf | null {
    return this.shelfByPingKey(this.#pingKeysAnyCase.get(pingKey.toLowerCase()) ?? '');
  }

  addKey(key: ApiKey): void {
    this.#keys.set(key.id, key);
    this.#keysByHash.set(key.hash, key);
    const shelf = this.#shelves.get(key.projectId);
    if (key.clear === null || !shelf) return;
    this.#pingKeys.set(key.clear, shelf);
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

  keys(projectId: ProjectId): readonly ApiKey[] {
    return [...this.#keys.values()].filter((key) => key.projectId === projectId);
  }

  /**
   * The key that `clear` is, found by its hash: what the look-up's time may tell is about the hash of a guess, not
   * about a key. The last comparison is constant in time all the same.
   */
  keyByClear(clear: string): ApiKey | null {
    const hash = sha256Hex(clear);
    const key = this.#keysByHash.get(hash);
    if (!key) return null;
    return timingSafeEqual(Buffer.from(key.hash), Buffer.from(hash)) ? key : null;
  }

  #wake(actor: CheckActor): void {
    if (this.#awake.size >= this.#awakeMax) {
      const [longest] = this.#awake;
      if (longest) {
        longest.rest();
        this.#awake.delete(longest);
      }
    }
    actor.wake(this.#root);
    this.#awake.add(actor);
  }
}
