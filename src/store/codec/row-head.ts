/**
 * The head in front of a check's row in memory: the offsets of its badge and its slug, and the slug's length, so that neither has
 * to be searched in the row.
 */
import type { CheckFacts } from './check-facts.ts';

/** Offset of each field in the head. */
export const rowHead = { badge: 0, slug: 4, slugLength: 8 } as const;
export const rowHeadBytes = 10;

export function writeRowHead(target: Buffer, at: number, facts: CheckFacts): void {
  target.writeUInt32LE(facts.badgeStart, at + rowHead.badge);
  target.writeUInt32LE(facts.slugStart, at + rowHead.slug);
  target.writeUInt16LE(facts.slugEnd - facts.slugStart, at + rowHead.slugLength);
}
