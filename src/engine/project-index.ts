/**
 * What belongs to one project: its checks in the order of their creation, by slug and by unique key, and its
 * integrations.
 * Invariant: lists come oldest first, whatever the order in which things were put back.
 */
import type { Check } from '../domain/check.ts';
import type { Channel, Project } from '../domain/project.ts';
import { type ChannelId, uniqueKeyOf } from '../lib/ids.ts';
import { CheckActor } from './check-actor.ts';

export class ProjectIndex {
  project: Project;
  #actors = new Set<CheckActor>();
  #inOrder = true;
  #newestMs = 0;
  /** Almost always one: a list for each would cost a million checks 60 MB. */
  readonly #bySlug = new Map<string, CheckActor | CheckActor[]>();
  /** In the order in which they went down. */
  readonly #down = new Set<CheckActor>();
  readonly #channels = new Map<ChannelId, Channel>();
  /** Built in batches when a read-only key first asks: most projects never need it. */
  #byUniqueKey: Map<string, CheckActor> | null = null;
  /** The checks that are not in it yet; null when all are. */
  #toIndex: Iterator<CheckActor> | null = null;

  constructor(project: Project) {
    this.project = project;
  }

  get size(): number {
    return this.#actors.size;
  }

  /** An instant for a new check, later than that of every other: a fraction distinguishes those of one millisecond. */
  nextCreatedAtMs(nowMs: number): number {
    return Math.max(nowMs, this.#newestMs + 0.001);
  }

  add(actor: CheckActor): void {
    const { check } = actor;
    if (check.createdAtMs < this.#newestMs) this.#inOrder = false;
    else this.#newestMs = check.createdAtMs;
    this.#actors.add(actor);
    this.#indexSlug(actor);
    this.noteStatus(actor);
    this.#byUniqueKey?.set(uniqueKeyOf(check.id), actor);
  }

  /** `check`: as it was while it was in this project. */
  remove(actor: CheckActor, check: Check = actor.check): void {
    this.#actors.delete(actor);
    this.#down.delete(actor);
    this.#dropSlug(actor, check.config.slug);
    this.#byUniqueKey?.delete(uniqueKeyOf(check.id));
  }

  /** Keeps the set of checks that are down: a message names them, and a walk over all would take milliseconds for each. */
  noteStatus(actor: CheckActor): void {
    if (actor.check.state.status === 'down') this.#down.add(actor);
    else this.#down.delete(actor);
  }

  /** In the order in which they went down. */
  get down(): ReadonlySet<CheckActor> {
    return this.#down;
  }

  reindex(actor: CheckActor, before: Check): void {
    if (before.config.slug === actor.check.config.slug) return;
    this.#dropSlug(actor, before.config.slug);
    this.#indexSlug(actor);
  }

  /** Oldest first. */
  actors(): Iterable<CheckActor> {
    if (!this.#inOrder) {
      this.#actors = inOrderOfCreation(this.#actors);
      this.#inOrder = true;
    }
    return this.#actors.values();
  }

  /** All checks of that slug: more than one makes it ambiguous. */
  bySlug(slug: string): readonly CheckActor[] {
    const found = this.#bySlug.get(slug) ?? none;
    return found instanceof CheckActor ? [found] : found;
  }

  /** Takes the next `count` checks into the index of unique keys. True when it is whole. */
  indexUniqueKeys(count: number): boolean {
    if (this.#byUniqueKey === null) {
      this.#byUniqueKey = new Map();
      // What comes or goes meanwhile is indexed as it does.
      this.#toIndex = this.#actors.values();
    }
    for (let left = count; left > 0 && this.#toIndex; left--) {
      const { value, done } = this.#toIndex.next();
      if (done) this.#toIndex = null;
      else if (this.#actors.has(value)) {
        this.#byUniqueKey.set(uniqueKeyOf(value.check.id), value);
      }
    }
    return this.#toIndex === null;
  }

  /** Among the checks that are indexed. */
  byUniqueKey(uniqueKey: string): CheckActor | null {
    return this.#byUniqueKey?.get(uniqueKey) ?? null;
  }

  addChannel(channel: Channel): void {
    this.#channels.set(channel.id, channel);
  }

  removeChannel(id: ChannelId): void {
    this.#channels.delete(id);
  }

  channel(id: ChannelId): Channel | null {
    return this.#channels.get(id) ?? null;
  }

  /** Oldest first. */
  channels(): readonly Channel[] {
    return [...this.#channels.values()].sort((a, b) => a.createdAtMs - b.createdAtMs);
  }

  #indexSlug(actor: CheckActor): void {
    const { slug } = actor.check.config;
    if (slug === '') return;
    const known = this.#bySlug.get(slug);
    if (known === undefined) this.#bySlug.set(slug, actor);
    else if (known instanceof CheckActor) this.#bySlug.set(slug, [known, actor]);
    else known.push(actor);
  }

  #dropSlug(actor: CheckActor, slug: string): void {
    const [only, ...others] = this.bySlug(slug).filter((other) => other !== actor);
    if (only === undefined) this.#bySlug.delete(slug);
    else this.#bySlug.set(slug, others.length === 0 ? only : [only, ...others]);
  }
}

const none: readonly CheckActor[] = [];

/** Sorts plain numbers, which takes a tenth of the time for a million: no two of a project are of the same instant. */
function inOrderOfCreation(actors: ReadonlySet<CheckActor>): Set<CheckActor> {
  const byInstant = new Map<number, CheckActor>();
  for (const actor of actors) byInstant.set(actor.check.createdAtMs, actor);
  if (byInstant.size < actors.size) {
    return new Set([...actors].sort((a, b) => a.check.createdAtMs - b.check.createdAtMs));
  }
  const ordered = new Set<CheckActor>();
  for (const instant of Float64Array.from(byInstant.keys()).sort()) {
    const actor = byInstant.get(instant);
    if (actor) ordered.add(actor);
  }
  return ordered;
}
