/**
 * From a slug to the handle of the project's check that has it. The slug itself lies with the check's row, where it is
 * compared byte by byte.
 * Invariant: a check with an empty slug is not in it; a check is in it once.
 */
import { HashedHandles } from './hashed-handles.ts';

/** The slugs of the handles. */
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

  /** Begins a start: see `HashedHandles`. */
  gather(): void {
    this.#handles.gather();
  }

  settle(): void {
    this.#handles.settle();
  }

  /** The handle; `noHandle`, or `severalHandles` where the slug is ambiguous. */
  find(slug: string): number {
    this.#wanted = slug;
    return this.#handles.find(slugHash(slug), this.#isWanted);
  }

  add(slug: string, handle: number): void {
    if (slug !== '') this.#handles.add(slugHash(slug), handle);
  }

  /** Adds a handle as `add` does, by the `slugHash` of a slug that is not empty. */
  addHash(hash: number, handle: number): void {
    this.#handles.add(hash, handle);
  }

  /** Removes a handle by a slug that the check has had. Nothing happens if it is not in the index. */
  remove(slug: string, handle: number): void {
    if (slug !== '') this.#handles.remove(slugHash(slug), handle);
  }
}

const fnvStart = 0x811c9dc5;
const fnvPrime = 0x01000193;

/** FNV-1a over the characters, mixed once more: neighbours differ in their last character. */
export function slugHash(slug: string): number {
  let hash = fnvStart;
  for (let at = 0; at < slug.length; at++) hash = Math.imul(hash ^ slug.charCodeAt(at), fnvPrime);
  return mixed(hash);
}

/** Same as `slugHash`, for a slug that lies in UTF-8 from `start` to `end`. */
export function slugHashOfBytes(bytes: Buffer, start: number, end: number): number {
  let hash = fnvStart;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    // Beyond ASCII, which no slug has that was given here, bytes are no characters.
    if (byte > 127) return slugHash(bytes.toString('utf8', start, end));
    hash = Math.imul(hash ^ byte, fnvPrime);
  }
  return mixed(hash);
}

function mixed(fnv: number): number {
  let hash = fnv;
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
