// Makes a nats-server available to what starts its own, such as the tests of a cluster: finds one in PATH or in ~/.cache/knell-test,
// or builds the version below there with Go, once. Run by itself, it says in a line what there is; where Go is missing or the
// build fails, those tests are skipped.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const built = '2.15.2';
/** What Knell asks for. */
const oldest = [2, 12, 4];
const buildMs = 15 * 60_000;
const cache = join(homedir(), '.cache', 'knell-test');

/** The path of a nats-server that Knell can use; null where there is none. */
export function findNatsServer() {
  return ['nats-server', join(cache, 'nats-server')].find(isUsable) ?? null;
}

/** Builds one, which takes some minutes. Null where there is no Go, or the build fails. */
export function buildNatsServer() {
  const go = ['go', '/usr/local/go/bin/go'].find((one) => spawnSync(one, ['version']).status === 0);
  if (go === undefined) return null;
  mkdirSync(cache, { recursive: true });
  spawnSync(go, ['install', `github.com/nats-io/nats-server/v2@v${built}`], {
    env: { ...process.env, GOBIN: cache },
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: buildMs,
  });
  return findNatsServer();
}

function isUsable(command) {
  const { stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' });
  const [, ...parts] = /v(\d+)\.(\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  const at = oldest.findIndex((part, index) => Number(parts[index]) !== part);
  return parts.length === oldest.length && (at < 0 || Number(parts[at]) > oldest[at]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = findNatsServer() ?? buildNatsServer();
  console.log(
    file ? `nats-server: ${file}` : 'skipped: there is no nats-server, and no Go to build one with',
  );
}
