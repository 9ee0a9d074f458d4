/** At the head of a page: what is wrong and how old the page is, while the server cannot be asked again. */
import { unreachable } from '../core/calls.ts';
import type { Live } from '../core/live.ts';
import { useStale } from '../core/stale.ts';
import { exactClock } from '../core/words.ts';

/** Milliseconds for which the connection may be away before the page says how old it is. */
export const offlineAfterMs = 10_000;

/** What is shown may be what was, also where nothing had to be asked since: nobody says what changes. */
export function Stale({ live: { connected, lostAtMs } }: { readonly live: Live }) {
  const stale = useStale();
  const isLost = !connected && lostAtMs !== null && Date.now() - lostAtMs > offlineAfterMs;
  const shown = stale ?? (isLost ? { atMs: lostAtMs, why: whyLost() } : null);
  return shown === null ? null : (
    <section class="banner stale" role="status">
      <h2>{shown.why}</h2>
      <p>Data from {exactClock(shown.atMs)}, trying again…</p>
    </section>
  );
}

function whyLost(): string {
  return navigator.onLine ? 'The connection to Knell is lost' : unreachable.device.words;
}
