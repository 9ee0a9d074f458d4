/**
 * `npm run bench`: runs benches, prints a table, keeps the figures. Exit status 1 when a target was missed, 2 when it
 * was called wrongly.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Bench, type Figure, reached, type Size } from './harness/bench.ts';
import { readMachine } from './harness/machine.ts';
import { suite } from './suite.ts';

const results = fileURLToPath(new URL('../../../bench/results/', import.meta.url));

const help = `usage: npm run bench -- [--quick | --full | --smoke] [--no-save] [NAME…]

  --quick    a look, under a minute        --full    everything, five rounds each
  --smoke    see that every bench works    --no-save print only

benches:
${suite.map(({ name, about }) => `  ${name.padEnd(14)} ${about}`).join('\n')}
`;

interface Finding {
  readonly bench: string;
  readonly figures: readonly Figure[];
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean' },
      full: { type: 'boolean' },
      smoke: { type: 'boolean' },
      'no-save': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const unknown = positionals.find((name) => !suite.some((bench) => bench.name === name));
  if (unknown !== undefined) {
    process.stderr.write(`no bench is called ${unknown}\n\n${help}`);
    return 2;
  }
  const size: Size = values.smoke ? 'smoke' : values.quick ? 'quick' : values.full ? 'full' : 'normal';
  const chosen = suite.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const findings: Finding[] = [];
  for (const bench of chosen) {
    const figures = await runOne(bench, size);
    printTable(bench, figures);
    findings.push({ bench: bench.name, figures });
  }
  if (size !== 'smoke' && !values['no-save']) save(size, findings);
  const missed = findings.flatMap(({ figures }) => figures).filter((figure) => reached(figure) === false);
  return size !== 'smoke' && missed.length > 0 ? 1 : 0;
}

async function runOne(bench: Bench, size: Size): Promise<readonly Figure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'knell-bench-'));
  try {
    return await bench.run({ size, dir, progress: (fraction) => bar(bench.name, fraction) });
  } finally {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
    rmSync(dir, { recursive: true, force: true });
  }
}

const barWidth = 30;

function bar(name: string, fraction: number): void {
  if (!process.stderr.isTTY) return;
  const done = Math.round(fraction * barWidth);
  process.stderr.write(
    `\r${name} ${'█'.repeat(done)}${'░'.repeat(barWidth - done)} ${Math.round(fraction * 100)} %`,
  );
}

function printTable({ name, about }: Bench, figures: readonly Figure[]): void {
  process.stdout.write(`\n${name}: ${about}\n`);
  for (const figure of figures) {
    const verdict = { true: 'ok', false: 'MISSED', null: '' }[String(reached(figure))] ?? '';
    const cells = [
      figure.name.padEnd(46),
      shown(figure.value).padStart(10),
      figure.unit.padEnd(3),
      targetOf(figure).padEnd(10),
      verdict,
    ];
    process.stdout.write(`  ${cells.join(' ').trimEnd()}\n`);
  }
}

function shown(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return Math.abs(value) >= 100 ? String(Math.round(value)) : value.toFixed(2);
}

function targetOf({ target }: Figure): string {
  if (target?.atLeast !== undefined) return `≥ ${target.atLeast}`;
  return target?.atMost === undefined ? '' : `≤ ${target.atMost}`;
}

function save(size: Size, findings: readonly Finding[]): void {
  const machine = readMachine();
  mkdirSync(results, { recursive: true });
  const file = join(results, `${new Date().toISOString().slice(0, 10)}-${machine.commit}.json`);
  writeFileSync(file, `${JSON.stringify({ size, machine, findings }, null, 2)}\n`);
  process.stdout.write(`\nkept in ${file}\n`);
}

process.exitCode = await main();
