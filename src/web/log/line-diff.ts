/**
 * What differs between two outputs, line by line (Myers, "An O(ND) Difference Algorithm and Its Variations").
 * Invariant: pure; no input takes longer than `editsMax` allows: outputs that differ in more lines are one block each where they differ,
 * from the first different line to the last.
 */

/**
 * Lines that differ, up to which they are lined up. They and the equal lines on each of their diagonals are the number of steps: some 70 ms
 * for two outputs of 100 kB that are nothing but empty lines, the slowest.
 */
export const editsMax = 1000;

/** `[n, n]`: places in both; null where the line is only in the other. */
export type DiffRow = readonly [left: number | null, right: number | null];

export interface LineDiff {
  /** Every line of both, in order. */
  readonly rows: readonly DiffRow[];
  /** Whether they differ in too much to be lined up. */
  readonly isRough: boolean;
}

export function lineDiff(left: readonly string[], right: readonly string[]): LineDiff {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start++;
  let same = 0;
  while (same < shorter - start && left[left.length - 1 - same] === right[right.length - 1 - same]) same++;
  const [leftEnd, rightEnd] = [left.length - same, right.length - same];
  const middle = editScript(left.slice(start, leftEnd), right.slice(start, rightEnd));
  const rows: DiffRow[] = [];
  for (let at = 0; at < start; at++) rows.push([at, at]);
  for (const [one, other] of middle ?? blocks(leftEnd - start, rightEnd - start))
    rows.push([one === null ? null : one + start, other === null ? null : other + start]);
  for (let at = 0; at < same; at++) rows.push([leftEnd + at, rightEnd + at]);
  return { rows, isRough: middle === null };
}

function blocks(left: number, right: number): readonly DiffRow[] {
  return [
    ...Array.from({ length: left }, (_, at): DiffRow => [at, null]),
    ...Array.from({ length: right }, (_, at): DiffRow => [null, at]),
  ];
}

/** Null where it would take more than `editsMax` edits. */
function editScript(left: readonly string[], right: readonly string[]): readonly DiffRow[] | null {
  const most = Math.min(editsMax, left.length + right.length);
  /** The furthest place in `left` on each diagonal, after so many edits. */
  const reached = new Int32Array(2 * most + 3);
  const trace: Int32Array[] = [];
  const middle = most + 1;
  for (let edits = 0; edits <= most; edits++) {
    trace.push(reached.slice(middle - edits - 1, middle + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = stepDown(reached, middle, diagonal, edits)
        ? (reached[middle + diagonal + 1] ?? 0)
        : (reached[middle + diagonal - 1] ?? 0) + 1;
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x++;
      reached[middle + diagonal] = x;
      if (x >= left.length && x - diagonal >= right.length)
        return backtrack(trace, left.length, right.length);
    }
  }
  return null;
}

/** Whether the best way to a diagonal takes a line of the right one. */
function stepDown(reached: Int32Array, middle: number, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true;
  return diagonal !== edits && (reached[middle + diagonal - 1] ?? 0) < (reached[middle + diagonal + 1] ?? 0);
}

function backtrack(trace: readonly Int32Array[], left: number, right: number): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  let [x, y] = [left, right];
  for (let edits = trace.length - 1; edits > 0; edits--) {
    const reached = trace[edits] ?? new Int32Array();
    const middle = edits + 1;
    const isDown = stepDown(reached, middle, x - y, edits);
    const before = isDown ? x - y + 1 : x - y - 1;
    const beforeX = reached[middle + before] ?? 0;
    const beforeY = beforeX - before;
    while (x > (isDown ? beforeX : beforeX + 1) && y > (isDown ? beforeY + 1 : beforeY))
      rows.push([--x, --y]);
    if (isDown) rows.push([null, --y]);
    else rows.push([--x, null]);
  }
  while (x > 0 && y > 0) rows.push([--x, --y]);
  return rows.reverse();
}

/** What is shown: rows, or so many equal ones that are folded. */
export type DiffPart =
  | { readonly kind: 'rows'; readonly rows: readonly DiffRow[] }
  | { readonly kind: 'same'; readonly rows: readonly DiffRow[] };

/** Equal lines beside a difference that stay in sight. */
const context = 3;

export function foldedDiff(rows: readonly DiffRow[]): readonly DiffPart[] {
  const parts: DiffPart[] = [];
  let from = 0;
  const isSame = (at: number): boolean => rows[at]?.[0] !== null && rows[at]?.[1] !== null;
  for (let at = 0; at < rows.length; ) {
    if (!isSame(at)) {
      at++;
      continue;
    }
    let end = at;
    while (end < rows.length && isSame(end)) end++;
    const [first, last] = [at === 0 ? 0 : at + context, end === rows.length ? end : end - context];
    // A fold of a line or two would be as long as they are.
    if (last - first > context) {
      if (first > from) parts.push({ kind: 'rows', rows: rows.slice(from, first) });
      parts.push({ kind: 'same', rows: rows.slice(first, last) });
      from = last;
    }
    at = end;
  }
  if (from < rows.length) parts.push({ kind: 'rows', rows: rows.slice(from) });
  return parts;
}

/** Lines that were taken out beside those that came in their place, for two columns. */
export function sideBySide(rows: readonly DiffRow[]): readonly DiffRow[] {
  const pairs: DiffRow[] = [];
  let [removed, added]: [number[], number[]] = [[], []];
  const flush = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++)
      pairs.push([removed[at] ?? null, added[at] ?? null]);
    [removed, added] = [[], []];
  };
  for (const [left, right] of rows) {
    if (left !== null && right !== null) {
      flush();
      pairs.push([left, right]);
    } else if (left !== null) removed.push(left);
    else if (right !== null) added.push(right);
  }
  flush();
  return pairs;
}
