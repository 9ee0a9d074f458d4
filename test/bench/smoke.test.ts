/** Every bench still runs: the figures of a smoke run mean nothing, but nothing may be lost even so. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { tempDir } from '../support/temp-dirs.ts';

const options = { cwd: fileURLToPath(new URL('../..', import.meta.url)), encoding: 'utf8' as const };
const bench = (...args: string[]) =>
  spawnSync(process.execPath, ['dist/bench/bench/main.js', ...args], options);

beforeAll(() => {
  const built = spawnSync('npx', ['tsc', '-p', 'scripts/tsconfig.bench.json'], options);
  expect(built.stdout).toBe('');
}, 60_000);

test('every bench runs in smoke mode, loses nothing that was acknowledged, and leaves its results', () => {
  const out = tempDir();
  const run = bench('--smoke', '--out', out);
  expect(run.stderr).toBe('');
  expect(run.status).toBe(0);
  const benches = [...run.stdout.matchAll(/^([a-z-]+): /gm)].map(([, name]) => name);
  const names = ['micro', 'throughput', 'latency', 'many-checks', 'lateness', 'api', 'mails'];
  expect(benches).toEqual([...names, 'pings-beside-mail', 'snapshots']);
  const lost = [...run.stdout.matchAll(/acknowledged (?:pings|mails) lost.*? {2,}([\d.]+)/g)];
  expect(lost.map(([, count]) => count)).toEqual(lost.map(() => '0.00'));
  expect(lost.length).toBeGreaterThanOrEqual(8);
  expect(run.stdout).toMatch(/deadlines taken +20\.00 .*ok/);
  expect(run.stdout).toMatch(/webhooks received +20\.00 .*ok/);

  const report = readFileSync(join(out, 'RESULTS.md'), 'utf8');
  expect(report).not.toMatch(/undefined|NaN/);
  for (const name of benches) expect(report).toContain(`## ${name}`);
  const plots = [...report.matchAll(/\]\((results\/[^)]+\.svg)\)/g)].map(([, file]) => file ?? '');
  expect(plots.map((file) => file.replace(/^.*-(?=[a-z-]+\.svg)/, ''))).not.toEqual([]);
  for (const file of plots) expect(readFileSync(join(out, file), 'utf8')).toMatch(/^<svg .*<\/svg>\n$/s);
}, 60_000);

test('a bench that is profiled leaves a flame graph, and the results of others as they are', () => {
  const out = tempDir();
  expect(bench('--smoke', '--out', out, 'micro').status).toBe(0);
  expect(bench('--smoke', '--profile', '--out', out, 'latency').status).toBe(0);
  const kept = readdirSync(join(out, 'results'));
  expect(kept.filter((name) => /-latency-flame\.(cpuprofile|svg)$/.test(name))).toHaveLength(2);
  const flame = kept.find((name) => name.endsWith('-flame.svg')) ?? '';
  expect(readFileSync(join(out, 'results', flame), 'utf8')).toMatch(/journal/);
  const report = readFileSync(join(out, 'RESULTS.md'), 'utf8');
  expect(report).toContain('## micro');
  expect(report).toContain(`[Flame graph](results/${flame})`);
}, 60_000);

test('a bench that nobody knows, or a flag, is a wrong call', () => {
  expect(bench('nonsense').status).toBe(2);
  expect(bench('--nonsense').status).toBe(2);
});
