/**
 * From the UUID in a badge's address to the check's handle. The UUID itself lies with the check's row.
 * Invariant: of two checks with the same badge, which only damaged data can have, neither is found.
 */
import type { UuidWords } from '../../lib/uuid-words.ts';
import { HashedHandles, noHandle } from './hashed-handles.ts';

/** The badges of the handles. */
export interface BadgeWords {
  /** May be one object for all. */
  badgeWords(handle: number): UuidWords;
}

export class BadgeIndex {
  readonly #badges: BadgeWords;
  readonly #handles = new HashedHandles();

  constructor(badges: BadgeWords) {
    this.#badges = badges;
  }

  /** The handle; `noHandle` for none. */
  find({ w0, w1, w2, w3 }: UuidWords): number {
    const isMeant = (handle: number): boolean => {
      const words = this.#badges.badgeWords(handle);
      return words.w0 === w0 && words.w1 === w1 && words.w2 === w2 && words.w3 === w3;
    };
    return Math.max(noHandle, this.#handles.find(hashOf(w0, w3), isMeant));
  }

  /** Begins a start: see `HashedHandles`. */
  gather(): void {
    this.#handles.gather();
  }

  settle(): void {
    this.#handles.settle();
  }

  add(handle: number): void {
    const { w0, w3 } = this.#badges.badgeWords(handle);
    this.#handles.add(hashOf(w0, w3), handle);
  }

  /** While its row is still there. */
  remove(handle: number): void {
    const { w0, w3 } = this.#badges.badgeWords(handle);
    this.#handles.remove(hashOf(w0, w3), handle);
  }
}

/** Badges are random where nobody chose them; a restored snapshot may hold others, so two words are mixed. */
function hashOf(w0: number, w3: number): number {
  const hash = Math.imul(w0 ^ Math.imul(w3, 0x9e3779b1), 0x85ebca6b);
  return hash ^ (hash >>> 15);
}
