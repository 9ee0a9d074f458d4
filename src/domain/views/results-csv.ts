/**
 * The results of a check as comma-separated values: the same from the API and from `knell results --csv`.
 * Invariant: pure; the columns of one step are always the same, so that files can be appended to one another.
 */
import { csvRow } from '../../lib/csv.ts';
import { limitWords } from '../results/result-words.ts';
import type { ResultListAnswer, ResultSeriesAnswer } from './api-answers.ts';

/** Each row has the name and the unit: the values of several numbers fit into one sheet. */
export function seriesCsv({ name, unit, step, points }: ResultSeriesAnswer): string {
  const ofRuns = step === 'run';
  const head = ofRuns ? ['n', 'type', 'value'] : ['runs', 'failed', 'average', 'min', 'max'];
  const rows = points.map(({ time, n, type, value, runs, failed, average, min, max }) => {
    const values = ofRuns ? [n, type, value] : [runs, failed, average, min, max];
    return csvRow([time, name, ...values.map((one) => one ?? ''), unit]);
  });
  return csvRow(['time', 'name', ...head, 'unit']) + rows.join('');
}

export function resultListCsv({ results }: ResultListAnswer): string {
  const head = [
    'name',
    'last',
    'unit',
    'last_at',
    'verdict',
    'usual_from',
    'usual_median',
    'usual_to',
    'limits',
  ];
  const rows = results.map(({ name, unit, last, last_at, verdict, usual, limits }) =>
    csvRow([
      ...[name, last ?? '', unit, last_at ?? '', verdict ?? ''],
      ...[usual?.from ?? '', usual?.median ?? '', usual?.to ?? ''],
      limits.map((limit) => `${limitWords(limit, unit)} is a ${limit.outcome}`).join('; '),
    ]),
  );
  return csvRow(head) + rows.join('');
}
