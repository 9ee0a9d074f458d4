// What to run before each commit: types, lint and format, the build and the subjects of the commits beside each other; then the
// tests, with the tidy tests and the smoke benches among them. The slowest tests (scripts/vitest.config.ts) are left to `npm test`,
// which CI runs. Says what each step took; exit status 1 if one failed.
import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = fileURLToPath(new URL('../node_modules/.bin', import.meta.url));
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };

/** What has been checked before is not checked again. */
const cached = (name) => `--incremental --tsBuildInfoFile node_modules/.cache/knell/${name}.tsbuildinfo`;
const first = [
  ['types', `tsc -p scripts/tsconfig.all.json ${cached('all')}`],
  ['types of the page', `tsc -p scripts/tsconfig.web.json ${cached('web')}`],
  ['lint and format', 'biome check --config-path scripts/lint.json --error-on-warnings .'],
  ['build', 'node scripts/build.js --if-changed --unchecked'],
  ['subjects of commits', 'node scripts/check-commits.js'],
];
const tests = ['tests', 'vitest run --config scripts/vitest.config.ts --project together'];

/** Resolves to whether the step went well. */
function run([name, command]) {
  const startedMs = Date.now();
  return new Promise((resolve) => {
    spawn(command, { cwd: root, env, stdio: 'inherit', shell: true }).on('close', (status) => {
      const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
      process.stdout.write(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)\n`);
      resolve(status === 0);
    });
  });
}

const results = await Promise.all(first.map(run));
results.push(await run(tests));
process.exitCode = results.every(Boolean) ? 0 : 1;
