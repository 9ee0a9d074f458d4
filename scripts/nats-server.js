// Makes a nats-server available to the tests of a cluster: builds the version below with Go, once, into ~/.cache/knell-test.
// Where Go is missing or the build fails it says so in a line, and those tests are skipped. Takes some minutes the first time.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const version = '2.15.2';
const buildMs = 15 * 60_000;
const cache = join(homedir(), '.cache', 'knell-test');
const file = join(cache, 'nats-server');

function install() {
  if (spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout?.includes(`v${version}`))
    return `nats-server ${version} is in ${cache}`;
  const go = ['go', '/usr/local/go/bin/go'].find((one) => spawnSync(one, ['version']).status === 0);
  if (go === undefined) return 'skipped: there is no Go to build nats-server with';
  mkdirSync(cache, { recursive: true });
  const built = spawnSync(go, ['install', `github.com/nats-io/nats-server/v2@v${version}`], {
    env: { ...process.env, GOBIN: cache },
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: buildMs,
  });
  if (built.status === 0 && existsSync(file)) return `built nats-server ${version} into ${cache}`;
  return 'skipped: nats-server could not be built';
}

console.log(install());
