// Lets Healthchecks itself write the dumps that the tests of `knell import healthchecks` read: installs a version of it into a
// throw-away folder, fills it over its own API and pings, writes down what it answers, and dumps its database.
//
//   node scripts/healthchecks/make-dumps.js CLONE_OF_HEALTHCHECKS test/cli/healthchecks 2.10 3.4 3.13 4.3
//
// Needs git, and a Python that the version runs on (PYTHON_2_10=python3.11 and so on name it; else python3). For each version
// VERSION it writes VERSION/dump.jsonl.gz and VERSION/answers.json.gz. The keys in them are of nobody.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

const [clone, out, ...versions] = process.argv.slice(2);
if (!clone || !out || versions.length === 0)
  throw new Error('usage: node scripts/healthchecks/make-dumps.js CLONE DIRECTORY VERSION…');
export const secretKey = 'of-nobody-and-only-for-tests';
const tables =
  'auth.user accounts.project accounts.member accounts.profile api.channel api.check api.flip api.ping';

for (const version of versions) await makeDump(version);

async function makeDump(version) {
  const dir = mkdtempSync(join(tmpdir(), `healthchecks-${version}-`));
  try {
    const hc = install(version, dir);
    hc.manage('migrate', '-v', '0');
    hc.shell('seed.py');
    const keys = JSON.parse(readFileSync(hc.env.SEED_OUT, 'utf8'));
    const port = await freePort();
    const server = spawn(hc.python, ['manage.py', 'runserver', '--noreload', `127.0.0.1:${port}`], {
      cwd: hc.cwd,
      env: hc.env,
      stdio: 'ignore',
    });
    try {
      const api = createApi(`http://127.0.0.1:${port}`, keys);
      await api.ready();
      await fill(api);
      hc.shell('age.py');
      const answers = await ask(api);
      const target = join(resolve(out), version);
      mkdirSync(target, { recursive: true });
      const facts = { takenAtMs: Date.now(), secretKey, keys, answers };
      writeFileSync(join(target, 'answers.json.gz'), gzipSync(JSON.stringify(facts), { level: 9 }));
      const dump = hc.manage('dumpdata', '--format', 'jsonl', ...tables.split(' '));
      writeFileSync(join(target, 'dump.jsonl.gz'), gzipSync(dump, { level: 9 }));
      console.log(`${version}: ${dump.trim().split('\n').length} rows, ${answers.length} answers`);
    } finally {
      server.kill();
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function install(version, dir) {
  const base = process.env[`PYTHON_${version.replaceAll('.', '_')}`] ?? 'python3';
  const archive = execFileSync('git', ['-C', clone, 'archive', `v${version}`], { maxBuffer: 2 ** 30 });
  const cwd = join(dir, 'healthchecks');
  mkdirSync(cwd);
  execFileSync('tar', ['-x', '-C', cwd], { input: archive });
  execFileSync(base, ['-m', 'venv', join(dir, 'venv')]);
  const python = join(dir, 'venv/bin/python');
  // The drivers of other databases want a compiler; of pycurl, any version that has a wheel will do.
  const wanted = readFileSync(join(cwd, 'requirements.txt'), 'utf8')
    .split('\n')
    .map((line) => line.trim().replace(/^pycurl==.*/, 'pycurl'))
    .filter((line) => line !== '' && !line.startsWith('psycopg'));
  execFileSync(python, ['-m', 'pip', 'install', '-q', 'setuptools', ...wanted], { stdio: 'inherit' });
  const env = {
    PATH: process.env.PATH,
    SECRET_KEY: secretKey,
    SITE_ROOT: 'http://hc.test',
    ALLOWED_HOSTS: '*',
    DEBUG: 'True',
    SEED_OUT: join(dir, 'keys.json'),
  };
  const manage = (...args) =>
    execFileSync(python, ['manage.py', ...args], { cwd, env, encoding: 'utf8', maxBuffer: 2 ** 30 });
  return {
    python,
    cwd,
    env,
    manage,
    shell: (file) =>
      execFileSync(
        python,
        ['manage.py', 'shell', '-c', readFileSync(new URL(file, import.meta.url), 'utf8')],
        {
          cwd,
          env,
          stdio: ['ignore', 'ignore', 'inherit'],
        },
      ),
  };
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => probe.once('listening', listening));
  const { port } = probe.address();
  await new Promise((closed) => probe.close(closed));
  return port;
}

function createApi(url, keys) {
  return {
    keys,
    async ready() {
      for (let tries = 0; ; tries++) {
        const up = await fetch(`${url}/api/v1/status/`).catch(() => null);
        if (up) return;
        if (tries > 300) throw new Error('Healthchecks does not start');
        await sleep(200);
      }
    },
    async post(project, path, body) {
      const headers = { 'X-Api-Key': keys[project].read_write };
      const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body ?? {}) });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    },
    async ping(path, init = {}) {
      const answer = await fetch(`${url}/ping/${path}`, { headers: { 'User-Agent': 'job/1.0' }, ...init });
      if (!answer.ok) throw new Error(`/ping/${path}: ${answer.status}`);
    },
    /** The answer with its question. */
    async ask(project, scope, path) {
      const headers = scope === null ? {} : { 'X-Api-Key': keys[project][scope] };
      const answer = await fetch(url + path, { headers });
      const bytes = Buffer.from(await answer.arrayBuffer());
      const isJson = /json/.test(answer.headers.get('content-type') ?? '');
      const body = isJson ? { json: JSON.parse(bytes.toString()) } : { base64: bytes.toString('base64') };
      return { project, scope, path, status: answer.status, ...body };
    },
  };
}

async function fill(api) {
  const create = (project, spec) => api.post(project, '/api/v1/checks/', spec);
  const id = ({ ping_url }) => ping_url.split('/').pop();
  await create('Plain', { name: 'Fresh', tags: 'a b', desc: 'Line 1\nLine 2 – „süß“', channels: '*' });
  const up = id(
    await create('Plain', { name: 'Up', tags: 'prod', timeout: 86400, grace: 3600, channels: '*' }),
  );
  const rid = '11111111-2222-4333-8444-555555555555';
  await api.ping(`${up}/start?rid=${rid}`);
  await sleep(300);
  await api.ping(`${up}?rid=${rid}`, { method: 'POST', body: 'all is well – ü' });
  await api.ping(`${up}/log`, { method: 'POST', body: Buffer.from([0, 255, 10, 200]) });
  await api.ping(`${up}/0`);
  const down = id(await create('Plain', { name: 'Down', schedule: '15 4 * * 1-5', tz: 'Europe/Riga' }));
  await api.ping(down);
  await api.ping(`${down}/3`, { method: 'POST', body: 'x'.repeat(5000) });
  const started = id(await create('Plain', { name: 'Started', timeout: 600 }));
  await api.ping(started);
  await api.ping(`${started}/start`);
  const paused = id(await create('Plain', { name: 'Paused', manual_resume: true, methods: 'POST' }));
  await api.ping(paused, { method: 'POST' });
  await api.post('Plain', `/api/v1/checks/${paused}/pause`);
  for (const name of ['Overdue', 'Late', 'Old rows']) {
    const times = name === 'Late' ? { timeout: 3600, grace: 3600 } : { timeout: 3600, grace: 60 };
    const check = id(await create('Plain', { name, ...times }));
    for (let n = 0; n < 5; n++) await api.ping(check, { method: 'POST', body: `${name} ${n}` });
  }
  const slug = id(await create('Hashed', { name: 'By slug', slug: 'by-slug', tags: 'prod' }));
  await api.ping(slug);
  const keywords = { filter_body: true, success_kw: 'ok', failure_kw: 'error' };
  await create('Hashed', { name: 'Keywords', ...keywords });
}

/** All that its API says, and its badges. */
async function ask(api) {
  const answers = [];
  for (const project of Object.keys(api.keys)) {
    const asked = async (scope, path) => {
      const answer = await api.ask(project, scope, path);
      answers.push(answer);
      return answer.json;
    };
    const { checks } = await asked('read_write', '/api/v1/checks/');
    await asked('read_only', '/api/v1/checks/');
    await asked('read_write', '/api/v1/channels/');
    const { badges } = await asked('read_write', '/api/v1/badges/');
    for (const badge of Object.values(badges ?? {}))
      await asked(null, new URL(badge.json.replace('{', '').replace('}', '')).pathname);
    for (const { ping_url } of checks) {
      const uuid = ping_url.split('/').pop();
      await asked('read_write', `/api/v1/checks/${uuid}/flips/`);
      // Where rows have no number, Healthchecks answers 500.
      const listed = await asked('read_write', `/api/v1/checks/${uuid}/pings/`);
      for (const { body_url } of (listed?.pings ?? []).filter((ping) => ping.body_url))
        await asked('read_write', new URL(body_url).pathname);
    }
  }
  return answers;
}
