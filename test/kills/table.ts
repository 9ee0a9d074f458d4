/** What rounds have found, as a table: for each kind of blow how many, what was acknowledged and lost, and the times. */
import type { Round } from './round.ts';

const columns = [
  'rounds',
  'acknowledged',
  'lost',
  'refused',
  'cut',
  'first min',
  'p50',
  'p90',
  'worst',
  'leads p50',
  'p90',
  'longest p50',
  'worst',
];

export function tableOf(rounds: readonly Round[]): string {
  const names = [...new Set(rounds.map(({ name }) => name))].sort();
  const rows = names.map((name) => [name, ...cellsOf(rounds.filter((round) => round.name === name))]);
  const all = [['', ...columns], ...rows, ['all', ...cellsOf(rounds)]];
  const widths = columns.map((_, at) => Math.max(...all.map((row) => (row[at + 1] ?? '').length)));
  const nameWidth = Math.max(...all.map(([name = '']) => name.length));
  return all
    .map(([name = '', ...cells]) =>
      [name.padEnd(nameWidth), ...cells.map((cell, at) => cell.padStart(widths[at] ?? 0))].join('  '),
    )
    .join('\n');
}

function cellsOf(rounds: readonly Round[]): readonly string[] {
  const sum = (of: (round: Round) => number): string =>
    `${rounds.reduce((total, round) => total + of(round), 0)}`;
  const first = rounds.map(({ firstMs }) => firstMs);
  const owned = rounds.flatMap(({ ownedMs }) => (ownedMs === null ? [] : [ownedMs]));
  const longest = rounds.map(({ longestMs }) => longestMs);
  return [
    `${rounds.length}`,
    sum(({ acknowledged }) => acknowledged),
    sum(({ lost }) => lost.length),
    sum(({ refused }) => refused),
    sum(({ cut }) => cut),
    ...[Math.min(...first), quantile(first, 0.5), quantile(first, 0.9), Math.max(...first)].map(inSeconds),
    ...[quantile(owned, 0.5), quantile(owned, 0.9)].map(inSeconds),
    ...[quantile(longest, 0.5), Math.max(...longest)].map(inSeconds),
  ];
}

/** The smallest value that at least this share of them does not exceed; null of none. */
export function quantile(values: readonly number[], share: number): number | null {
  return values.toSorted((one, other) => one - other)[Math.ceil(share * values.length) - 1] ?? null;
}

function inSeconds(ms: number | null): string {
  return ms === null ? '-' : `${(ms / 1000).toFixed(2)} s`;
}
