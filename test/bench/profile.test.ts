/** `--profile`: what it leaves, and what it leaves alone. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { bench, buildBenches } from '../support/smoke-benches.ts';
import { tempDir } from '../support/temp-dirs.ts';

beforeAll(buildBenches);

test('a bench that is profiled leaves a profile that speedscope opens, and the results of others as they are', () => {
  const out = tempDir();
  expect(bench('--smoke', '--out', out, 'micro').status).toBe(0);
  expect(bench('--smoke', '--profile', '--out', out, 'latency').status).toBe(0);
  const kept = readdirSync(join(out, 'results'));
  const [file = ''] = kept.filter((name) => name.endsWith('-latency.cpuprofile'));
  const text = readFileSync(join(out, 'results', file), 'utf8');
  const { nodes, samples, timeDeltas, startTime, endTime } = JSON.parse(text);
  expect(text).toMatch(/"url":"dist\/core-[\w-]+\.js"/);
  expect(text).not.toContain('file:///');
  expect(nodes[0].callFrame.functionName).toBe('(root)');
  expect(samples.length).toBe(timeDeltas.length);
  expect(endTime).toBeGreaterThan(startTime);
  const report = readFileSync(join(out, 'RESULTS.md'), 'utf8');
  expect(report).toContain('## micro');
  expect(report).toContain(`[CPU profile](results/${file})`);
  // Parts of each kind of server, largest first, which add up to all of its time.
  const table = report.split('| busy time of the main threads |')[1]?.split('\n\n')[0]?.trimEnd() ?? '';
  const [kinds = '', , ...rows] = table
    .split('\n')
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$| %/g, '').trim()));
  expect(kinds).toEqual(expect.arrayContaining(['bare uWebSockets.js', 'file log', 'lmdb log']));
  expect(rows.map(([part]) => part)).toEqual(
    expect.arrayContaining(['kernel, event loop and HTTP parser', 'src/http, with native calls']),
  );
  for (const column of [1, 2, 3])
    expect(rows.reduce((sum, row) => sum + Number(row[column]), 0)).toBeCloseTo(100, 0);
  const figures = (text: string): string => text.split('## micro')[1]?.split('\n| classify')[1] ?? '';
  expect(bench('--smoke', '--profile', '--out', out, 'micro').status).toBe(0);
  const again = readFileSync(join(out, 'RESULTS.md'), 'utf8');
  expect(figures(report)).not.toBe('');
  expect(figures(again).split('\n')[0]).toBe(figures(report).split('\n')[0]);
  expect(again).toMatch(/results\/[^)]*micro\.cpuprofile/);
});
