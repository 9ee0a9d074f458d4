// Kills a Knell with SIGKILL at random moments under load, again and again on one data directory, and after each start
// compares what it says with what it had acknowledged. `--rounds N` (20), `--seed N`, `--clients N` (24), `--journal` lmdb,
// file, or both in turn (the default): then every kill is followed by a start with the other log.
//
// What must hold after every kill: each acknowledged ping is in the log with its body; n runs without gap or repetition
// up to n_pings; nothing is there that was never sent, nor anything twice; status, last ping and next ping are those
// that the newest entries of the log make. Every second check has a rule of results: its pings have the numbers that they
// brought, and what is usual of them, and each verdict, is what the good runs of the log make.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    clients: { type: 'string', default: '24' },
    journal: { type: 'string', default: 'both' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(
    'usage: npm run test:crash -- [--rounds N] [--seed N] [--clients N] [--journal lmdb|file|both]',
  );
  process.exit(0);
}
const rounds = Number(values.rounds);
const clients = Number(values.clients);
const timeoutS = 3600;
let seed = Number(values.seed);

/** mulberry32: the same kills for the same seed, as far as the machine allows. */
function random() {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
}

const dataDir = mkdtempSync(join(tmpdir(), 'knell-crash-'));
let apiKey = '';

const journals = values.journal === 'both' ? ['lmdb', 'file'] : [values.journal];
let starts = 0;

async function start() {
  const journal = journals[starts++ % journals.length];
  const child = spawn(process.execPath, [main, 'serve'], {
    env: {
      PATH: process.env.PATH,
      KNELL_DATA_DIR: dataDir,
      KNELL_HTTP: '127.0.0.1:0',
      KNELL_SMTP: 'off',
      KNELL_JOURNAL: journal,
      KNELL_API_RATE_LIMIT: '0',
      KNELL_LOG_LEVEL: 'warn',
      KNELL_SNAPSHOTS: 'off',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  const port = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`knell ended with ${code} before it was ready`)));
    child.stdout.on('data', (chunk) => {
      said += chunk;
      const ready = /ready http=http:\/\/127\.0\.0\.1:(\d+)/.exec(said);
      if (ready) resolve(Number(ready[1]));
    });
  });
  apiKey ||= /hcw_\w+/.exec(said)?.[0] ?? '';
  return { child, port, agent: new Agent({ keepAlive: true, maxSockets: clients + 4 }) };
}

function ask(knell, method, path, body, key) {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: knell.port,
        method,
        path,
        agent: knell.agent,
        headers: key ? { 'X-Api-Key': key } : {},
      },
      (reply) => {
        const parts = [];
        reply.on('data', (part) => parts.push(part));
        reply.on('error', reject);
        reply.on('end', () => resolve({ status: reply.statusCode, text: Buffer.concat(parts).toString() }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const api = async (knell, method, path, body) => {
  const reply = await ask(knell, method, `/api/v3/${path}`, body && JSON.stringify(body), apiKey);
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
  return JSON.parse(reply.text);
};

const kinds = [
  ['', 'success'],
  ['', 'success'],
  ['/fail', 'fail'],
  ['/start', 'start'],
  ['/log', 'log'],
];

/** The log shows the last thousand pings of a check: more could not be verified. */
const sentMax = 990;

/** One client, one check: pings one after the other until the server is gone. */
async function pingAlong(knell, job) {
  while (job.sent.length < sentMax) {
    const [suffix, type] = kinds[Math.floor(random() * kinds.length)];
    const body = `${job.uuid} ${job.sent.length} ${'x'.repeat(Math.floor(random() * 200))}`;
    const files = random() < 0.15 ? 500 : 100 + Math.floor(random() * 10);
    job.sent.push({ body, type, files, acknowledged: false });
    try {
      const query = job.hasNumbers ? `?m=files:${files}` : '';
      const reply = await ask(knell, 'POST', `/ping/${job.uuid}${suffix}${query}`, body);
      if (reply.status !== 200) throw new Error(`a ping got ${reply.status}`);
      job.sent.at(-1).acknowledged = true;
    } catch {
      return;
    }
  }
}

function must(condition, message) {
  if (!condition) throw new Error(message);
}

async function verify(knell, job) {
  const check = await api(knell, 'GET', `checks/${job.uuid}`);
  const { pings } = await api(knell, 'GET', `checks/${job.uuid}/pings/`);
  const log = pings.reverse();
  must(check.n_pings === log.length, `${job.uuid}: n_pings is ${check.n_pings}, the log has ${log.length}`);
  for (const [at, ping] of log.entries()) must(ping.n === at + 1, `${job.uuid}: entry ${at} has n ${ping.n}`);
  let at = 0;
  for (const sent of job.sent) {
    const logged = log[at];
    const body = logged && (await bodyOf(knell, job, logged.n));
    if (body === sent.body) {
      // A number that is far from the usual makes a warning of a success: `verifyNumbers` knows of which.
      const type = job.hasNumbers && logged.type === 'warn' ? 'success' : logged.type;
      must(type === sent.type, `${job.uuid}: n ${logged.n} is ${logged.type}, was sent as ${sent.type}`);
      const files = job.hasNumbers ? sent.files : undefined;
      must(
        logged.results?.files === files,
        `${job.uuid}: n ${logged.n} has other numbers than it was sent with`,
      );
      at++;
    } else {
      must(!sent.acknowledged, `${job.uuid}: an acknowledged ping is lost: ${sent.body.slice(0, 60)}`);
    }
  }
  must(
    at === log.length,
    `${job.uuid}: the log has ${log.length - at} pings that were never sent, or logged twice`,
  );
  verifyState(job, check, log);
  if (job.hasNumbers) await verifyNumbers(knell, job, log);
}

/** From the 10th to the 90th percentile of the last thirty good runs; null for fewer than five. */
function usualOf(values) {
  if (values.length < 5) return null;
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share) => {
    const place = share * (sorted.length - 1);
    const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return low + (high - low) * (place % 1);
  };
  return [at(0.1), at(0.5), at(0.9)];
}

async function verifyNumbers(knell, job, log) {
  let good = [];
  for (const { n, type, note, results } of log) {
    if (type !== 'success' && type !== 'warn') continue;
    const usual = usualOf(good);
    const isOdd = usual !== null && Math.abs(results.files - usual[1]) > usual[1] / 2;
    must(type === (isOdd ? 'warn' : 'success'), `${job.uuid}: n ${n} is ${type} after ${good}`);
    must(note === (isOdd ? 'result' : undefined), `${job.uuid}: n ${n} has the note ${note}`);
    if (!isOdd) good = [...good, results.files].slice(-30);
  }
  const listed = (await api(knell, 'GET', `checks/${job.uuid}/results/`)).results[0]?.usual ?? null;
  const usual = usualOf(good);
  const isSame =
    usual === null
      ? listed === null
      : [listed?.from, listed?.median, listed?.to].every((one, at) => Math.abs(one - usual[at]) < 1e-9);
  must(isSame, `${job.uuid}: usual is ${JSON.stringify(listed)}, the log says ${usual}`);
}

function verifyState(job, check, log) {
  const ends = log.filter(({ type }) => type === 'success' || type === 'fail' || type === 'warn');
  const deciding = ends.at(-1);
  let status = 'new';
  // A warning leaves a check down that is down.
  for (const { type } of ends)
    status = type === 'fail' || (type === 'warn' && status === 'down') ? 'down' : 'up';
  must(check.status === status, `${job.uuid}: status is ${check.status}, the log says ${status}`);
  const lastPing = deciding ? Date.parse(deciding.date) : null;
  const shown = check.last_ping === null ? null : Date.parse(check.last_ping);
  must(
    shown === (lastPing === null ? null : Math.floor(lastPing / 1000) * 1000),
    `${job.uuid}: last_ping is wrong`,
  );
  if (status === 'up' && !check.started) {
    const expected = Math.floor((lastPing + timeoutS * 1000) / 1000) * 1000;
    must(Date.parse(check.next_ping) === expected, `${job.uuid}: next_ping is ${check.next_ping}`);
  }
}

async function bodyOf(knell, job, n) {
  const reply = await ask(knell, 'GET', `/api/v3/checks/${job.uuid}/pings/${n}/body`, undefined, apiKey);
  return reply.text;
}

async function stop(knell, signal) {
  const gone = new Promise((resolve) => knell.child.once('exit', resolve));
  knell.child.kill(signal);
  await gone;
  knell.agent.destroy();
}

let acknowledged = 0;
let knell = await start();
try {
  for (let round = 1; round <= rounds; round++) {
    const jobs = await Promise.all(
      Array.from({ length: clients }, async (_, at) => {
        const hasNumbers = at % 2 === 1;
        const results = hasNumbers ? { results: 'files: change 50% warns' } : {};
        const { uuid } = await api(knell, 'POST', 'checks/', { timeout: timeoutS, ...results });
        return { uuid, hasNumbers, sent: [] };
      }),
    );
    const running = jobs.map((job) => pingAlong(knell, job));
    await sleep(20 + random() * (round % 4 === 0 ? 1500 : 250));
    await stop(knell, 'SIGKILL');
    await Promise.all(running);
    const startedMs = Date.now();
    knell = await start();
    const readyMs = Date.now() - startedMs;
    await Promise.all(jobs.map((job) => verify(knell, job)));
    const count = jobs.flatMap(({ sent }) => sent).filter((sent) => sent.acknowledged).length;
    acknowledged += count;
    console.log(
      `round ${round}/${rounds}: killed after ${count} acknowledged pings, ready again in ${readyMs} ms`,
    );
    await Promise.all(jobs.map(({ uuid }) => api(knell, 'DELETE', `checks/${uuid}`)));
  }
  await stop(knell, 'SIGTERM');
  console.log(
    `${rounds} kills, ${acknowledged} acknowledged pings, none lost (journal ${values.journal}, seed ${values.seed})`,
  );
} catch (error) {
  console.error(`FAILED (seed ${values.seed}, data kept in ${dataDir}): ${error.message}`);
  knell.child.kill('SIGKILL');
  process.exit(1);
}
rmSync(dataDir, { recursive: true, force: true });
