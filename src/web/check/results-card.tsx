/**
 * The numbers that the runs of a check reported: the last value of each, what is usual, and a small chart of the runs that are listed, with
 * the limits as lines and failures marked. Not shown for a check whose runs report none.
 */
import { limitWords, resultValue } from '../../domain/results/result-words.ts';
import type { ResultListAnswer, ResultSeriesAnswer } from '../../domain/views/api-answers.ts';
import { levelsOf, type Place, placesOf } from '../charts/result-points.ts';
import { useAsk } from '../core/calls.ts';
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

export function ResultsCard({ project, id, version, nowMs }: ResultsCardProps) {
  const { data, error } = useAsk<ResultListAnswer>(apiPath(project, `checks/${id}/results/`), version);
  if (data === null) return error === '' ? null : <Problem text={error} />;
  if (data.results.length === 0) return null;
  return (
    <section class="card results-card">
      <h2>Results</h2>
      <ul>
        {data.results.map((result) => (
          <li key={result.name}>
            <div>
              <h3>{result.name}</h3>
              <strong class="figure">
                {result.last === null ? '–' : resultValue(result.last, result.unit)}
              </strong>
              <span class="faint">{aboutWords(result, nowMs)}</span>
            </div>
            <Chart {...{ project, id, version, result }} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `2 h ago · usually 1,380–1,420 · below 1 is a failure`. */
function aboutWords({ last_at, usual, unit, limits }: Listed, nowMs: number): string {
  const from = usual === null ? '' : resultValue(usual.from, unit);
  const to = usual === null ? '' : resultValue(usual.to, unit);
  return [
    last_at === null ? 'no run has reported it' : momentWords(Date.parse(last_at), nowMs),
    usual === null ? '' : `usually ${from === to ? from : `${from}–${to}`}`,
    ...limits.map((limit) => `${limitWords(limit, unit)} is a ${limit.outcome}`),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

const width = 320;
const height = 64;

interface ChartProps {
  readonly project: string;
  readonly id: string;
  readonly version: unknown;
  readonly result: Listed;
}

function Chart({ project, id, version, result }: ChartProps) {
  const { name, limits, unit } = result;
  const { data } = useAsk<ResultSeriesAnswer>(apiPath(project, `checks/${id}/results/${name}`), version);
  const values = (data?.points ?? []).map(({ value, type }) => ({
    value: value ?? 0,
    isBad: type === 'fail',
  }));
  if (values.length < 2) return null;
  const bounds = limits.flatMap(({ kind, value }) =>
    (kind === 'below' || kind === 'above') && value !== undefined ? [value] : [],
  );
  const levels = levelsOf(
    values.map(({ value }) => value),
    bounds,
  );
  const places = placesOf(values, levels, { width, height });
  const words = `${name} of ${values.length} runs, from ${resultValue(levels.least, unit)} to ${resultValue(levels.most, unit)}`;
  return (
    <svg class="result-chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words}>
      {bounds.map((bound) => {
        const [line] = placesOf([{ value: bound, isBad: false }], levels, { width, height });
        return <line key={bound} x1={0} x2={width} y1={line?.y} y2={line?.y} class="limit" />;
      })}
      <polyline points={places.map(({ x, y }) => `${x},${y}`).join(' ')} />
      {places.filter(({ isBad }, at) => isBad || at === places.length - 1).map(dot)}
    </svg>
  );
}

/** Each failure, and the last value. Failures are larger than the last value, so that colour alone does not mark them. */
function dot({ x, y, isBad }: Place, at: number) {
  return <circle key={at} cx={x} cy={y} r={isBad ? 4 : 2.5} class={isBad ? 'bad' : undefined} />;
}
