// What to run before each commit, in the order in which it fails soonest: types, lint and format, then the tests with the
// tidy test and the smoke benches among them. The slowest tests (scripts/vitest.config.ts) are left to `npm test`, which
// CI runs. Says what each step took; exit status 1 if one failed.
import { spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = fileURLToPath(new URL('../node_modules/.bin', import.meta.url));
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };

const steps = [
  ['types', 'tsc -p scripts/tsconfig.all.json'],
  ['types of the page', 'tsc -p scripts/tsconfig.web.json'],
  ['lint and format', 'biome check --config-path scripts/lint.json --error-on-warnings .'],
  ['build', 'npm run --silent build'],
  ['tests', 'vitest run --config scripts/vitest.config.ts --project together'],
];

let failed = 0;
for (const [name, command] of steps) {
  const startedMs = Date.now();
  const { status } = spawnSync(command, { cwd: root, env, stdio: 'inherit', shell: true });
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
  process.stdout.write(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)\n`);
  if (status !== 0) failed++;
}
process.exitCode = failed === 0 ? 0 : 1;
