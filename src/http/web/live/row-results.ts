/**
 * What the last run of a check reported, as its row shows it. Invariant: pure; a check whose runs report nothing has the row that it had
 * before there were results.
 */
import type { Check } from '../../../domain/check/check.ts';
import { judgeResults } from '../../../domain/results/judge-results.ts';
import { readResultRules } from '../../../domain/results/result-rules.ts';
import type { Run } from '../../../domain/runs/latest-runs.ts';
import type { CheckRow } from '../../../domain/views/page-view.ts';

/** `latest`: oldest first. Each number is judged by the limits as they are now. */
export function rowResults(
  { config, runs }: Pick<Check, 'config' | 'runs'>,
  latest: readonly Run[],
): Pick<CheckRow, 'results' | 'breach'> {
  const breach = latest.at(-1)?.breach;
  const reported = lastReported(latest);
  if (reported.length === 0) return breach === undefined ? {} : { breach };
  const rules = new Map(readResultRules(config.results).map((rule) => [rule.name, rule]));
  const usual = new Map((runs?.results ?? []).map(({ name, values }) => [name, values]));
  const results = reported.map(({ name, value }) => {
    const rule = rules.get(name);
    const verdict = rule === undefined ? 'success' : judgeResults([rule], reported, usual).verdict;
    return [name, value, rule?.unit ?? '', verdict] as const;
  });
  return { results, ...(breach === undefined ? {} : { breach }) };
}

/** Of the newest run that ended; one that did not come reported nothing. */
export function lastReported(latest: readonly Run[]): Run['results'] {
  return latest.findLast(({ n }) => n !== null)?.results ?? [];
}
