// Lets schemathesis (PyPI) try a running Knell by its OpenAPI document: requests within and beside the schema, each answer held
// against it. Installs it into a folder of its own that is removed again. Where Python 3 with venv is missing, or the package
// cannot be installed, it says so and ends well. Needs the build. `--seconds N`: how long it tries, 25 by default.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '25' } } });
const directory = mkdtempSync(join(tmpdir(), 'knell-schemathesis-'));
const installMs = 180_000;
const tryMs = Number(values.seconds) * 1000 + 60_000;

/** Which texts are schedules, time zones and integrations. */
const hooks = fileURLToPath(new URL('./schemathesis_hooks.py', import.meta.url));

process.exitCode = await run().finally(() => rmSync(directory, { recursive: true, force: true }));

async function run() {
  const program = install();
  if (program === null) return 0;
  const knell = await startKnell();
  try {
    return tryOut(program, knell);
  } finally {
    await knell.stop();
  }
}

/** The path of the installed program; null where it cannot be had. */
function install() {
  const skipped = (why) => {
    process.stdout.write(`skipped: ${why}\n`);
    return null;
  };
  const venv = join(directory, 'venv');
  const quiet = { stdio: 'ignore', timeout: installMs };
  if (spawnSync('python3', ['-m', 'venv', venv], quiet).status !== 0)
    return skipped('there is no Python 3 with venv');
  const pip = join(venv, 'bin', 'pip');
  if (spawnSync(pip, ['install', '--quiet', 'schemathesis~=4.0'], quiet).status !== 0)
    return skipped('schemathesis cannot be installed');
  return join(venv, 'bin', 'schemathesis');
}

async function startKnell() {
  const env = {
    PATH: process.env.PATH,
    KNELL_DATA_DIR: join(directory, 'data'),
    KNELL_HTTP: '127.0.0.1:0',
    KNELL_SMTP: 'off',
    KNELL_API_RATE_LIMIT: '0',
    KNELL_LOG_LEVEL: 'error',
  };
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  const child = spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let key = '';
  for await (const line of createInterface(child.stdout)) {
    key = /^ {2}read-write +(\S+)$/.exec(line)?.[1] ?? key;
    const url = /^knell: ready http=(\S+)/.exec(line)?.[1];
    if (url === undefined) continue;
    child.stdout.resume();
    const stop = () => {
      child.kill('SIGTERM');
      return ended;
    };
    return { url, key, stop };
  }
  throw new Error(`Knell ended before it was ready: ${await ended}`);
}

function tryOut(program, { url, key }) {
  const { status } = spawnSync(
    program,
    [
      'run',
      `${url}/api/v3/openapi.json`,
      ...['--url', `${url}/api/v3`, '--header', `X-Api-Key:${key}`],
      ...['--max-time', values.seconds, '--seed', '1', '--generation-database', 'none'],
      ...['--checks', 'all', '--continue-on-failure', '--no-color'],
    ],
    {
      cwd: directory,
      env: { ...process.env, SCHEMATHESIS_HOOKS: hooks, PYTHONDONTWRITEBYTECODE: '1' },
      stdio: 'inherit',
      timeout: tryMs,
    },
  );
  return status === 0 ? 0 : 1;
}
