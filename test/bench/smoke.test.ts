/** Every bench still runs: the figures of a smoke run mean nothing, but nothing may be lost even so. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('every bench runs in smoke mode and loses no acknowledged ping', () => {
  const options = { cwd: root, encoding: 'utf8' as const };
  const built = spawnSync('npx', ['tsc', '-p', 'scripts/tsconfig.bench.json'], options);
  expect(built.stdout).toBe('');
  const run = spawnSync(process.execPath, ['dist/bench/bench/main.js', '--smoke'], options);
  expect(run.stderr).toBe('');
  expect(run.stdout).toMatch(/acknowledged pings lost +0\.00/);
  expect(run.stdout).toMatch(/lateness p99/);
  expect(run.stdout).toMatch(/acknowledged mails lost +0\.00/);
  expect(run.stdout).toMatch(/p99, mail pours in/);
  expect(run.stdout).toMatch(/deadline to webhook p99/);
  expect(run.stdout).toMatch(/webhooks told of flips at once +50/);
  expect(run.status).toBe(0);
}, 60_000);
