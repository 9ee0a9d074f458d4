/**
 * The contents of one project: its checks in the order of their creation, by slug and by unique key, and its integrations. Checks
 * are handles.
 * Invariant: lists come oldest first, whatever the order in which things were put back.
 */
import type { Channel, Project } from '../../domain/accounts/project.ts';
import { tagsOf } from '../../domain/check/check.ts';
import { type ChannelId, uniqueKeyOf } from '../../lib/ids.ts';
import type { CheckTable } from './check-table.ts';
import { CreationOrder } from './creation-order.ts';
import { Dependencies, dependencyNames } from './dependencies.ts';
import { noHandle } from './hashed-handles.ts';
import { flag, statusNumber } from './hot-rows.ts';
import { RuleCounts } from './rule-counts.ts';
import { SlugIndex } from './slug-index.ts';

export class ProjectIndex {
  project: Project;
  readonly #table: CheckTable;
  readonly #order = new CreationOrder();
  #newestMs = 0;
  readonly #slugs: SlugIndex;
  /** Checks that are down, in the order in which they went down. */
  readonly #down = new Set<number>();
  readonly #channels = new Map<ChannelId, Channel>();
  readonly #byChannel: Map<ChannelId, ProjectIndex>;
  readonly dependencies = new Dependencies();
  readonly rules = new RuleCounts();
  /** Built in batches when a read-only key first asks: most projects never need it. */
  #byUniqueKey: Map<string, number> | null = null;
  /** The checks that are not in it yet; null when all are. */
  #toIndex: Iterator<number> | null = null;

  /** `byChannel`: which project has which integration, shared by all of them. */
  constructor(project: Project, table: CheckTable, byChannel: Map<ChannelId, ProjectIndex>) {
    this.project = project;
    this.#table = table;
    this.#byChannel = byChannel;
    this.#slugs = new SlugIndex(table);
  }

  get size(): number {
    return this.#order.size;
  }

  /** An instant for a new check, later than that of every other: a fraction distinguishes those of one millisecond. */
  nextCreatedAtMs(nowMs: number): number {
    return Math.max(nowMs, this.#newestMs + 0.001);
  }

  /** Whether a check was created at exactly this instant. */
  hasCreatedAt(instantMs: number): boolean {
    return this.#order.has(instantMs);
  }

  /** `createdAtMs`: the check's. */
  add(handle: number, createdAtMs: number): void {
    this.#newestMs = Math.max(this.#newestMs, createdAtMs);
    this.#order.add(handle, createdAtMs);
    const slug = this.#table.slugHash(handle);
    if (slug !== null) this.#slugs.addHash(slug, handle);
    if ((this.#table.rows.flags(handle) & flag.dependent) !== 0) this.#noteDependent(handle);
    if ((this.#table.rows.flags(handle) & flag.tracked) !== 0)
      this.rules.set(handle, this.#table.check(handle).config.results);
    this.noteStatus(handle);
    this.#byUniqueKey?.set(uniqueKeyOf(this.#table.id(handle)), handle);
  }

  /** `slug` and `createdAtMs`: as they were while the check was in this project. */
  remove(handle: number, slug: string, createdAtMs: number): void {
    this.#order.remove(handle, createdAtMs);
    this.#down.delete(handle);
    this.#slugs.remove(slug, handle);
    this.rules.delete(handle);
    this.dependencies.delete(handle);
    this.dependencies.forgetNamed(handle);
    this.#byUniqueKey?.delete(uniqueKeyOf(this.#table.id(handle)));
  }

  /** Keeps the set of checks that are down: a message names them, and a walk over all would take milliseconds for each. */
  noteStatus(handle: number): void {
    if ((this.#table.rows.flags(handle) & flag.status) === statusNumber.down) this.#down.add(handle);
    else if (this.#down.size > 0) this.#down.delete(handle);
    if (this.dependencies.hasTags) this.#noteNamed(handle);
  }

  #noteNamed(handle: number): void {
    const { config, state } = this.#table.check(handle);
    this.dependencies.noteNamed(handle, { tags: tagsOf(config), isDown: state.status === 'down' });
  }

  #noteDependent(handle: number): void {
    const names = dependencyNames(this.#table.check(handle).config.dependsOn);
    if (this.dependencies.set(handle, names)) for (const down of this.#down) this.#noteNamed(down);
  }

  /** Checks that are down, in the order in which they went down. */
  get down(): ReadonlySet<number> {
    return this.#down;
  }

  reindex(handle: number, slugBefore: string, slug: string): void {
    const isDependent = (this.#table.rows.flags(handle) & flag.dependent) !== 0;
    if (isDependent || !this.dependencies.isEmpty) this.#noteDependent(handle);
    if (this.dependencies.hasTags) this.#noteNamed(handle);
    if (slugBefore === slug) return;
    this.#slugs.remove(slugBefore, handle);
    this.#slugs.add(slug, handle);
  }

  /** Oldest first. May be read over many turns while checks come and go. */
  handles(): Iterable<number> {
    return this.#order;
  }

  /** Many checks will be added: what can be done for all of them at once waits for `settle`, or until somebody asks. */
  gather(): void {
    this.#slugs.gather();
  }

  /** Puts the checks in order now: at start, where nobody waits for it. */
  settle(): void {
    this.#order.settle();
    this.#slugs.settle();
  }

  /** The handle of the only check with that slug; `noHandle`, or `severalHandles` where it is ambiguous. */
  bySlug(slug: string): number {
    return this.#slugs.find(slug);
  }

  /** Takes the next `count` checks into the index of unique keys. True when it is whole. */
  indexUniqueKeys(count: number): boolean {
    if (this.#byUniqueKey === null) {
      this.#byUniqueKey = new Map();
      // Checks that come or go meanwhile are indexed as they do.
      this.#toIndex = this.#order[Symbol.iterator]();
    }
    for (let left = count; left > 0 && this.#toIndex; left--) {
      const { value, done } = this.#toIndex.next();
      if (done) this.#toIndex = null;
      else this.#byUniqueKey.set(uniqueKeyOf(this.#table.id(value)), value);
    }
    return this.#toIndex === null;
  }

  /** Looks among the checks that are indexed; `noHandle` for none. */
  byUniqueKey(uniqueKey: string): number {
    return this.#byUniqueKey?.get(uniqueKey) ?? noHandle;
  }

  addChannel(channel: Channel): void {
    this.#channels.set(channel.id, channel);
    this.#byChannel.set(channel.id, this);
    this.#table.projectMoved(this.project.id);
  }

  removeChannel(id: ChannelId): void {
    if (!this.#channels.delete(id)) return;
    if (this.#byChannel.get(id) === this) this.#byChannel.delete(id);
    this.#table.projectMoved(this.project.id);
  }

  channel(id: ChannelId): Channel | null {
    return this.#channels.get(id) ?? null;
  }

  /** Oldest first. */
  channels(): readonly Channel[] {
    return [...this.#channels.values()].sort((a, b) => a.createdAtMs - b.createdAtMs);
  }
}
