/** The uptime of a check over longer times, and by month with its outages. */

import type { ChartRange } from '../../domain/runs/time-ranges.ts';
import type { CheckStatistics, UptimeView } from '../../domain/views/page-view.ts';
import { outageSpan } from '../../domain/words/span-words.ts';
import { Uptime } from '../charts/run-columns.tsx';
import { zoneOption } from '../core/time-style.ts';
import { exactTime, sinceWords } from '../core/words.ts';

const dayMs = 86_400_000;
const ranges: readonly {
  readonly range: ChartRange;
  readonly days: number;
  readonly words: string;
}[] = [
  { range: '7d', days: 7, words: '7 days' },
  { range: '30d', days: 30, words: '30 days' },
  { range: '90d', days: 90, words: '90 days' },
  { range: '365d', days: 365, words: '365 days' },
];

interface ShownUptime {
  readonly range: ChartRange;
  readonly words: string;
  readonly title?: string;
}

/** Returns the ranges in which the check was watched from their beginning, and for those in which it was not, since when it is. */
function shownUptimes({ watchedSinceMs, nowMs, uptimes }: CheckStatistics): readonly ShownUptime[] {
  if (uptimes.every(({ percent }) => percent === null)) return [];
  if (watchedSinceMs === null) return ranges;
  const whole = ranges.filter(({ days }) => nowMs - days * dayMs >= watchedSinceMs);
  const next = ranges[whole.length];
  if (!next) return whole;
  const title = `Watched since ${exactTime(watchedSinceMs)}`;
  return [...whole, { range: next.range, words: sinceWords(watchedSinceMs, nowMs), title }];
}

/** Milliseconds from the start of a month to a day in its middle, which is in the same month in every zone. */
const middleMs = 14 * 86_400_000;

interface UptimeCardProps {
  readonly statistics: CheckStatistics | null;
  readonly isDown: boolean;
}

export function UptimeCard({ statistics, isDown }: UptimeCardProps) {
  // The list begins with the first month in which anything was watched.
  const months = statistics?.months ?? [];
  const first = months.findIndex(({ percent }) => percent !== null);
  const watched = first < 0 ? [] : months.slice(first).toReversed();
  // The only month is all that there is: the line above says that already.
  const listed = watched.length > 1 ? watched : [];
  return (
    <section class="card">
      <h2>Uptime</h2>
      {statistics?.uptimes.every(({ percent }) => percent === null) && (
        <p class="faint">Measured from the first ping on.</p>
      )}
      <dl class="uptimes">
        {(statistics ? shownUptimes(statistics) : ranges).map(({ range, words, title }: ShownUptime) => (
          <div key={range} title={title}>
            <dt>{words}</dt>
            <dd>
              <Uptime
                percent={statistics?.uptimes.find((one) => one.range === range)?.percent ?? null}
                isDown={isDown}
              />
            </dd>
          </div>
        ))}
      </dl>
      {listed.length > 0 && (
        <table class="months">
          <thead>
            <tr>
              <th scope="col">Month</th>
              <th scope="col">Uptime</th>
              <th scope="col">Outages</th>
            </tr>
          </thead>
          <tbody>
            {listed.map((month) => (
              <tr key={month.startMs}>
                <td>{monthWords(month.startMs)}</td>
                <td>
                  <Uptime percent={month.percent} isDown={month.outages > 0} />
                </td>
                <td>{outageWords(month)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function monthWords(startMs: number): string {
  return new Date(startMs + middleMs).toLocaleString(undefined, {
    month: 'short',
    year: 'numeric',
    ...zoneOption(),
  });
}

function outageWords({ outages, downMs }: UptimeView): string {
  return outages === 0 ? 'None' : `${outages}, down ${outageSpan(downMs)}`;
}
