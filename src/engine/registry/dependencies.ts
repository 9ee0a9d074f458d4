/**
 * Which checks of a project depend on which: by the slugs, UUIDs and tags that they name. Names are looked up when a check changes,
 * so that one may be named before it is there.
 * Invariant: knows every check of the project that names one, under each of its names; of each named tag, the checks that have it
 * and are down.
 */

/** The beginning of a name that is a tag. */
export const tagPrefix = 'tag:';

/** What a check can be named by. */
export interface NamedCheck {
  readonly id: string;
  readonly slug: string;
  readonly tags: readonly string[];
  readonly isDown: boolean;
}

export class Dependencies {
  /** By handle. */
  readonly #names = new Map<number, readonly string[]>();
  readonly #dependents = new Map<string, Set<number>>();
  /** The checks that are down, by the named tags that they have. */
  readonly #down = new Map<string, Set<number>>();
  /** Of each of those, the tags under which it is there. */
  readonly #tagsOf = new Map<number, readonly string[]>();

  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  get hasTags(): boolean {
    return this.#down.size > 0;
  }

  /** What a check depends on from now on. Returns whether a tag is named that was not before: see `noteNamed`. */
  set(handle: number, names: readonly string[]): boolean {
    this.delete(handle);
    if (names.length === 0) return false;
    this.#names.set(handle, names);
    let isNewTag = false;
    for (const name of names) {
      const known = this.#dependents.get(name);
      if (known) known.add(handle);
      else this.#dependents.set(name, new Set([handle]));
      if (!name.startsWith(tagPrefix) || this.#down.has(name)) continue;
      this.#down.set(name, new Set());
      isNewTag = true;
    }
    return isNewTag;
  }

  delete(handle: number): void {
    for (const name of this.#names.get(handle) ?? []) {
      const dependents = this.#dependents.get(name);
      dependents?.delete(handle);
      if (dependents?.size !== 0) continue;
      this.#dependents.delete(name);
      this.#down.delete(name);
    }
    this.#names.delete(handle);
  }

  /** A check as it can be named by now. To be called when it changes, while tags are named. */
  noteNamed(handle: number, { tags, isDown }: Pick<NamedCheck, 'tags' | 'isDown'>): void {
    this.forgetNamed(handle);
    if (!isDown) return;
    const named = tags.map((tag) => tagPrefix + tag).filter((name) => this.#down.has(name));
    for (const name of named) this.#down.get(name)?.add(handle);
    if (named.length > 0) this.#tagsOf.set(handle, named);
  }

  forgetNamed(handle: number): void {
    for (const name of this.#tagsOf.get(handle) ?? []) this.#down.get(name)?.delete(handle);
    this.#tagsOf.delete(handle);
  }

  /** Checks that depend on that one, each once. */
  dependentsOf({ id, slug, tags }: NamedCheck): ReadonlySet<number> {
    const found = new Set<number>();
    for (const name of [id, slug, ...tags.map((tag) => tagPrefix + tag)])
      for (const handle of this.#dependents.get(name) ?? []) found.add(handle);
    return found;
  }

  /** What a check depends on: names, and of tags the checks that are down. */
  namesOf(handle: number): readonly string[] {
    return this.#names.get(handle) ?? [];
  }

  /** Checks that are down and have the tag of that name; none for what names no tag. */
  downOf(name: string): Iterable<number> {
    return this.#down.get(name) ?? [];
  }
}

export function dependencyNames(dependsOn: string): readonly string[] {
  return [...new Set(dependsOn.split(' ').filter((name) => name !== ''))];
}

export function isTagName(name: string): boolean {
  return name.startsWith(tagPrefix);
}
