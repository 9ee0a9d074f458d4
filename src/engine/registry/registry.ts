/**
 * Every check, project, key and integration that there is, in memory, with the indexes that the listeners ask by. A check is
 * known by its handle, a small number; how it is kept, `check-table` knows.
 * It knows neither what an event means nor what is durable. Everything but the facts themselves is rebuilt at start.
 * Invariant: an index never names a check that is gone, and every index of a check names the same handle.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EventFeed } from '../../domain/accounts/event-feed.ts';
import type { AdminKey, ApiKey, Installation, Project } from '../../domain/accounts/project.ts';
import type { User } from '../../domain/accounts/user.ts';
import { type Check, type CheckState, type Status, statuses, tagsOf } from '../../domain/check/check.ts';
import { type CheckEvent, timedOut } from '../../domain/check/check-machine.ts';
import type { OutageCredit } from '../../domain/check/deadline.ts';
import { tracksRuns } from '../../domain/check/run-state.ts';
import { creditRuns, type RunStep, settleRuns, trackRuns } from '../../domain/runs/track-runs.ts';
import type { BadgeId, ChannelId, CheckId, KeyId, ProjectId, UserId } from '../../lib/ids.ts';
import { sha256Hex } from '../../lib/ids.ts';
import { NEVER } from '../../lib/units.ts';
import { UuidIndex } from '../../lib/uuid-index.ts';
import { UuidWords, uuidChars } from '../../lib/uuid-words.ts';
import { checkRow } from '../../store/codec/check.ts';
import { reservedChecksMax } from '../contract/limits.ts';
import { BadgeIndex } from './badge-index.ts';
import { decide } from './check-actor.ts';
import { CheckTable } from './check-table.ts';
import { EndedSessions } from './ended-sessions.ts';
import { fastStep } from './fast-ping.ts';
import { noHandle } from './hashed-handles.ts';
import { flag } from './hot-rows.ts';
import { Incidents } from './incidents.ts';
import { MaintenanceWindows } from './maintenance-windows.ts';
import { ProjectIndex } from './project-index.ts';
import { StatusPages } from './status-pages.ts';

/** Whether a check may track its runs from this event on. */
function tracksAfter(event: CheckEvent): boolean {
  return event.type === 'alive' || (event.type === 'update' && tracksRuns(event.config));
}

export class Registry {
  readonly #table = new CheckTable();
  readonly #byUuid = new UuidIndex();
  readonly #deleted = new UuidIndex();
  readonly #byBadge = new BadgeIndex(this.#table);
  readonly #countByStatus = new Map<Status, number>(statuses.map((status) => [status, 0]));
  readonly #projectIndexes = new Map<ProjectId, ProjectIndex>();
  readonly #byBadgeKey = new Map<string, ProjectIndex>();
  readonly #byChannel = new Map<ChannelId, ProjectIndex>();
  readonly #keys = new Map<KeyId, ApiKey>();
  readonly #keysByHash = new Map<string, ApiKey>();
  readonly #pingKeys = new Map<string, ProjectIndex>();
  /** Maps the lower case of a ping key to the key as it is written. */
  readonly #pingKeysAnyCase = new Map<string, string>();
  readonly #words = new UuidWords();
  readonly users = new Map<UserId, User>();
  readonly endedSessions = new EndedSessions();
  readonly statusPages = new StatusPages();
  readonly incidents = new Incidents((id) => this.#table.projectMoved(id));
  readonly maintenance = new MaintenanceWindows((id) => this.#table.projectMoved(id));
  /** Of the integrations of the kind `events`. */
  readonly eventFeeds = new Map<ChannelId, EventFeed>();
  /** Checks whose project is gone while their own deletion could not be written. */
  readonly orphans = new Set<CheckId>();
  /** Checks whose outage credit could not be written. */
  readonly uncredited = new Set<number>();
  installation: Installation | null = null;
  /** The latest alive mark that is durable; 0 before the first. */
  aliveMs = 0;
  /** Called with a check of which the next instant is another, as something around it has changed. */
  heldChanged: (handle: number) => void = () => {};

  /** Kept as a counter: a walk over a million checks takes 0.1 s. */
  countOf(status: Status): number {
    return this.#countByStatus.get(status) ?? 0;
  }

  get checkCount(): number {
    return this.#byUuid.size;
  }

  /** That many checks are about to be added: what can be done for all at once waits for `settle`, or until somebody asks. */
  expect(checks: number): void {
    this.#byUuid.reserve(Math.min(checks, reservedChecksMax));
    this.#byBadge.gather();
    for (const index of this.#projectIndexes.values()) index.gather();
  }

  /** Puts every index in order now: at start, where nobody waits for it. */
  settle(): void {
    this.#byBadge.settle();
    for (const index of this.#projectIndexes.values()) index.settle();
    this.incidents.settle();
    this.#findUnlisted();
  }

  /** Rows say which incident they are in, but are not decoded as they are added. */
  #findUnlisted(): void {
    for (const { projectId } of [...this.incidents.withUnlisted()])
      for (const handle of this.#projectIndexes.get(projectId)?.down ?? []) {
        const { id, incident } = this.check(handle);
        this.incidents.noteUnlisted(id, undefined, incident);
      }
  }

  handles(): Iterable<number> {
    return this.#table.handles();
  }

  /** The check's handle; `noHandle` for none, and for what is no UUID. */
  handleOf(id: string): number {
    return id.length === uuidChars && this.#words.parse(id) ? this.#byUuid.get(this.#words) : noHandle;
  }

  handleByWords(id: UuidWords): number {
    return this.#byUuid.get(id);
  }

  handleByBadge(id: BadgeId): number {
    return id.length === uuidChars && this.#words.parse(id) ? this.#byBadge.find(this.#words) : noHandle;
  }

  /** Whether there is such a check: the wheel may have one that was deleted. */
  has(handle: number): boolean {
    return handle >= 0 && this.#table.isPresent(handle);
  }

  /** The check with all that is known of it. Also of one that was taken out and not yet disposed of. */
  check(handle: number): Check {
    return this.#table.check(handle);
  }

  find(id: string): Check | null {
    const handle = this.handleOf(id);
    return handle < 0 ? null : this.check(handle);
  }

  id(handle: number): CheckId {
    return this.#table.id(handle);
  }

  projectId(handle: number): ProjectId {
    return this.#table.projectId(handle);
  }

  /** Whether the configuration contains these bytes somewhere, as a text or an id of it does: finds it without decoding. */
  mentions(handle: number, bytes: Uint8Array): boolean {
    return this.#table.rowIncludes(handle, bytes);
  }

  /** The next instant at which the check changes by itself; NEVER for none. */
  deadline(handle: number): number {
    return this.#table.rows.deadline(handle);
  }

  /** The next instant at which something happens to the check by itself, its snooze and its hold included; NEVER for none. */
  nextDue(handle: number): number {
    return Math.min(this.deadline(handle), this.snoozedUntil(handle), this.heldUntil(handle));
  }

  /** When what holds its notifications back is looked at again; NEVER for no hold, 0 for as soon as can be. */
  heldUntil(handle: number): number {
    return this.#table.rows.heldUntil(handle);
  }

  /** What holds its notifications back may be another: it is looked at as soon as can be. Nothing for a check without a hold. */
  lookAgain(handle: number): void {
    const { rows } = this.#table;
    if ((rows.flags(handle) & flag.held) === 0) return;
    rows.setHeld(handle, 0);
    this.heldChanged(handle);
  }

  /** Likewise for each check of a project whose notifications are held back. */
  lookAgainAt(projectId: ProjectId): void {
    for (const handle of [...this.#table.rows.holds.keys()])
      if (this.projectId(handle) === projectId) this.lookAgain(handle);
  }

  /** It was looked at, and nothing is another. */
  lookedAt(handle: number): void {
    const { hold, alerting } = this.check(handle);
    const missMs = alerting?.nextMissMs || NEVER;
    const untilMs = Math.min(hold?.untilMs ?? NEVER, missMs);
    this.#table.rows.setHeld(handle, hold || untilMs !== NEVER ? untilMs : null);
  }

  /** NEVER for none. */
  snoozedUntil(handle: number): number {
    return this.#table.rows.snoozedUntil(handle);
  }

  /** The rows, for the path of a ping and the metrics: everybody else asks above. */
  get table(): CheckTable {
    return this.#table;
  }

  /**
   * Lets the check take `event`: on a fast path, or by an actor. Returns what the event meant for the runs of a check that tracks
   * them; null for others.
   */
  send(handle: number, event: CheckEvent): RunStep | null {
    if (this.isTracked(handle) || tracksAfter(event)) return this.#track(handle, event);
    const { rows, timings } = this.#table;
    switch (event.type) {
      case 'success':
      case 'fail':
      case 'start':
        if (!fastStep(rows, timings, handle, event.type, event.atMs, event.rid)) break;
        this.#table.moved(handle);
        return null;
      case 'log':
      case 'ign':
        if (!fastStep(rows, timings, handle, event.type, event.atMs, null)) break;
        this.#table.moved(handle);
        return null;
      case 'timeout':
        this.replace(handle, timedOut(this.check(handle), event.atMs));
        return null;
    }
    this.replace(handle, decide(this.check(handle), event));
    return null;
  }

  #track(handle: number, event: CheckEvent): RunStep {
    const step = trackRuns(this.check(handle), event);
    this.replace(handle, settleRuns(step, decide(step.check, step.event)));
    return step;
  }

  /** Gives the check another record. */
  replace(handle: number, check: Check): void {
    const before = this.#table.rows.status(handle);
    const { incident } = this.#table.check(handle);
    this.#table.put(handle, check);
    this.#moved(handle, before);
    this.incidents.noteUnlisted(check.id, incident, check.incident);
  }

  replaceState(handle: number, state: CheckState): void {
    const before = this.#table.rows.status(handle);
    this.#table.putState(handle, state);
    this.#moved(handle, before);
  }

  /** A removed check counts no more, whatever is rolled back of it. */
  #moved(handle: number, before: Status): void {
    const status = this.#table.rows.status(handle);
    if (status === before || !this.#table.isPresent(handle)) return;
    this.#count(before, -1);
    this.#count(status, 1);
    const index = this.#projectIndexes.get(this.projectId(handle));
    index?.noteStatus(handle);
    if (index && (status === 'down' || before === 'down')) this.#parentChanged(index, handle);
  }

  /** Lets the checks that depend on it look again at what holds them back. */
  #parentChanged({ dependencies }: ProjectIndex, handle: number): void {
    if (dependencies.isEmpty) return;
    const { id, config } = this.check(handle);
    const named = { id, slug: config.slug, tags: tagsOf(config), isDown: false };
    for (const dependent of dependencies.dependentsOf(named)) this.lookAgain(dependent);
  }

  #count(status: Status, difference: number): void {
    this.#countByStatus.set(status, this.countOf(status) + difference);
  }

  addCheck(check: Check): number {
    this.#words.parse(check.id);
    const handle = this.#table.add(this.#words, checkRow.write(check), check.state);
    this.#index(handle, check.createdAtMs);
    return handle;
  }

  /** A check as the store keeps it: its row undecoded. `createdAtMs`: as the row says. */
  addRow(id: UuidWords, row: Uint8Array, state: CheckState): number {
    const handle = this.#table.add(id, row, state);
    this.#index(handle, this.#table.createdAtMs(handle));
    return handle;
  }

  /** Another row of a check that is there; its state stays. */
  replaceRow(handle: number, row: Uint8Array): void {
    const before = this.check(handle);
    this.#table.replaceRow(handle, row);
    this.reindex(handle, before);
    this.incidents.noteUnlisted(before.id, before.incident, this.check(handle).incident);
  }

  state(handle: number): CheckState {
    return this.#table.rows.state(handle);
  }

  /** The grace time in seconds. */
  graceS(handle: number): number {
    return this.#table.graceS(handle);
  }

  /** Grants an outage credit, from which both deadlines follow. */
  credit(handle: number, credit: OutageCredit): void {
    this.#table.rows.setCredits(handle, credit);
    this.#table.derive(handle);
  }

  /**
   * Grants a check that tracks its runs its outage credit, that of each run by itself. Returns whether there was any: then the row
   * of the check is another.
   */
  creditRuns(handle: number, aliveMs: number, nowMs: number): boolean {
    const check = creditRuns(this.check(handle), aliveMs, nowMs);
    if (check !== null) this.replace(handle, check);
    return check !== null;
  }

  /** Whether its runs are tracked, each by itself. */
  isTracked(handle: number): boolean {
    return (this.#table.rows.flags(handle) & flag.tracked) !== 0;
  }

  /** Derives both deadlines anew: time zone rules may have changed. */
  derive(handle: number): void {
    this.#table.derive(handle);
  }

  /** Puts a removed check into every index again. */
  restoreCheck(handle: number): void {
    const { id, createdAtMs, incident } = this.check(handle);
    this.#table.setPresent(handle, true);
    this.#index(handle, createdAtMs);
    this.incidents.noteUnlisted(id, undefined, incident);
  }

  #index(handle: number, createdAtMs: number): void {
    this.#count(this.#table.rows.status(handle), 1);
    this.#byUuid.set(this.#table.idWords(handle), handle);
    this.#byBadge.add(handle);
    const index = this.#projectIndexes.get(this.projectId(handle));
    index?.add(handle, createdAtMs);
    if (index && this.#table.rows.status(handle) === 'down') this.#parentChanged(index, handle);
  }

  /** Takes a check out of every index; its handle is not used again before `disposeCheck`. */
  removeCheck(handle: number): void {
    const { id, createdAtMs, incident } = this.check(handle);
    this.incidents.noteUnlisted(id, incident, undefined);
    this.#byUuid.delete(this.#table.idWords(handle));
    this.#byBadge.remove(handle);
    const index = this.#projectIndexes.get(this.projectId(handle));
    index?.remove(handle, this.#table.slug(handle), createdAtMs);
    if (index && this.#table.rows.status(handle) === 'down') this.#parentChanged(index, handle);
    this.#table.setPresent(handle, false);
    this.#count(this.#table.rows.status(handle), -1);
  }

  /**
   * A check of that id is being deleted, or was: the id is not used again, since the store takes all that it has of an id for
   * the check that was deleted.
   */
  noteDeleted(id: UuidWords): void {
    this.#deleted.set(id, 0);
  }

  /** Its deletion was rolled back. */
  forgetDeleted(id: UuidWords): void {
    this.#deleted.delete(id);
  }

  idWords(handle: number): UuidWords {
    return this.#table.idWords(handle);
  }

  /** Whether a check of that id was deleted, or is being deleted; as far back as the journal reaches. */
  wasDeleted(id: CheckId): boolean {
    return this.#words.parse(id) && this.#deleted.get(this.#words) >= 0;
  }

  /** Ends a check that is gone for good, or never was. */
  disposeCheck(handle: number): void {
    this.uncredited.delete(handle);
    this.#table.free(handle);
  }

  /** After a change of config, or a move: the slug may be another, and so may the project. */
  reindex(handle: number, before: Check): void {
    const { projectId, config, createdAtMs } = this.check(handle);
    const index = this.#projectIndexes.get(before.projectId);
    if (before.projectId === projectId && before.createdAtMs === createdAtMs) {
      index?.reindex(handle, before.config.slug, config.slug);
      if (before.config.results !== config.results) index?.rules.set(handle, config.results);
      const isSameName = before.config.slug === config.slug && before.config.tags === config.tags;
      if (index && !isSameName) this.#renamed(index, before, handle);
      return;
    }
    index?.remove(handle, before.config.slug, before.createdAtMs);
    const target = this.#projectIndexes.get(projectId);
    target?.add(handle, createdAtMs);
    if (index) this.#renamed(index, before, handle);
    if (target) this.#parentChanged(target, handle);
    this.lookAgain(handle);
  }

  /** Those that depended on it by another name, or in another project, do no longer. */
  #renamed(index: ProjectIndex, before: Check, handle: number): void {
    const { id, config } = before;
    const named = { id, slug: config.slug, tags: tagsOf(config), isDown: false };
    for (const dependent of index.dependencies.dependentsOf(named)) this.lookAgain(dependent);
    if (this.projectIndex(this.projectId(handle)) === index) this.#parentChanged(index, handle);
  }

  /**
   * One that is known already keeps its checks and integrations: when a fold was cut off, the history has the project and
   * some of its checks, and the journal's tail has the project again.
   */
  addProject(project: Project): void {
    const known = this.#projectIndexes.get(project.id);
    if (known) this.#byBadgeKey.delete(known.project.badgeKey);
    const index = known ?? new ProjectIndex(project, this.#table, this.#byChannel);
    index.project = project;
    this.restoreProject(index);
  }

  removeProject(project: Project): void {
    const index = this.#projectIndexes.get(project.id);
    for (const { id } of index?.channels() ?? []) this.#byChannel.delete(id);
    this.#projectIndexes.delete(project.id);
    this.#byBadgeKey.delete(project.badgeKey);
  }

  /** Puts a removed project back, with everything in it. */
  restoreProject(index: ProjectIndex): void {
    this.#projectIndexes.set(index.project.id, index);
    for (const { id } of index.channels()) this.#byChannel.set(id, index);
    this.#byBadgeKey.set(index.project.badgeKey, index);
  }

  projectIndexes(): Iterable<ProjectIndex> {
    return this.#projectIndexes.values();
  }

  projectIndex(id: ProjectId): ProjectIndex | null {
    return this.#projectIndexes.get(id) ?? null;
  }

  /** The project of an integration. */
  projectOfChannel(id: ChannelId): ProjectIndex | null {
    return this.#byChannel.get(id) ?? null;
  }

  projectByBadgeKey(badgeKey: string): ProjectIndex | null {
    return this.#byBadgeKey.get(badgeKey) ?? null;
  }

  projectByPingKey(pingKey: string): ProjectIndex | null {
    return this.#pingKeys.get(pingKey) ?? null;
  }

  /** If two keys differ only in case (never by chance: 36 to the 22nd), the later one counts. */
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

  /** A key that was imported from Healthchecks is kept as that keeps it: as the HMAC-SHA256 under its SECRET_KEY. */
  #hashOf(clear: string): string {
    const hash = sha256Hex(clear);
    const secret = this.installation?.importedSecret;
    if (secret === undefined || this.#keysByHash.has(hash)) return hash;
    return createHmac('sha256', secret).update(clear).digest('hex');
  }
}
