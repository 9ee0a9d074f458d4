// Makes a golden data directory: runs a built Knell of any version, gives it something to keep, kills it with a part of its
// journal not folded, and packs what it left together with what it said before. `test/store/data-dirs.test.ts` starts
// today's Knell on each. Two minutes, since a check has to go down by itself.
//
//   git worktree add /tmp/old COMMIT && cd /tmp/old && npm ci && npm run build
//   node scripts/make-data-dir.js /tmp/old test/store/data-dirs/format-N-lmdb lmdb
//
// test/store/data-dirs/README.md lists which commit made which directory.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { constants, gzipSync } from 'node:zlib';

const [checkout, out] = process.argv.slice(2, 4).map((path) => resolve(path));
const journal = process.argv[4];
if (!journal) throw new Error('usage: node scripts/make-data-dir.js CHECKOUT DIRECTORY JOURNAL');
const dataDir = join(mkdtempSync(join(tmpdir(), 'knell-golden-')), 'data');
/** Less than the five seconds after which a Knell folds at the earliest: until then what was written is in the journal alone. */
const unfoldedMsMax = 4500;
const password = 'correct horse battery';

const { child, url, said } = await serve();
const keys = {
  readWrite: /read-write +(\S+)/.exec(said)?.[1],
  readOnly: /read-only +(\S+)/.exec(said)?.[1],
  ping: /ping key +(\S+)/.exec(said)?.[1],
};
const setUpLink = /set-password#(\S+)/.exec(said)?.[1];

async function serve() {
  const server = spawn(process.execPath, [join(checkout, 'dist/main.js'), 'serve'], {
    env: {
      PATH: process.env.PATH,
      KNELL_DATA_DIR: dataDir,
      KNELL_HTTP: '127.0.0.1:0',
      KNELL_SMTP: 'off',
      KNELL_JOURNAL: journal,
      KNELL_BASE_URL: 'http://knell.test',
      KNELL_API_RATE_LIMIT: '0',
      KNELL_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  for await (const chunk of server.stdout) {
    printed += chunk;
    const ready = /ready http=(\S+)/.exec(printed)?.[1];
    if (ready) return { child: server, url: ready, said: printed };
  }
  throw new Error('Knell ended before it was ready');
}

async function call(method, path, { key, body, headers = {} } = {}) {
  const answer = await fetch(url + path, {
    method,
    headers: { ...(key ? { 'X-Api-Key': key } : {}), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

const api = async (method, path, json) =>
  (await call(method, `/api/v3/${path}`, { key: keys.readWrite, body: json && JSON.stringify(json) })).json();
const create = (spec) => api('POST', 'checks/', spec);
const ping = (check, rest = '', init = {}) =>
  call(init.method ?? 'GET', `/ping/${check.uuid ?? check.ping_url.split('/').at(-1)}${rest}`, init);
const post = (body, headers = {}) => ({ method: 'POST', body, headers });

/** A command of the admin socket. */
function admin(command, args = {}) {
  return new Promise((done, failed) => {
    const asked = request(
      { socketPath: join(dataDir, 'knell.sock'), method: 'POST', path: '/' },
      async (reply) => {
        let text = '';
        for await (const part of reply) text += part;
        const last = JSON.parse(text.trim().split('\n').at(-1));
        if (last.error) failed(new Error(`${command}: ${last.error.message}`));
        else done(last.result);
      },
    );
    asked.once('error', failed);
    asked.end(JSON.stringify({ command, args }));
  });
}

/** The page, as a browser uses it. */
async function page(name) {
  let cookie = '';
  let csrf = '';
  const send = async (method, path, json) => {
    const answer = await call(method, path, {
      body: json && JSON.stringify(json),
      headers: { cookie, 'content-type': 'application/json', 'x-knell-csrf': csrf },
    });
    cookie = answer.headers.get('set-cookie')?.split(';')[0] || cookie;
    return answer.json();
  };
  if (name === null) await send('POST', '/web/set-password', { link: setUpLink, name: 'ada', password });
  else await send('POST', '/web/sign-in', { name, password });
  const state = await send('GET', '/web/state');
  csrf = state.csrf;
  return { send, cookie: () => cookie, project: state.projects[0].id };
}

const rid = (digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`;
const webhook = JSON.stringify({
  method_down: 'POST',
  url_down: 'http://127.0.0.1:9/down',
  body_down: '$NAME is $STATUS',
  headers_down: { 'X-Knell': 'golden' },
  method_up: 'GET',
  url_up: 'http://127.0.0.1:9/up',
  body_up: '',
  headers_up: {},
});

/** What is folded before the kill. */
async function before() {
  await admin('channel create', {
    project: 'default',
    kind: 'webhook',
    name: 'bell',
    value: webhook,
    delayS: 120,
  });
  const mail = await admin('channel create', {
    project: 'default',
    kind: 'email',
    name: 'ops',
    value: 'ops@example.org',
  });
  const gone = await admin('channel create', {
    project: 'default',
    kind: 'sms',
    name: 'gone',
    value: '+37120000000',
  });
  const free = await admin('project create', { name: 'free', plan: 'free' });
  const revoked = await admin('key create', { project: 'default', scope: 'read-only' });
  const checks = {
    plain: await create({ name: 'Nightly backup', slug: 'backup', tags: 'db prod', channels: '*' }),
    full: await create({
      name: 'Everything: ünïcode ☂',
      slug: 'everything',
      tags: 'prod many',
      desc: 'line one\nline two',
      timeout: 31_536_000,
      grace: 31_536_000,
      methods: 'POST',
      manual_resume: true,
      channels: mail.id,
    }),
    keywords: await create({
      name: 'Keywords',
      slug: 'keywords',
      start_kw: 'begin,start',
      success_kw: 'all good',
      failure_kw: 'error,panic',
      filter_subject: true,
      filter_body: true,
      filter_http_body: true,
      filter_default_fail: true,
    }),
    cron: await create({ name: 'Cron', schedule: '30 3 * * 1-5', tz: 'Europe/Riga', grace: 86_400 }),
    calendar: await create({
      name: 'Calendar',
      schedule: 'Mon..Fri 9:00',
      tz: 'America/New_York',
      grace: 86_400,
    }),
    late: await create({ name: 'Late', slug: 'late', timeout: 60, grace: 31_536_000, channels: '*' }),
    missed: await create({
      name: 'Missed',
      slug: 'missed',
      timeout: 60,
      grace: 60,
      tags: 'prod',
      channels: '*',
    }),
    paused: await create({ name: 'Paused', manual_resume: true }),
    resumed: await create({ name: 'Resumed' }),
    fresh: await create({ name: 'Never pinged' }),
    deleted: await create({ name: 'Deleted', timeout: 3600 }),
  };
  await ping(checks.late);
  await ping(checks.missed, '', post('the last one for now'));
  await ping(checks.plain, `/start?rid=${rid('a')}`);
  await ping(checks.plain, `?rid=${rid('a')}`, post('done', { 'User-Agent': 'golden/1.0' }));
  await ping(checks.plain, '/fail', post(Buffer.from([0, 255, 128, 10])));
  await ping(checks.plain, '/0');
  await ping(checks.plain, '/3', post('exit status three'));
  await ping(checks.plain, '/log', post('only a note'));
  await ping(checks.full, '', { method: 'GET' });
  await ping(checks.full, '', post('x'.repeat(3000)));
  for (const text of ['begin', 'panic: error', 'all good', 'nothing of it'])
    await ping(checks.keywords, '', post(text));
  await ping(checks.cron);
  await ping(checks.calendar, '', { method: 'HEAD' });
  await ping(checks.paused);
  await api('POST', `checks/${checks.paused.ping_url.split('/').at(-1)}/pause`, {});
  await ping(checks.paused, '', post('ignored'));
  await ping(checks.resumed, '/fail');
  const resumedId = checks.resumed.ping_url.split('/').at(-1);
  await api('POST', `checks/${resumedId}/pause`, {});
  await api('POST', `checks/${resumedId}/resume`, {});
  await ping(checks.deleted, '', post('goes'));
  await call('POST', `/ping/${keys.ping}/made-by-ping?create=1`, { body: 'first' });
  const other = free.keys.read_write;
  await call('POST', '/api/v3/checks/', {
    key: other,
    body: '{"name":"Of the other project","slug":"other"}',
  });
  await call('GET', `/ping/${free.keys.ping}/other/fail`);
  for (let n = 0; n < 30; n++) await ping(checks.fresh, '/log', post(`note ${n}`));
  return { checks, gone, free, revoked };
}

/** What is in the journal alone when it is killed. */
async function after({ checks, gone, free, revoked }, owner) {
  await ping(checks.plain, `/start?rid=${rid('b')}`);
  await ping(checks.plain, `/start?rid=${rid('c')}`, post('two at once'));
  await ping(checks.plain, `/fail?rid=${rid('b')}`, post('not folded'));
  await ping(checks.resumed, '', post('up'));
  await ping(checks.resumed, '/fail');
  await ping(checks.cron, '/start');
  for (let n = 30; n < 40; n++) await ping(checks.fresh, '/log', post(`note ${n}`));
  const fullId = checks.full.ping_url.split('/').at(-1);
  await api('POST', `checks/${fullId}`, {
    desc: 'changed',
    tags: 'prod changed',
    subject: 'ok',
    subject_fail: 'bad',
  });
  await api('DELETE', `checks/${checks.deleted.ping_url.split('/').at(-1)}`);
  const late = await create({
    name: 'Made last',
    schedule: 'Mon..Fri 9:00\nSat,Sun 12:00',
    tz: 'UTC',
    grace: 31_536_000,
  });
  await ping(late, '', post('of the newest'));
  await admin('channel delete', { channel: gone.id });
  await admin('key revoke', { id: revoked.id });
  const viewer = await owner.send('POST', '/web/users', { name: 'vera', role: 'viewer' });
  const second = await page('ada');
  await second.send('POST', '/web/sign-out', {});
  return { late, viewer, second, other: free.keys.read_write, revokedKey: revoked.key };
}

/** One question and its answer, to be asked again of later versions. */
async function fact(path, key, holder = keys) {
  const answer = await fetch(url + path, { headers: key ? { 'X-Api-Key': holder[key] } : {} });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const isJson = /json/.test(answer.headers.get('content-type') ?? '');
  const body = isJson ? { json: JSON.parse(bytes.toString()) } : { base64: bytes.toString('base64') };
  return { path, key, status: answer.status, ...body };
}

async function facts(holder) {
  const list = await fact('/api/v3/checks/', 'readWrite', holder);
  const asked = [list];
  for (const version of [1, 2]) asked.push(await fact(`/api/v${version}/checks/`, 'readWrite', holder));
  for (const key of ['readOnly', 'other', 'revoked']) asked.push(await fact('/api/v3/checks/', key, holder));
  for (const path of ['channels/', 'badges/']) asked.push(await fact(`/api/v3/${path}`, 'readWrite', holder));
  for (const { json } of asked.slice(-1))
    for (const badge of Object.values(json.badges))
      asked.push(
        await fact(new URL(badge.json).pathname, null),
        await fact(new URL(badge.json3).pathname, null),
      );
  for (const check of list.json.checks) {
    const path = `/api/v3/checks/${check.ping_url.split('/').at(-1)}`;
    asked.push(await fact(path, 'readWrite', holder), await fact(`${path}/flips/`, 'readWrite', holder));
    if (check.badge_url)
      asked.push(await fact(new URL(check.badge_url).pathname.replace(/svg$/, 'json'), null));
    const pings = await fact(`${path}/pings/`, 'readWrite', holder);
    asked.push(pings);
    for (const { body_url } of pings.json.pings)
      if (body_url) asked.push(await fact(new URL(body_url).pathname, 'readWrite', holder));
  }
  return asked;
}

const packed = (bytes) => gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION });

function pack() {
  rmSync(out, { recursive: true, force: true });
  for (const entry of readdirSync(dataDir, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || /^(lock|lock\.mdb|knell\.sock)$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const target = join(out, 'files', `${relative(dataDir, file)}.gz`);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, packed(readFileSync(file)));
  }
}

try {
  const owner = await page(null);
  const made = await before();
  await sleep(122_000);
  await admin('snapshot', { file: join(dirname(dataDir), 'snapshot') });
  const foldedMs = Date.now();
  const { second, other, revokedKey, late } = await after(made, owner);
  const holder = { ...keys, other, revoked: revokedKey };
  const { members } = await owner.send('GET', `/web/in/${owner.project}/settings`);
  const answers = await facts(holder);
  const outbox = await admin('outbox list');
  const channels = await admin('channel list', { project: 'default' });
  const projects = await admin('project list');
  const takenAtMs = Date.now();
  child.kill('SIGKILL');
  if (Date.now() - foldedMs > unfoldedMsMax) throw new Error('too slow: it may have been folded by then');
  const web = {
    password,
    session: owner.cookie(),
    signedOut: second.cookie(),
    project: owner.project,
    members,
  };
  pack();
  const newest = late.ping_url.split('/').at(-1);
  const all = { takenAtMs, keys: holder, answers, outbox, channels, projects, web, newest };
  writeFileSync(join(out, 'facts.json.gz'), packed(Buffer.from(`${JSON.stringify(all, null, 1)}\n`)));
} finally {
  child.kill('SIGKILL');
  rmSync(dirname(dataDir), { recursive: true, force: true });
}
