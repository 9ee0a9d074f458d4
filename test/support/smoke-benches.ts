/** Benches in smoke mode: their figures mean nothing, but nothing may be lost even so. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { tempDir } from './temp-dirs.ts';

const options = { cwd: fileURLToPath(new URL('../..', import.meta.url)), encoding: 'utf8' as const };
const main = 'dist/bench/bench/main.js';

export const bench = (...args: string[]) => spawnSync(process.execPath, [main, ...args], options);

const lock = 'dist/.benches-being-built';
/** A compiler takes a few seconds: what is older was left by a test that was killed. */
const lockMsMax = 120_000;

/**
 * The build of the product leaves the benches out. One test file at a time: a compiler that writes the files anew would take
 * them from under the benches of another; what has not changed is not written.
 */
export function buildBenches(): void {
  while (!taken()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  try {
    const built = spawnSync('npx', ['tsc', '-p', 'scripts/tsconfig.bench.json'], options);
    expect(built.stdout).toBe('');
  } finally {
    rmSync(join(options.cwd, lock), { recursive: true, force: true });
  }
}

function taken(): boolean {
  const path = join(options.cwd, lock);
  mkdirSync(join(options.cwd, 'dist'), { recursive: true });
  try {
    mkdirSync(path);
    return true;
  } catch {
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > lockMsMax) rmSync(path, { recursive: true, force: true });
    return false;
  }
}

/** Which benches run in one process, and how often they report whether something was lost. */
export interface SmokeGroup {
  readonly names: readonly string[];
  readonly lossReports: number;
  readonly hasPlots: boolean;
  readonly mayBeSkipped?: boolean;
}

/** Those of `npm test`: one that starts no server, and one that does. */
export const quickGroups: readonly SmokeGroup[] = [
  { names: ['micro', 'results', 'latency'], lossReports: 2, hasPlots: true },
];
/** Those that are left to `npm run test:long`. */
export const slowGroups: readonly SmokeGroup[] = [
  { names: ['throughput', 'deliveries'], lossReports: 3, hasPlots: true },
  { names: ['snapshots', 'pings-beside-mail', 'mails', 'pages', 'search'], lossReports: 5, hasPlots: false },
  { names: ['many-checks', 'lateness', 'api'], lossReports: 3, hasPlots: true },
  { names: ['events'], lossReports: 1, hasPlots: false },
  // Without a nats-server it says so, and measures nothing.
  { names: ['cluster'], lossReports: 1, hasPlots: false, mayBeSkipped: true },
  { names: ['catch-up'], lossReports: 0, hasPlots: false, mayBeSkipped: true },
];
/** Runs them, and holds them to losing nothing that was acknowledged and to leaving their results. */
export async function runSmoke({ names, lossReports, hasPlots, mayBeSkipped }: SmokeGroup): Promise<void> {
  const out = tempDir();
  // Rejects when the status is not 0.
  const args = [main, '--smoke', '--out', out, ...names];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, options);
  // There is no terminal: a line when each begins, and one for each measurement.
  const said = stderr.trimEnd().split('\n');
  expect(said.filter((line) => !/^[a-z-]+: (?:begins|\d+ % after \d+ s)$/.test(line))).toEqual([]);
  expect(said.filter((line) => line.endsWith(': begins'))).toHaveLength(names.length);
  const benches = [...stdout.matchAll(/^([a-z-]+): /gm)].map(([, name]) => name ?? '');
  expect(benches.sort()).toEqual([...names].sort());
  const lost = [...stdout.matchAll(/acknowledged (?:pings|mails) lost.*? {2,}([\d.]+)/g)];
  const isSkipped = mayBeSkipped === true && /^ {2}skipped: /m.test(stdout);
  for (const name of isSkipped ? [] : names)
    expect(stderr).toMatch(new RegExp(`^${name}: \\d+ % after`, 'm'));
  const reports = isSkipped ? 0 : lossReports;
  expect(lost.map(([, count]) => count)).toEqual(Array.from({ length: reports }, () => '0.00'));
  const received = /(?:deadlines taken|webhooks received) +20\.00 +\S+ \d+ +(\w+)/g;
  for (const [, verdict] of stdout.matchAll(received)) expect(verdict).toBe('ok');
  const report = readFileSync(join(out, 'RESULTS.md'), 'utf8');
  expect(report).not.toMatch(/undefined|NaN/);
  for (const name of names) expect(report).toContain(`## ${name}`);
  const plots = [...report.matchAll(/\]\((results\/[^)]+\.svg)\)/g)].map(([, file]) => file ?? '');
  expect(plots.length > 0).toBe(hasPlots);
  for (const file of plots) expect(readFileSync(join(out, file), 'utf8')).toMatch(/^<svg .*<\/svg>\n$/s);
}
