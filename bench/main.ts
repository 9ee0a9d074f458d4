/**
 * `npm run bench`: runs benches, prints tables, keeps the figures. Exit status 1 when a target was missed, 2 when it
 * was called wrongly.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Bench, type Found, reached, type Size } from './harness/bench.ts';
import { endChildren } from './harness/children.ts';
import type { Finding } from './harness/findings.ts';
import { keep } from './harness/keep.ts';
import { readMachine, workDir } from './harness/machine.ts';
import { profiled } from './harness/profile.ts';
import { quietDisk } from './harness/quiet-disk.ts';
import { suiteSeed } from './harness/random.ts';
import { createProgress, printShares, printTable } from './harness/table.ts';
import { suite } from './suite.ts';

const ownDir = fileURLToPath(new URL('../../../bench/', import.meta.url));

const help = `usage: npm run bench -- [--quick | --full | --smoke] [--profile] [--no-save] [NAME…]

  (nothing)  the most important cases, in about five minutes
  --quick    a look, in about a minute   --full     everything, in about an hour
  --smoke    see that every bench works  --profile  keep a CPU profile of each bench; its figures mean little
  --no-save  print only                    --out DIR  keep the results there (default: bench)

benches:
${suite.map(({ name, about }) => `  ${name.padEnd(18)} ${about}`).join('\n')}
`;

const options = {
  quick: { type: 'boolean' },
  full: { type: 'boolean' },
  smoke: { type: 'boolean' },
  profile: { type: 'boolean' },
  'no-save': { type: 'boolean' },
  out: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

interface Job {
  readonly size: Size;
  readonly benches: readonly Bench[];
  readonly profile: boolean;
  readonly save: boolean;
  readonly outDir: string;
}

async function main(): Promise<number> {
  const job = jobOf(process.argv.slice(2));
  if (typeof job === 'string') {
    process.stderr.write(job);
    return 2;
  }
  if (job === null) {
    process.stdout.write(help);
    return 0;
  }
  const date = new Date().toISOString().slice(0, 10);
  const machine = readMachine();
  const findings: Finding[] = [];
  for (const bench of job.benches) {
    const stem = `${date}-${machine.commit}-${bench.name}`;
    const work = (): Promise<Found> => runOne(bench, job.size);
    const startedMs = performance.now();
    const target = job.save ? { dir: join(job.outDir, 'results'), stem } : null;
    const { result: found, servers } = job.profile
      ? await profiled(target, work)
      : { result: await work(), servers: [] };
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    printTable(bench, found);
    printShares(servers);
    const profile = job.profile ? { profile: `${stem}.cpuprofile`, servers } : {};
    findings.push({ bench: bench.name, about: bench.about, size: job.size, seconds, ...found, ...profile });
  }
  if (job.save) {
    const place = { benchDir: job.outDir, order: suite.map(({ name }) => name) };
    process.stdout.write(`\nkept in ${keep(place, { date, machine, seed: suiteSeed, findings })}\n`);
  }
  const missed = findings.flatMap(({ figures }) => figures).filter((figure) => reached(figure) === false);
  return job.size !== 'smoke' && missed.length > 0 ? 1 : 0;
}

/** Null for help, a text for what was wrong. */
function jobOf(args: string[]): Job | string | null {
  const parsed = parse(args);
  if (typeof parsed === 'string') return parsed;
  const { values, positionals } = parsed;
  if (values.help) return null;
  const unknown = positionals.find((name) => !suite.some((bench) => bench.name === name));
  if (unknown !== undefined) return `no bench is called ${unknown}\n\n${help}`;
  const size: Size = values.smoke ? 'smoke' : values.quick ? 'quick' : values.full ? 'full' : 'normal';
  return {
    size,
    benches: suite.filter(({ name }) => positionals.length === 0 || positionals.includes(name)),
    profile: values.profile === true,
    // What a smoke run finds means nothing: it is kept only where it is asked to be.
    save: !values['no-save'] && (size !== 'smoke' || values.out !== undefined),
    outDir: values.out ?? ownDir,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n\n${help}`;
  }
}

async function runOne(bench: Bench, size: Size): Promise<Found> {
  const dir = mkdtempSync(join(workDir(), 'knell-bench-'));
  const tidy = (): void => rmSync(dir, { recursive: true, force: true });
  // A run that is interrupted leaves no gigabytes behind either.
  process.once('exit', tidy);
  const progress = createProgress(bench.name);
  try {
    await quietDisk(dir, size);
    return await bench.run({ size, dir, progress: progress.show });
  } finally {
    progress.end();
    await endChildren();
    tidy();
    process.removeListener('exit', tidy);
  }
}

process.exitCode = await main();
