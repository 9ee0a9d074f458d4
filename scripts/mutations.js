// Plants one bug after the other (test/mutations/*.json) and runs the test that must find it, on a copy of the sources.
// `npm run test:mutations` runs all, `npm run test:mutations -- NAME…` some. Ends with what was found; exit status 1 where a bug
// was not, or cannot be planted any more.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'test/mutations');
const wanted = process.argv.slice(2);
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace(/\.json$/, ''))
  .filter((name) => wanted.length === 0 || wanted.includes(name));
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`no such mutation: ${unknown.join(', ')}; they are in test/mutations\n`);
  process.exit(2);
}

const copy = mkdtempSync(join(tmpdir(), 'knell-mutations-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const name of ['src', 'test', 'scripts', 'bench', 'snapshots', 'package.json', 'tsconfig.json'])
  cpSync(join(root, name), join(copy, name), { recursive: true });
for (const name of ['node_modules', 'dist']) symlinkSync(join(root, name), join(copy, name));

/** Whether the test passes on the copy as it is now. A test that hangs has found the bug, too. */
function passes(test) {
  const options = { cwd: copy, encoding: 'utf8', timeout: 120_000, killSignal: 'SIGKILL' };
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'scripts/vitest.config.ts',
    '--project',
    'every',
    '--project',
    'long',
    '--bail',
    '1',
  ];
  return spawnSync(process.execPath, [...args, test], options).status === 0;
}

let killed = 0;
const survived = [];
for (const [at, name] of names.entries()) {
  const { bug, file, find, replace, test } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
  const path = join(copy, file);
  const sound = readFileSync(path, 'utf8');
  const isPlanted = sound.split(find).length === 2;
  if (isPlanted)
    writeFileSync(
      path,
      sound.replace(find, () => replace),
    );
  const outcome = !isPlanted ? 'cannot be planted' : passes(test) ? 'SURVIVED' : 'killed';
  writeFileSync(path, sound);
  if (outcome === 'killed') killed++;
  else survived.push(`${name}: ${bug} (${file}, ${test}): ${outcome}`);
  process.stdout.write(`${String(at + 1).padStart(2)}/${names.length} ${outcome.padEnd(9)} ${name}\n`);
}
for (const line of survived) process.stdout.write(`\n${line}`);
process.stdout.write(`${survived.length > 0 ? '\n\n' : ''}${killed} killed, ${survived.length} survived\n`);
process.exitCode = survived.length > 0 ? 1 : 0;
