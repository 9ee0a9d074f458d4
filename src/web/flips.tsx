/** Every status change of the last 90 days, with its cause. */
import type { Cause, StatusChange } from '../domain/flip.ts';
import { Time } from './bits.tsx';
import { StatusMark } from './status-mark.tsx';

const causeWords: Readonly<Record<Cause, string>> = {
  success: 'a ping came',
  fail: 'the job said that it failed',
  start: 'a run started',
  timeout: 'no ping came in time',
  update: 'its schedule was changed',
  pause: 'somebody paused it',
  resume: 'somebody resumed it',
};

const shownMax = 100;

export function Flips({
  changes,
  nowMs,
}: {
  readonly changes: readonly StatusChange[];
  readonly nowMs: number;
}) {
  return (
    <section>
      <h2>Changes of status</h2>
      {changes.length === 0 && <p class="faint">None in the last 90 days.</p>}
      <ol class="flips">
        {changes.slice(0, shownMax).map(({ atMs, to, cause }) => (
          <li key={`${atMs} ${to}`}>
            <StatusMark status={to} />
            <Time atMs={atMs} nowMs={nowMs} />
            <span class="faint">{causeWords[cause]}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
