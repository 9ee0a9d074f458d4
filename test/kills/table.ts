/** What rounds have found, as a table: for each kind of blow how many, what was acknowledged and lost, and the times. */
import type { Round } from './round.ts';

const columns = [
  'rounds',
  'acknowledged',
  'lost',
  'refused',
  'cut',
  'first p50',
  'worst',
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
  const longest = rounds.map(({ longestMs }) => longestMs);
  return [
    `${rounds.length}`,
    sum(({ acknowledged }) => acknowledged),
    sum(({ lost }) => lost.length),
    sum(({ refused }) => refused),
    sum(({ cut }) => cut),
    ...[median(first), Math.max(...first), median(longest), Math.max(...longest)].map(inSeconds),
  ];
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? 0;
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
