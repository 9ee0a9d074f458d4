/** The last 90 days as a strip, with downtime and uptime by month. */

import type { Status } from '../domain/check.ts';
import type { CheckStory } from '../domain/page-view.ts';
import { monthsOf, spansOf } from './timeline.ts';
import { exactTime, spanWords, statusWords } from './words.ts';

const width = 1000;
/** A downtime of a minute should still be seen. */
const barMin = 2;

interface TimelineProps {
  readonly story: CheckStory;
  readonly status: Status;
  readonly nowMs: number;
}

function outageWords(count: number): string {
  if (count === 0) return 'no outages';
  return count === 1 ? '1 outage' : `${count} outages`;
}

export function Timeline({ story, status, nowMs }: TimelineProps) {
  const fromMs = Math.max(story.fromMs, story.createdAtMs);
  const spans = spansOf({ changes: story.changes, fromMs, nowMs, status });
  const months = monthsOf(spans);
  const x = (atMs: number): number => ((atMs - story.fromMs) / Math.max(1, nowMs - story.fromMs)) * width;
  const downtimes = spans.filter((span) => span.status === 'down').length;
  const summary = `The last 90 days: ${outageWords(downtimes)}`;
  return (
    <section>
      <h2>Last 90 days</h2>
      <svg
        class="strip"
        viewBox={`0 0 ${width} 40`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary}
      >
        <rect class="nothing" width={width} height="40" />
        {spans.map(({ status: was, fromMs: from, untilMs }) => (
          <rect
            key={from}
            class={was}
            x={Math.min(x(from), width - barMin)}
            y={was === 'down' ? 0 : 8}
            width={Math.max(barMin, x(untilMs) - x(from))}
            height={was === 'down' ? 40 : 24}
          >
            <title>{`${statusWords[was]}: ${exactTime(from)} – ${exactTime(untilMs)}`}</title>
          </rect>
        ))}
      </svg>
      <p class="faint ends">
        <span>90 days ago</span>
        <span>now</span>
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Month</th>
            <th scope="col">Uptime</th>
            <th scope="col">Downtime</th>
          </tr>
        </thead>
        <tbody>
          {months.map(({ startMs, uptime, downMs, downtimes: times }) => (
            <tr key={startMs}>
              <td>{new Date(startMs).toLocaleString(undefined, { month: 'long', year: 'numeric' })}</td>
              <td class="number">
                {uptime === null ? '–' : `${(Math.floor(uptime * 10_000) / 100).toFixed(2)} %`}
              </td>
              <td>{times === 0 ? 'none' : `${spanWords(downMs / 1000)} (${times})`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Durations of the newest runs, oldest on the left. */
export function Durations({ seconds }: { readonly seconds: readonly number[] }) {
  if (seconds.length < 2) return null;
  const longest = Math.max(...seconds, 0.01);
  const step = width / seconds.length;
  const label = `Durations of ${seconds.length} runs, the longest ${spanWords(longest)}`;
  return (
    <section>
      <h2>Durations</h2>
      <svg class="bars" viewBox={`0 0 ${width} 100`} preserveAspectRatio="none" role="img" aria-label={label}>
        {seconds.map((value, index) => {
          const height = Math.max(1, (value / longest) * 96);
          return (
            <rect key={index} x={index * step} y={100 - height} width={step * 0.8} height={height}>
              <title>{spanWords(value)}</title>
            </rect>
          );
        })}
      </svg>
      <p class="faint">
        The last {seconds.length} runs; the longest took {spanWords(longest)}.
      </p>
    </section>
  );
}
