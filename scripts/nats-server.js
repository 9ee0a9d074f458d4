// Where nats-server is, for what starts its own: in PATH, in the cache of Knell's tests, or built into it by Go. As a command it
// makes one available to the tests of a cluster; where it cannot, it says so, and those tests are skipped.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What Knell asks for, and what is built. */
const oldest = [2, 12, 4];
const built = 'v2.15.2';
const cacheDir = join(homedir(), '.cache', 'knell-test');

/** The path of a nats-server that Knell can use; null where there is none. */
export function findNatsServer() {
  return ['nats-server', join(cacheDir, 'nats-server')].find(isUsable) ?? null;
}

/** Builds one with Go, which takes some minutes. Null where there is no Go, or it cannot. */
export function buildNatsServer() {
  const go = ['go', '/usr/local/go/bin/go'].find(runs);
  if (!go) return null;
  mkdirSync(cacheDir, { recursive: true });
  try {
    execFileSync(go, ['install', `github.com/nats-io/nats-server/v2@${built}`], {
      env: { ...process.env, GOBIN: cacheDir },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } catch {
    return null;
  }
  return findNatsServer();
}

function runs(command) {
  try {
    execFileSync(command, ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function isUsable(command) {
  if (command.includes('/') && !existsSync(command)) return false;
  try {
    const [, ...parts] =
      /v(\d+)\.(\d+)\.(\d+)/.exec(execFileSync(command, ['--version'], { encoding: 'utf8' })) ?? [];
    const at = oldest.findIndex((part, index) => Number(parts[index]) !== part);
    return parts.length === 3 && (at < 0 || Number(parts[at]) > oldest[at]);
  } catch {
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log(
    findNatsServer() ??
      buildNatsServer() ??
      'skipped: there is no nats-server, and Go is missing or cannot build it',
  );
