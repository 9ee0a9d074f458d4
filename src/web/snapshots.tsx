/** How old the latest snapshot is, and why there is no newer one. For owners. */
import type { SnapshotsView } from '../domain/page-view.ts';
import { Problem, Time } from './bits.tsx';
import { useNow } from './use-now.ts';
import { everyWords, relativeWords, sizeWords } from './words.ts';

export function Snapshots({
  plan,
  latest,
  failure,
  offsetMs,
}: SnapshotsView & { readonly offsetMs: number }) {
  const nowMs = useNow(offsetMs);
  return (
    <section>
      <h2>Snapshots</h2>
      <p>
        A snapshot is one file that restores all of Knell, every project of it.{' '}
        {plan
          ? `Knell writes one ${everyWords(plan.everyS)} and keeps the newest ${plan.kept}.`
          : 'Knell writes none by itself: KNELL_SNAPSHOTS is off.'}
      </p>
      <p>
        {latest ? (
          <>
            The latest: <Time atMs={latest.atMs} nowMs={nowMs} />, {sizeWords(latest.bytes)},{' '}
            <code>snapshots/{latest.name}</code>
          </>
        ) : (
          'There is none yet.'
        )}
      </p>
      <Problem text={failure ? failureWords(failure, nowMs) : ''} />
    </section>
  );
}

function failureWords(
  { atMs, message, nextMs }: NonNullable<SnapshotsView['failure']>,
  nowMs: number,
): string {
  const next =
    nextMs === null ? '' : ` Next attempt ${nextMs > nowMs ? relativeWords(nextMs, nowMs) : 'now'}.`;
  return `The last attempt failed ${relativeWords(atMs, nowMs)}: ${message}.${next}`;
}
