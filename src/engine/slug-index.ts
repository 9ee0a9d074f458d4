/**
 * From a slug to the handle of the project's check that has it. The slug itself lies with the check's row, where it is
 * compared byte by byte.
 * Invariant: a check with an empty slug is not in it; a check is in it once.
 */
import { HashedHandles } from './hashed-handles.ts';

/** Where the slugs are. */
export interface SlugBytes {
  slugIs(handle: number, slug: string): boolean;
}

export class SlugIndex {
  readonly #slugs: SlugBytes;
  readonly #handles = new HashedHandles();
  #wanted = '';
  readonly #isWanted = (handle: number): boolean => this.#slugs.slugIs(handle, this.#wanted);

  constructor(slugs: SlugBytes) {
    this.#slugs = slugs;
  }

  /** The handle; `noHandle`, or `severalHandles` where the slug is ambiguous. */
  find(slug: string): number {
    this.#wanted = slug;
    return this.#handles.find(hashOf(slug), this.#isWanted);
  }

  add(slug: string, handle: number): void {
    if (slug !== '') this.#handles.add(hashOf(slug), handle);
  }

  /** By a slug that the check has had. Nothing happens where it is not in the index. */
  remove(slug: string, handle: number): void {
    if (slug !== '') this.#handles.remove(hashOf(slug), handle);
  }
}

/** FNV-1a over the characters, mixed once more: neighbours differ in their last character. */
function hashOf(slug: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < slug.length; at++) hash = Math.imul(hash ^ slug.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
