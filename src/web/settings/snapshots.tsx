/** The age of the latest snapshot, and the reason if there is no newer one. Owners see it. */
import type { SnapshotsView } from '../../domain/views/page-view.ts';
import { settingAddress } from '../core/route.ts';
import { useNow } from '../core/use-now.ts';
import { everyWords, relativeWords, sizeWords } from '../core/words.ts';
import { Problem, Time } from '../ui/bits.tsx';
import { Panel } from '../ui/panel.tsx';

export function Snapshots({
  plan,
  latest,
  failure,
  offsetMs,
}: SnapshotsView & { readonly offsetMs: number }) {
  const nowMs = useNow(offsetMs);
  return (
    <Panel title="Snapshots" help="A snapshot is one file that restores everything, all projects included.">
      <p>
        {plan ? (
          `One is written ${everyWords(plan.everyS)}; the newest ${plan.kept} are kept.`
        ) : (
          <>
            Automatic snapshots are off. <a href={settingAddress('KNELL_SNAPSHOTS')}>Their setting</a> says
            how to turn them on.
          </>
        )}
      </p>
      <p class={plan || latest ? '' : 'caution'}>
        {latest ? (
          <>
            Latest: <Time atMs={latest.atMs} nowMs={nowMs} />, {sizeWords(latest.bytes)},{' '}
            <code>snapshots/{latest.name}</code>
          </>
        ) : (
          <>
            No snapshot yet. On the server, <code>npx knell snapshot</code> writes one now.
          </>
        )}
      </p>
      <Problem text={failure ? failureWords(failure, nowMs) : ''} />
    </Panel>
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
