/**
 * The numbers that the runs of a check reported: the last value of each, what is usual, and a small chart: of the runs that are listed, or by
 * hour or day, with the limits as lines and failures marked. Not shown for a check whose runs report none.
 */
import { limitWords, resultValue, usualWords } from '../../domain/results/result-words.ts';
import type { ResultListAnswer, ResultSeriesAnswer } from '../../domain/views/api-answers.ts';
import { drawnBounds, ResultChart, type ResultPoint } from '../charts/result-chart.tsx';
import { fromRoot } from '../core/base-path.ts';
import { useSeen } from '../core/calls.ts';
import { replaceSearch, useSearch } from '../core/route.ts';
import { momentWords } from '../core/words.ts';
import { apiPath } from '../rows/api-check.ts';
import { Problem } from '../ui/bits.tsx';

interface ResultsCardProps {
  readonly project: string;
  readonly id: string;
  readonly version: unknown;
  readonly nowMs: number;
}

type Listed = ResultListAnswer['results'][number];

const dayS = 86_400;

/** What a chart may show. A range of time has whole hours or days; `seconds` is 0 for the runs. */
const ranges = {
  runs: { words: 'Runs', step: 'run', seconds: 0 },
  '7d': { words: '7 d', step: 'hour', seconds: 7 * dayS },
  '90d': { words: '90 d', step: 'day', seconds: 90 * dayS },
  '1y': { words: '1 y', step: 'day', seconds: 365 * dayS },
} as const;
type RangeName = keyof typeof ranges;
const rangeNames = Object.keys(ranges) as readonly RangeName[];

/** The range that the address has: it stays when the page is loaded again, and goes with a link. */
function rangeOf(search: string): RangeName {
  const wanted = new URLSearchParams(search).get('results');
  return rangeNames.find((name) => name === wanted) ?? 'runs';
}

function chooseRange(name: RangeName): void {
  const query = new URLSearchParams(location.search);
  query.set('results', name);
  replaceSearch(query.toString());
}

export function ResultsCard({ project, id, version, nowMs }: ResultsCardProps) {
  const { data, error } = useSeen<ResultListAnswer>(apiPath(project, `checks/${id}/results/`), version);
  const range = rangeOf(useSearch());
  if (data === null) return error === '' ? null : <Problem text={error} />;
  if (data.results.length === 0) return null;
  return (
    <section class="card results-card">
      <div class="card-head">
        <h2>Results</h2>
        <fieldset class="segments" aria-label="Range of the results">
          {rangeNames.map((name) => (
            <button key={name} type="button" aria-pressed={name === range} onClick={() => chooseRange(name)}>
              {ranges[name].words}
            </button>
          ))}
        </fieldset>
      </div>
      <ul>
        {data.results.map((result) => (
          <li key={result.name}>
            <Line {...{ project, id, version, result, range, nowMs }} />
          </li>
        ))}
      </ul>
      {data.left_out !== undefined && (
        <p class="faint">
          {data.left_out.toLocaleString()} more {data.left_out === 1 ? 'name is' : 'names are'} not listed:
          give a number the same name in every run.
        </p>
      )}
    </section>
  );
}

const verdictWords = {
  warning: 'beyond its limit: a warning',
  failure: 'beyond its limit: a failure',
} as const;

/** `2 h ago · usually 1,380–1,420 · below 1 is a failure`. */
function aboutWords({ last_at, usual, unit, limits }: Listed, nowMs: number): string {
  return [
    last_at === null ? 'no run has reported it' : momentWords(Date.parse(last_at), nowMs),
    usualWords(usual, unit),
    ...limits.map((limit) => `${limitWords(limit, unit)} is a ${limit.outcome}`),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

interface LineProps extends ResultsCardProps {
  readonly result: Listed;
  readonly range: RangeName;
}

function Line({ project, id, version, result, range, nowMs }: LineProps) {
  const { name, last, unit, verdict } = result;
  const { step, seconds } = ranges[range];
  const query = step === 'run' ? '' : `?${new URLSearchParams({ step, seconds: String(seconds) })}`;
  const path = apiPath(project, `checks/${id}/results/${name}`);
  const { data } = useSeen<ResultSeriesAnswer>(path + query, version);
  const file = (format: string): string =>
    fromRoot(`${path}${query === '' ? '?' : `${query}&`}${new URLSearchParams({ format })}`);
  const isBroken = verdict === 'warning' || verdict === 'failure';
  return (
    <>
      <div>
        <h3>{name}</h3>
        <strong class={`figure${isBroken ? ` ${verdict}` : ''}`}>
          {last === null ? '–' : resultValue(last, unit)}
          {isBroken && <span class="hidden">, {verdictWords[verdict]}</span>}
        </strong>
        <span class="faint">{aboutWords(result, nowMs)}</span>
        <span class="files">
          <a href={file('csv')} download aria-label={`Values of ${name} as CSV`}>
            CSV
          </a>
          <a href={file('json')} download aria-label={`Values of ${name} as JSON`}>
            JSON
          </a>
        </span>
      </div>
      {data && data.step === step && <Values {...{ data, result, range, nowMs }} />}
    </>
  );
}

interface ValuesProps extends Pick<LineProps, 'result' | 'range' | 'nowMs'> {
  readonly data: ResultSeriesAnswer;
}

function Values({ data, result, range, nowMs }: ValuesProps) {
  const { words, seconds } = ranges[range];
  const points = pointsOf(data);
  const times = seconds === 0 ? null : { fromMs: nowMs - seconds * 1000, untilMs: nowMs };
  if (points.length === 0) {
    if (seconds > 0) return <p class="faint none">No run reported it in the last {words}.</p>;
    return result.last === null ? null : <p class="faint none">No run that is still listed reported it.</p>;
  }
  return (
    <ResultChart
      {...{ points, times, nowMs }}
      name={result.name}
      unit={result.unit}
      of={seconds === 0 ? 'runs' : `${data.step}s`}
      bounds={drawnBounds(result.limits, result.usual?.median ?? null, points)}
    />
  );
}

function pointsOf({ points }: ResultSeriesAnswer): readonly ResultPoint[] {
  return points.map(({ time, value, type, average, min, max, failed = 0 }) => {
    const level = value ?? average ?? 0;
    return {
      atMs: Date.parse(time),
      value: level,
      least: min ?? level,
      most: max ?? level,
      isBad: type === 'fail' || failed > 0,
    };
  });
}
