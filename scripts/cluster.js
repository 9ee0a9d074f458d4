// `npm run cluster`: three nats-servers and three Knells on this machine, for a look at a cluster. Ctrl-C ends them all.
// `--dir DIR` keeps the data there; by default a temporary directory, which is removed in the end.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildNatsServer, findNatsServer } from './nats-server.js';

const { values } = parseArgs({
  options: { dir: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
});
if (values.help) {
  console.log(
    'usage: npm run cluster -- [--dir DIR]\n\nStarts three nats-servers and three Knells on this machine.',
  );
  process.exit(0);
}
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const dir = values.dir ? resolve(values.dir) : mkdtempSync(join(tmpdir(), 'knell-cluster-'));
const names = ['a', 'b', 'c'];
const token = randomBytes(18).toString('base64url');
const children = new Set();
let isEnding = false;

let server = findNatsServer();
if (server === null) {
  console.log('building nats-server, which takes some minutes');
  server = buildNatsServer();
}
if (server === null) {
  console.error(
    'knell: nats-server 2.12.4 or later is not in PATH, and Go is not here to build it: https://nats.io/download',
  );
  process.exit(1);
}
process.once('SIGINT', end);
process.once('SIGTERM', end);

const ports = await freePorts(6);
const urls = names.map((_, at) => `nats://${token}@127.0.0.1:${ports[at]}`);
for (const [at, name] of names.entries()) startNats(name, at);
for (const name of names) startKnell(name);
console.log(`\nknell cluster status --data-dir ${join(dir, 'knell-a')}\nCtrl-C ends all of them.\n`);

function startNats(name, at) {
  const home = join(dir, `nats-${name}`);
  mkdirSync(home, { recursive: true });
  const routes = names.map((_, other) => `nats-route://knell:${token}@127.0.0.1:${ports[3 + other]}`);
  writeFileSync(
    join(home, 'nats.conf'),
    `server_name: ${name}
listen: "127.0.0.1:${ports[at]}"
authorization { token: "${token}" }
jetstream { store_dir: "${home}", sync_interval: always, max_file_store: 2GB }
cluster {
  name: knell
  listen: "127.0.0.1:${ports[3 + at]}"
  authorization { user: knell, password: "${token}" }
  routes: [ ${routes.map((route) => `"${route}"`).join(', ')} ]
}
`,
    { mode: 0o600 },
  );
  follow(
    spawn(server, ['-c', join(home, 'nats.conf'), '-l', join(home, 'nats.log')], { stdio: 'ignore' }),
    `nats ${name}`,
    () => startNats(name, at),
  );
}

function startKnell(name) {
  const child = spawn(process.execPath, [main, 'serve'], {
    env: {
      ...process.env,
      KNELL_DATA_DIR: join(dir, `knell-${name}`),
      KNELL_CLUSTER: urls.join(','),
      KNELL_NODE: name,
      KNELL_HTTP: '127.0.0.1:0',
      KNELL_SMTP: '127.0.0.1:0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => console.log(`${name}: ${shown(line)}`));
  // A node that was replaced ends, and is a standby when it is started again: on a server, the service manager does it.
  follow(child, `knell ${name}`, () => startKnell(name));
}

/** A line of the log as people read it. */
function shown(line) {
  if (!line.startsWith('{')) return line;
  const { msg, level, time, pid, hostname, ...rest } = JSON.parse(line);
  return `${msg} ${Object.keys(rest).length > 0 ? JSON.stringify(rest) : ''}`;
}

function follow(child, what, again) {
  children.add(child);
  child.once('exit', (status, signal) => {
    children.delete(child);
    if (isEnding) return;
    console.log(`${what} ended (${signal ?? status}): starting it again`);
    setTimeout(() => !isEnding && again(), 1000);
  });
}

async function end() {
  isEnding = true;
  const all = [...children];
  for (const child of all) child.kill('SIGTERM');
  await Promise.all(all.map((child) => (child.exitCode === null ? once(child, 'exit') : null)));
  if (!values.dir) rmSync(dir, { recursive: true, force: true });
  process.exit(0);
}

async function freePorts(count) {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const one = createServer().listen(0, '127.0.0.1');
      await once(one, 'listening');
      return one;
    }),
  );
  const found = servers.map((one) => one.address().port);
  await Promise.all(servers.map((one) => new Promise((done) => one.close(done))));
  return found;
}
