/**
 * The lines of an output that are chosen: those that the address has.
 * Invariant: a choice replaces the address, so that the way back is not through every line.
 */
import { useEffect, useState } from 'preact/hooks';
import { hashOf, type LineRange, lineRangeOf } from './line-address.ts';

/** Of this page: the address has other lines. A browser has no event of it, for the page itself has put them there. */
const changed = 'knell-lines';

/** The chosen lines of an output, and what chooses one; with `isRange`, all from the one chosen before. */
export function useLines(n: number): readonly [LineRange | null, (line: number, isRange: boolean) => void] {
  const [range, setRange] = useState(() => lineRangeOf(location.hash));
  useEffect(() => {
    const look = (): void => setRange(lineRangeOf(location.hash));
    addEventListener(changed, look);
    addEventListener('hashchange', look);
    return () => {
      removeEventListener(changed, look);
      removeEventListener('hashchange', look);
    };
  }, []);
  const own = range?.n === n ? range : null;
  const choose = (line: number, isRange: boolean): void => {
    const anchor = isRange && own ? own.from : line;
    const chosen = { n, from: Math.min(anchor, line), to: Math.max(anchor, line) };
    const query = new URLSearchParams(location.search);
    // The link is to the line, not to the entry of the log that was linked before.
    query.delete('at');
    const search = query.toString();
    const path = `${location.pathname}${search === '' ? '' : `?${search}`}${hashOf(chosen)}`;
    history.replaceState(history.state, '', path);
    dispatchEvent(new Event(changed));
  };
  return [own, choose];
}
