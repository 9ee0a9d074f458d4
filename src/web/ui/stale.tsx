/** The line at the head of a page that says how old the page is, while the server cannot be asked again. */
import { useStale } from '../core/stale.ts';
import { exactClock } from '../core/words.ts';

export function Stale() {
  const atMs = useStale();
  return atMs === null ? null : (
    <p class="banner" role="status">
      Data from {exactClock(atMs)}, trying again…
    </p>
  );
}
