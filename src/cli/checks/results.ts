/**
 * `knell results`: the numbers that the runs of a check report, and the values of one of them.
 * Invariant: what is printed for programs is what the API answers.
 */
import type { Management } from '../../client/management.ts';
import { isResultName } from '../../domain/results/given-results.ts';
import { limitWords, resultValue, usualWords } from '../../domain/results/result-words.ts';
import type { ResultListAnswer, ResultSeriesAnswer } from '../../domain/views/api-answers.ts';
import { resultListCsv, seriesCsv } from '../../domain/views/results-csv.ts';
import { systemClock } from '../../lib/clock.ts';
import { KnellError } from '../../lib/errors.ts';
import { second } from '../../lib/units.ts';
import type { Flags } from '../io/flags.ts';
import { printColumns, printedForPrograms } from '../io/output.ts';
import type { Cell, Colour, Column } from '../io/table.ts';
import { exitDone, print, warn } from '../io/terminal.ts';
import { pastMomentMs } from './alerting.ts';
import { findCheck } from './check-actions.ts';
import { localTime } from './check-log.ts';
import { agoText } from './check-rows.ts';

type Listed = ResultListAnswer['results'][number];

export async function showResults(management: Management, word: string, flags: Flags): Promise<number> {
  for (const name of ['from', 'to', 'step'])
    if (flags[name] !== undefined)
      throw new KnellError('usage', `--${name} is for the values of one number: name it behind the check`);
  const { project, check } = await findCheck(management, word, flags);
  const path = `checks/${check.uuid}/results/`;
  const answer = (await management.call(project, 'GET', path)) as ResultListAnswer;
  if (flags.csv === true) process.stdout.write(resultListCsv(answer));
  else if (!printedForPrograms(flags, answer.results)) printList(answer.results);
  if (answer.left_out !== undefined) warn(`${answer.left_out} more names are not listed`);
  return exitDone;
}

function printList(results: readonly Listed[]): void {
  if (results.length === 0) {
    print('its runs have reported no numbers; see "Results" in the manual of pings');
    return;
  }
  const nowMs = systemClock.nowMs();
  const columns: readonly Column<Listed>[] = [
    { title: 'RESULT', cell: ({ name }) => name },
    { title: 'LAST', cell: ({ last, unit }) => (last === null ? '' : resultValue(last, unit)) },
    { title: 'WHEN', cell: ({ last_at }) => (last_at === null ? 'never' : agoText(last_at, nowMs)) },
    { title: 'VERDICT', cell: verdictCell },
    { title: 'USUAL', cell: ({ usual, unit }) => usualWords(usual, unit).replace(/^usually /, '') },
    { title: 'LIMITS', cell: limitsText, shrinks: true },
  ];
  printColumns(columns, results);
}

const verdictColours: Readonly<Record<NonNullable<Listed['verdict']>, Colour>> = {
  success: 'green',
  warning: 'yellow',
  failure: 'red',
};

function verdictCell({ verdict }: Listed): string | Cell {
  return verdict === null ? '' : { text: verdict, colour: verdictColours[verdict] };
}

function limitsText({ limits, unit }: Listed): string {
  return limits.map((limit) => `${limitWords(limit, unit)} is a ${limit.outcome}`).join(', ');
}

interface Wanted {
  readonly word: string;
  readonly result: string;
}

export async function showResult(
  management: Management,
  { word, result }: Wanted,
  flags: Flags,
): Promise<number> {
  if (!isResultName(result))
    throw new KnellError('usage', `"${result}" is no name of a number, such as files or bytes_added`);
  const nowMs = systemClock.nowMs();
  const query = new URLSearchParams({ step: typeof flags.step === 'string' ? flags.step : 'run' });
  if (typeof flags.from === 'string') query.set('start', secondsText('--from', flags.from, nowMs));
  if (typeof flags.to === 'string') query.set('end', secondsText('--to', flags.to, nowMs));
  const { project, check } = await findCheck(management, word, flags);
  const list = `checks/${check.uuid}/results/`;
  const answer = await management
    .call(project, 'GET', `${list}${result}?${query}`)
    .catch(async (error: unknown) => {
      const { results } = (await management.call(project, 'GET', list)) as ResultListAnswer;
      // A name that no run reported is said in words, where the API has 404.
      throw results.some(({ name }) => name === result) ? error : unknown(result, results);
    });
  const series = answer as ResultSeriesAnswer;
  if (flags.csv === true) process.stdout.write(seriesCsv(series));
  else if (!printedForPrograms(flags, series)) printSeries(series);
  return exitDone;
}

/** The API takes whole seconds. */
function secondsText(option: string, text: string, nowMs: number): string {
  return String(Math.floor(pastMomentMs(option, text, nowMs) / second));
}

function unknown(result: string, results: readonly Listed[]): KnellError {
  const names = results.map(({ name }) => name).join(', ');
  const known = names === '' ? 'its runs have reported none' : `there are ${names}`;
  return new KnellError('not-found', `the check has no number ${result}: ${known}`);
}

type Point = ResultSeriesAnswer['points'][number];

function printSeries({ unit, step, points }: ResultSeriesAnswer): void {
  if (points.length === 0) {
    print('no values in this time');
    return;
  }
  const value = (of: number | undefined): string => (of === undefined ? '' : resultValue(of, unit));
  const time: Column<Point> = { title: 'TIME', cell: (point) => localTime(Date.parse(point.time)) };
  const ofRuns: readonly Column<Point>[] = [
    { title: 'PING', cell: ({ n }) => `#${n ?? ''}` },
    { title: 'RUN', cell: ({ type }) => runCell(type) },
    { title: 'VALUE', cell: (point) => value(point.value) },
  ];
  const ofTimes: readonly Column<Point>[] = [
    { title: 'RUNS', cell: ({ runs }) => String(runs ?? '') },
    { title: 'FAILED', cell: ({ failed }) => String(failed ?? '') },
    { title: 'AVERAGE', cell: ({ average }) => value(average) },
    { title: 'LEAST', cell: ({ min }) => value(min) },
    { title: 'MOST', cell: ({ max }) => value(max) },
  ];
  printColumns([time, ...(step === 'run' ? ofRuns : ofTimes)], points);
}

function runCell(type: Point['type']): string | Cell {
  if (type === 'fail') return { text: 'failure', colour: 'red' };
  return type === 'warn' ? { text: 'warning', colour: 'yellow' } : (type ?? '');
}
