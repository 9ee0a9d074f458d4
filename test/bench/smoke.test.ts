/** Every bench still runs: the figures of a smoke run mean nothing, but nothing may be lost even so. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { tempDir } from '../support/temp-dirs.ts';

const options = { cwd: fileURLToPath(new URL('../..', import.meta.url)), encoding: 'utf8' as const };
const main = 'dist/bench/bench/main.js';
const bench = (...args: string[]) => spawnSync(process.execPath, [main, ...args], options);

beforeAll(() => {
  const built = spawnSync('npx', ['tsc', '-p', 'scripts/tsconfig.bench.json'], options);
  expect(built.stdout).toBe('');
});

/** With the number of times that each run reports whether something was lost. */
const groups: [names: string[], counts: number][] = [
  [['micro', 'throughput', 'latency', 'snapshots', 'pings-beside-mail', 'mails'], 8],
  [['many-checks', 'lateness', 'api', 'deliveries'], 3],
];

test('every bench is run here', () => {
  const listed = bench('--help').stdout.split('benches:\n')[1] ?? '';
  const names = [...listed.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name);
  expect(groups.flatMap(([group]) => group).sort()).toEqual(names.sort());
});

/** Two at a time: half of a smoke run is waiting, and its figures mean nothing. */
test.concurrent.each(groups)(
  '%j run in smoke mode, lose nothing that was acknowledged, and leave their results',
  async (names, counts) => {
    const out = tempDir();
    const args = [main, '--smoke', '--out', out, ...names];
    // Rejects when the status is not 0.
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, options);
    expect(stderr).toBe('');
    const benches = [...stdout.matchAll(/^([a-z-]+): /gm)].map(([, name]) => name ?? '');
    expect(benches.sort()).toEqual([...names].sort());
    const lost = [...stdout.matchAll(/acknowledged (?:pings|mails) lost.*? {2,}([\d.]+)/g)];
    expect(lost.map(([, count]) => count)).toEqual(Array.from({ length: counts }, () => '0.00'));
    for (const [, verdict] of stdout.matchAll(
      /(?:deadlines taken|webhooks received) +20\.00 +\S+ \d+ +(\w+)/g,
    )) {
      expect(verdict).toBe('ok');
    }

    const report = readFileSync(join(out, 'RESULTS.md'), 'utf8');
    expect(report).not.toMatch(/undefined|NaN/);
    for (const name of names) expect(report).toContain(`## ${name}`);
    const plots = [...report.matchAll(/\]\((results\/[^)]+\.svg)\)/g)].map(([, file]) => file ?? '');
    expect(plots).not.toEqual([]);
    for (const file of plots) expect(readFileSync(join(out, file), 'utf8')).toMatch(/^<svg .*<\/svg>\n$/s);
  },
);

test('a bench that nobody knows, or a flag, is a wrong call', () => {
  expect(bench('nonsense').status).toBe(2);
  expect(bench('--nonsense').status).toBe(2);
});
