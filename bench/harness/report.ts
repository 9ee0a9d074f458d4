/**
 * `bench/RESULTS.md` from what was kept. Invariant: every figure in it comes from the JSON; nothing is typed by hand.
 */
import { reached } from './bench.ts';
import type { Finding, Kept } from './findings.ts';
import { type ServerShares, shareRows } from './profile-shares.ts';
import { rangeOf, shown, targetText } from './table.ts';

/** `stem`: where the plots lie, seen from the report, without the plot's own name. */
export function reportOf(kept: Kept, stem: string): string {
  const lines = [
    '# Results',
    '',
    `Made by \`npm run bench\` from [${stem}.json](${stem}.json); do not edit. Medians; min … max over the rounds.`,
    '',
    ...machineLines(kept),
    ...kept.findings.flatMap((finding) => section(finding, stem)),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function machineLines({ date, machine, seed }: Kept): string[] {
  const packages = Object.entries(machine.packages).map(([name, version]) => `${name} ${version}`);
  const rows = [
    ['date', date],
    ['commit', machine.commit],
    ['processor', `${machine.cpu}, ${machine.cores} cores`],
    ['memory', machine.memory],
    ['kernel', machine.kernel],
    ['file system', machine.fileSystem],
    ['Node', machine.node],
    ['packages', packages.join(', ')],
    ['seed', String(seed)],
  ];
  return ['| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`), ''];
}

const marks: Readonly<Record<string, string>> = { true: 'reached', false: '**missed**', null: '' };

function section(
  { bench, about, size, seconds, load, skipped, figures, plots, profile, servers = [] }: Finding,
  stem: string,
): string[] {
  const rows = figures.map((figure) => {
    const verdict = [targetText(figure.target), marks[String(reached(figure))] ?? ''].join(' ').trim();
    const value = `${shown(figure.value)} ${figure.unit}`.trim();
    return `| ${figure.name} | ${value} | ${rangeOf(figure)} | ${verdict} | ${figure.note ?? ''} |`;
  });
  return [
    `## ${bench}`,
    '',
    `${about}. Size: ${size}, ${seconds} s.${load === undefined ? '' : ` Load: ${load}.`}`,
    '',
    ...(skipped === undefined
      ? ['| figure | value | min … max | target | |', '|---|--:|---|---|---|', ...rows]
      : [`Skipped: ${skipped}.`]),
    '',
    ...(plots ?? []).flatMap(({ name, title }) => [`![${title}](${stem}-${name}.svg)`, '']),
    ...(profile === undefined
      ? []
      : [`[CPU profile](results/${profile}), for [speedscope](https://www.speedscope.app)`, '']),
    ...shareLines(servers),
  ];
}

function shareLines(servers: readonly ServerShares[]): string[] {
  if (servers.length === 0) return [];
  const names = servers.map(({ server }) => server);
  return [
    `| busy time of the main threads | ${names.join(' | ')} |`,
    `|---|${names.map(() => '--:|').join('')}`,
    ...shareRows(servers).map((cells) => `| ${cells.join(' | ')} |`),
    '',
  ];
}
