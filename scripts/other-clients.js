// Makes available the clients of other services, unmodified, with which the tests ping: packages of PyPI and of npm, of the versions below, in
// ~/.cache/knell-test/clients. Nobody who installs Knell gets them. Run by itself, it installs them once and says in a line each what
// there is; where one is missing, the tests that need it are skipped.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const installMs = 5 * 60_000;
const folder = join(homedir(), '.cache', 'knell-test', 'clients');

const sets = {
  python: {
    packages: ['cronitor==4.9.0', 'opsgenie-sdk==2.1.5', 'sentry-sdk==2.75.0'],
    /** What is there once they are installed. */
    file: join(folder, 'python', 'bin', 'python'),
    install: (into, packages) => [
      ['python3', '-m', 'venv', into],
      [join(into, 'bin', 'pip'), 'install', '--quiet', ...packages],
    ],
  },
  node: {
    packages: ['@sentry/node@11.12.0', '@sentry/cli@3.8.0', 'node-cron@4.6.0', 'cron@4.4.0'],
    file: join(folder, 'node', 'node_modules', '.bin', 'sentry-cli'),
    install: (into, packages) => [
      ['npm', 'install', '--silent', '--no-audit', '--no-fund', '--prefix', into, ...packages],
    ],
  },
};

/** The Python that has those of PyPI; null where they are not installed in these versions. */
export function findPythonClients() {
  return found('python');
}

/** The folder whose `node_modules` has those of npm; null where they are not installed in these versions. */
export function findNodeClients() {
  return found('node') && join(folder, 'node');
}

function found(name) {
  const { packages, file } = sets[name];
  const note = noteOf(name);
  const isInstalled =
    existsSync(file) && existsSync(note) && readFileSync(note, 'utf8') === packages.join('\n');
  return isInstalled ? file : null;
}

/** Has the versions, once all of them are installed. */
function noteOf(name) {
  return join(folder, `${name}.txt`);
}

/** Installs them, which takes half a minute. Null where they cannot be had. */
function install(name) {
  const { packages, install: commands } = sets[name];
  const into = join(folder, name);
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  const isInstalled = commands(into, packages).every(
    ([program, ...args]) =>
      spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: installMs }).status === 0,
  );
  if (isInstalled) writeFileSync(noteOf(name), packages.join('\n'));
  return found(name);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [name, { packages }] of Object.entries(sets)) {
    const isThere = (found(name) ?? install(name)) !== null;
    console.log(isThere ? packages.join(', ') : `skipped: could not be installed: ${packages.join(', ')}`);
  }
