/**
 * Where the rows and the heads of groups lie in the list, in pixels from its top. Pure.
 * Invariant: pieces follow each other without a gap, in the order of the list; rows of a folded group have no place.
 */
import type { ListGroup } from '../../domain/views/page-view.ts';

export const groupPx = 36;

/** The place of something, as its style says it. */
export interface Place {
  readonly transform: string;
  readonly [property: string]: string;
}

export type Piece =
  | { readonly kind: 'row'; readonly at: number; readonly top: number }
  | { readonly kind: 'group'; readonly group: ListGroup; readonly top: number };

interface Section {
  /** The group; null where nothing is grouped. */
  readonly group: ListGroup | null;
  readonly top: number;
  readonly from: number;
  /** Number of rows that are shown: none of a folded group. */
  readonly size: number;
}

export interface Layout {
  readonly height: number;
  readonly rowPx: number;
  readonly sections: readonly Section[];
  /** Returns the top of the row at that place of the order; of a folded one, its group's. */
  topOf(at: number): number;
}

export function layOut(
  total: number,
  groups: readonly ListGroup[],
  folded: ReadonlySet<string>,
  rowPx: number,
): Layout {
  const sections: Section[] = [];
  let top = 0;
  if (groups.length === 0) sections.push({ group: null, top, from: 0, size: total });
  for (const group of groups) {
    const size = folded.has(group.name) ? 0 : group.size;
    sections.push({ group, top, from: group.from, size });
    top += groupPx + size * rowPx;
  }
  const height = groups.length === 0 ? total * rowPx : top;
  const topOf = (at: number): number => {
    const section = sections.findLast(({ from }) => from <= at);
    if (!section) return 0;
    const below = section.top + headPx(section);
    return section.size === 0 ? section.top : below + (at - section.from) * rowPx;
  };
  return { height, rowPx, sections, topOf };
}

function headPx({ group }: Section): number {
  return group === null ? 0 : groupPx;
}

/** Returns what touches the range, from its upper to its lower edge. */
export function pieceRange({ sections, rowPx }: Layout, upper: number, lower: number): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const section of sections) {
    const start = section.top + headPx(section);
    if (start + section.size * rowPx < upper) continue;
    if (section.top > lower) break;
    if (section.group && start >= upper)
      pieces.push({ kind: 'group', group: section.group, top: section.top });
    const first = Math.max(0, Math.floor((upper - start) / rowPx));
    const end = Math.min(section.size, Math.ceil((lower - start) / rowPx));
    for (let index = first; index < end; index++)
      pieces.push({ kind: 'row', at: section.from + index, top: start + index * rowPx });
  }
  return pieces;
}
