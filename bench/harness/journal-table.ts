/**
 * What the two logs cost, as a small table in a README, between two marks. Invariant: every figure comes from what was kept;
 * where one of them is missing the table stays as it is.
 */
import type { Figure } from './bench.ts';
import type { Kept } from './findings.ts';
import { shown } from './table.ts';

const begin = '<!-- journal table: made by npm run bench -->';
const end = '<!-- end of the journal table -->';

/** What is shown of a log, by the name of its figure. */
const rows: readonly (readonly [label: string, figure: (journal: string) => string])[] = [
  ['a ping that comes alone, p50', (journal) => `GET by uuid, fsync, ${journal} log, 1 connections: p50`],
  ['16 connections', (journal) => `GET by uuid, fsync, ${journal} log, 16 connections`],
  [
    '… as a share of bare uWebSockets.js',
    (journal) => `GET by uuid, fsync, ${journal} log, 16 connections: ratio`,
  ],
  ['256 connections', (journal) => `GET by uuid, fsync, ${journal} log, 256 connections`],
  [
    '… as a share of bare uWebSockets.js',
    (journal) => `GET by uuid, fsync, ${journal} log, 256 connections: ratio`,
  ],
  ['p99 while 5,000 a second are offered', (journal) => `${journal} log, 5000/s offered: p99`],
];

/** `text` with the table renewed; unchanged without the marks or without the figures. */
export function withJournalTable(text: string, { findings, machine, date }: Kept): string {
  const figures = findings.flatMap((finding) => finding.figures);
  const lines = rows.flatMap(([label, nameOf]) => {
    const cells = ['lmdb', 'file'].map((journal) => figures.find(({ name }) => name === nameOf(journal)));
    return cells.every((cell) => cell !== undefined)
      ? [`| ${label} | ${cells.map(cellOf).join(' | ')} |`]
      : [];
  });
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from || lines.length < rows.length) return text;
  const table = [
    begin,
    `| durable pings | \`lmdb\` (default) | \`file\` |`,
    '|---|--:|--:|',
    ...lines,
    '',
    `${machine.cpu}, ${machine.cores} cores, ${machine.fileSystem}; ${date}, commit ${machine.commit}.`,
    '',
  ].join('\n');
  return text.slice(0, from) + table + text.slice(to);
}

function cellOf(figure: Figure | undefined): string {
  return figure ? `${shown(figure.value)} ${figure.unit}`.replace(' /s', '/s').replace(' ×', '') : '';
}
