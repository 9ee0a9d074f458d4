// Builds what runs: the server, the page, the manual. With --if-changed only when a source has changed since the last build,
// so that starting Knell again takes no time. `start.js` calls it too. With --unchecked it checks no types: `check.js` does so
// beside it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const stamp = join(dist, '.built.json');
const scripts = ['scripts/build-docs.js', 'scripts/generated-docs.js', 'scripts/after-build.js'];
const configs = ['vite', 'vite-run', 'vite-server', 'vite-threads'].map(
  (name) => `scripts/${name}.config.ts`,
);
/** What a build depends on. */
const sources = ['src', 'tsconfig.json', 'package-lock.json', ...configs, ...scripts];
/** Builds of their own, with their own commands. */
const others = ['bench', 'simulation', 'kills'];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--if-changed')) buildIfChanged();
  else build(stateOf(filesOf(sources)));
}

export function buildIfChanged() {
  const files = filesOf(sources);
  const built = stateOfBuild();
  if (built.dates === datesOf(files)) return;
  const state = stateOf(files);
  if (state.contents === built.contents) return writeFileSync(stamp, JSON.stringify(state));
  process.stderr.write('knell: building, which takes some seconds after each update\n');
  build(state);
}

function build(state) {
  if (existsSync(dist))
    for (const name of readdirSync(dist).filter((one) => !others.includes(one)))
      rmSync(join(dist, name), { recursive: true });
  try {
    const unchecked = process.argv.includes('--unchecked') ? ['--noCheck'] : [];
    run('typescript/bin/tsc', '-p', 'tsconfig.json', ...unchecked);
    for (const config of configs) run('vite/bin/vite.js', 'build', '--config', config, '--logLevel', 'warn');
    for (const script of ['scripts/build-docs.js', 'scripts/after-build.js'])
      execFileSync(process.execPath, [join(root, script)], { stdio: 'inherit' });
  } catch {
    process.exit(1);
  }
  writeFileSync(join(dist, 'commit.txt'), commit());
  writeFileSync(stamp, JSON.stringify(state));
}

function run(program, ...args) {
  const file = join(root, 'node_modules', program);
  if (!existsSync(file)) {
    process.stderr.write('knell: run "npm ci" first: the programs that build Knell are not installed\n');
    process.exit(2);
  }
  // What a compiler finds wrong belongs to stderr: stdout is the server's.
  execFileSync(process.execPath, [file, ...args], {
    cwd: root,
    stdio: ['ignore', process.stderr, 'inherit'],
  });
}

/** Empty where the sources are no checkout, and nobody said of which they are. */
function commit() {
  if (process.env.COMMIT) return process.env.COMMIT;
  try {
    const asked = ['-C', root, 'rev-parse', '--short', 'HEAD'];
    return execFileSync('git', asked, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

/** Of none where nothing is built, or the stamp was cut off by a crash. */
function stateOfBuild() {
  try {
    return JSON.parse(readFileSync(stamp, 'utf8'));
  } catch {
    return {};
  }
}

/** Taken before the build: what changes meanwhile is built by the next one. */
function stateOf(files) {
  return { dates: datesOf(files), contents: contentsOf(files) };
}

/** Quick to read. The time of the last change of a file is set by the system: nothing can change a file and keep it. */
function datesOf(files) {
  const hash = createHash('sha256').update(process.version);
  for (const path of files) {
    const { size, ctimeMs } = statSync(join(root, path));
    hash.update(`${path} ${size} ${ctimeMs}\n`);
  }
  return hash.digest('hex');
}

/** Of names and contents: dates say nothing about a checkout. */
function contentsOf(files) {
  const hash = createHash('sha256').update(process.version);
  for (const path of files) hash.update(`\n${path}\n`).update(readFileSync(join(root, path)));
  return hash.digest('hex');
}

function filesOf(paths) {
  return paths.flatMap(filesIn).sort();
}

function filesIn(path) {
  const entries = path.includes('.')
    ? null
    : readdirSync(join(root, path), { withFileTypes: true, recursive: true });
  if (entries === null) return [path];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length));
}
