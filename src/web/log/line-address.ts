/**
 * Lines of one output as the page's address has them: `#output-42-L10`, or `#output-42-L10-14` for a range.
 * Invariant: pure; the first line is 1, and the end of a range is not before its beginning.
 */

export interface LineRange {
  /** Number of the ping that brought the output. */
  readonly n: number;
  readonly from: number;
  readonly to: number;
}

export function lineRangeOf(hash: string): LineRange | null {
  const [, n, first, last = first] = /^#output-(\d{1,15})-L(\d{1,9})(?:-(\d{1,9}))?$/.exec(hash) ?? [];
  if (n === undefined) return null;
  const [from, to] = [Number(first), Number(last)].sort((one, other) => one - other);
  return from === undefined || to === undefined || from < 1 ? null : { n: Number(n), from, to };
}

export function hashOf({ n, from, to }: LineRange): string {
  return `#output-${n}-L${from}${to === from ? '' : `-${to}`}`;
}
