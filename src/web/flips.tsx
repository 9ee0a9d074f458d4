/** Every status change of the last 90 days, with its cause. */
import type { Cause, StatusChange } from '../domain/flip.ts';
import { Time } from './bits.tsx';
import { StatusMark } from './status-mark.tsx';

const causeWords: Readonly<Record<Cause, string>> = {
  success: 'ping received',
  fail: 'the job reported a failure',
  start: 'run started',
  timeout: 'missed ping',
  update: 'schedule changed',
  pause: 'paused by hand',
  resume: 'resumed by hand',
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
      <h2>Status history</h2>
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
