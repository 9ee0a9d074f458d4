/** At the head of a page: what is wrong and how old the page is, while the server cannot be asked again. */
import { useEffect, useState } from 'preact/hooks';
import { unreachable } from '../core/calls.ts';
import type { Live } from '../core/live.ts';
import { type Staleness, useLacking, useStale } from '../core/stale.ts';
import { exactClock } from '../core/words.ts';

/** Milliseconds for which the connection may be away before the page says how old it is. */
const offlineAfterMs = 9000;
/** Likewise where the device says that it has no network. It may be between two. */
const noNetworkAfterMs = 3000;

/** When the connection broke, once it has been away for so long that the page says so; null until then. Nothing else happens meanwhile. */
export function useLongLost({ connected, lostAtMs }: Live): number | null {
  const sinceMs = connected ? null : lostAtMs;
  const [longLostMs, setLongLost] = useState<number | null>(null);
  useEffect(() => {
    if (sinceMs === null) return setLongLost(null);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (): void => {
      clearTimeout(timer);
      const atMs = sinceMs + (navigator.onLine ? offlineAfterMs : noNetworkAfterMs);
      timer = setTimeout(() => setLongLost(sinceMs), Math.max(0, atMs - Date.now()));
    };
    wait();
    addEventListener('offline', wait);
    return () => {
      clearTimeout(timer);
      removeEventListener('offline', wait);
    };
  }, [sinceMs]);
  return longLostMs === sinceMs ? sinceMs : null;
}

/** What is shown may be what was, also where nothing had to be asked since: nobody says what changes. */
export function Stale({ live }: { readonly live: Live }) {
  const stale = useStale();
  const lacking = useLacking();
  const isLacking = lacking !== null && stale === null;
  const lostAtMs = useLongLost(live);
  const shown: Staleness | null = stale ?? (lostAtMs === null ? null : { atMs: lostAtMs, why: whyLost() });
  // Once is enough: the page itself says it, in a place of its own.
  if (shown === null || (isLacking && lacking === shown.why)) return null;
  return (
    <section class={shown.isSeen ? 'banner stale seen' : 'banner stale'} role="status">
      <h2>{shown.why}</h2>
      <p>{isLacking ? 'Trying again…' : `Data from ${exactClock(shown.atMs)}, trying again…`}</p>
    </section>
  );
}

function whyLost(): string {
  return navigator.onLine ? 'The connection to Knell is lost' : unreachable.device.words;
}
