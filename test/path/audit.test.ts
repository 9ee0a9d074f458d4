/** The audit log through the endpoints: every change has its entry, with who made it, on disk when the change is answered. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { restoreSnapshot } from '../../src/store/snapshot/restore.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../support/knell.ts';
import {
  goodPassword,
  knellAt,
  linkIn,
  ownerPage,
  PageClient,
  projectIn,
} from '../support/page/page-client.ts';
import { ChildKnell } from '../support/process/child-knell.ts';
import { tempDir } from '../support/temp-dirs.ts';

const day = 86_400_000;
const endpoints = fileURLToPath(new URL('../../src/http/', import.meta.url));
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(env: Readonly<Record<string, string>> = {}, clock?: SimulatedClock): Promise<Knell> {
  const knell = await Knell.start({ env, ...(clock ? { clock } : {}) });
  closers.push(() => knell.stop());
  return knell;
}

const entriesIn = async (page: PageClient, query = ''): Promise<Json[]> =>
  (await page.get(`/web/audit?${query}`)).json().entries;

/** `member ada changed check job (name)`, newest first. */
const linesIn = async (page: PageClient, query = ''): Promise<string[]> =>
  (await entriesIn(page, query)).map(
    ({ actor, action, subject, name, fields, detail }) =>
      `${actor.kind} ${actor.name} ${action} ${subject} ${name} (${[...fields, detail].filter(Boolean).join(', ')})`,
  );

test('a change by a key, a member and the command line is ascribed to it', async () => {
  const knell = await start();
  const page = await ownerPage(knell);
  const project = await projectIn(page);
  const { uuid } = await knell.create({ name: 'job', timeout: 60 });
  await knell.api('POST', `/api/v3/checks/${uuid}`, { name: 'job', grace: 120, tags: 'a' });
  await knell.api('POST', `/api/v3/checks/${uuid}`, { name: 'job', grace: 120 });
  const byPage = `/web/in/${project}/api/checks/${uuid}`;
  await page.post(`${byPage}/pause`);
  await page.post(`${byPage}/pause`);
  await page.post(`${byPage}/resume`);
  await page.post(`${byPage}/snooze`, { for: 3600 });
  await knell.app.admin({ command: 'project create', args: { name: 'second' } }, () => {});
  await page.send('DELETE', byPage);
  const key = `${knell.keys.readWrite.slice(0, 8)}…`;
  // A key without a name is called by how it begins.
  const lines = (await linesIn(page)).map((line) => line.replace(/( key (?:hc[rw]_)?)\w{4,8}…/, '$1…'));
  expect(lines.slice(0, 9)).toEqual([
    'member ada deleted check job ()',
    'command-line  created key … (ping)',
    'command-line  created key hcr_… (read-only)',
    'command-line  created key hcw_… (read-write)',
    'command-line  created project second ()',
    expect.stringMatching(/^member ada snoozed check job \(until \d{4}-.*Z\)$/),
    'member ada resumed check job ()',
    'member ada paused check job ()',
    `api-key ${key} changed check job (tags, grace)`,
  ]);
  expect((await entriesIn(page))[8].changes).toEqual([
    { field: 'tags', before: '', after: 'a' },
    { field: 'grace', before: '3600', after: '120' },
  ]);
  expect(lines[9]).toBe(`api-key ${key} created check job ()`);
  const [newest] = await entriesIn(page);
  expect(newest).toMatchObject({ address: '127.0.0.1', projectName: 'default' });
});

test('no endpoint changes anything without saying for whom', () => {
  const silent = ['api', 'web'].flatMap((dir) =>
    readdirSync(join(endpoints, dir))
      .filter((name) => name.endsWith('.ts') && name !== 'sessions.ts')
      .filter((name) => /engine\.change\./.test(readFileSync(join(endpoints, dir, name), 'utf8'))),
  );
  expect(silent).toEqual([]);
});

test('an integration: names of fields, and no secret anywhere, in the export neither', async () => {
  const knell = await start();
  const page = await ownerPage(knell);
  const project = await projectIn(page);
  const secret = 'tk_verysecret0123456789';
  const spec = {
    kind: 'ntfy',
    name: 'phone',
    fields: { url: 'https://ntfy.sh', topic: 'hidden-topic-1', priority: '5', token: secret },
  };
  const made = await page.post(`/web/in/${project}/channels`, { ...spec, checks: 'all' });
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  const { id } = made.json();
  const edited = {
    name: 'phone',
    fields: { url: 'https://ntfy.sh', topic: 'hidden-topic-2', priority: '5' },
    delayS: 300,
  };
  const answer = await page.post(`/web/in/${project}/channels/${id}`, edited);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  await page.send('DELETE', `/web/in/${project}/channels/${id}`);
  expect((await linesIn(page, 'subject=integration')).slice(0, 3)).toEqual([
    'member ada deleted integration phone ()',
    'member ada changed integration phone (topic, delay)',
    'member ada created integration phone (ntfy)',
  ]);
  const whole = (await page.get('/web/audit.jsonl')).text + (await page.get('/web/audit.csv')).text;
  expect(whole).toContain('phone');
  for (const hidden of [secret, 'hidden-topic', goodPassword, knell.keys.readWrite, knell.keys.ping])
    expect(whole).not.toContain(hidden);
});

test('sign-ins: with their address behind a trusted proxy, failed ones without what was typed', async () => {
  const knell = await start({ KNELL_TRUST_PROXY: '127.0.0.1' });
  const page = await ownerPage(knell);
  const away = new PageClient(knell, { 'x-forwarded-for': '198.51.100.7' });
  await away.signIn('ada', 'wrong horse battery');
  await away.signIn('my-secret-typed-as-name', 'wrong horse battery');
  await away.signIn('ada');
  await away.post('/web/sign-out');
  const entries = await entriesIn(page, 'subject=session');
  expect(entries.slice(0, 4).map(({ action, actor, address }) => [action, actor.name, address])).toEqual([
    ['signed-out', 'ada', '198.51.100.7'],
    ['signed-in', 'ada', '198.51.100.7'],
    ['sign-in-failed', '', '198.51.100.7'],
    ['sign-in-failed', 'ada', '198.51.100.7'],
  ]);
  expect(JSON.stringify(entries)).not.toContain('secret-typed');
});

test('a wrong password of somebody who is signed in is no failed sign-in, in every form', async () => {
  const knell = await start();
  const page = await ownerPage(knell);
  const answer = await page.post('/web/account/password', {
    ...{ present: 'wrong horse battery', password: 'long enough for this' },
  });
  expect(answer.status).toBe(400);
  const [entry] = await entriesIn(page);
  const said = { action: 'password-refused', subject: 'session', name: 'ada', detail: 'on the account page' };
  expect(entry).toMatchObject(said);
  const [line = ''] = (await page.get('/web/audit.jsonl')).text.split('\n');
  expect(JSON.parse(line)).toMatchObject(said);
  expect((await page.get('/web/audit.csv')).text).toContain(
    ',password-refused,session,ada,,,on the account page,',
  );
  const listed: Json = await knell.app.admin({ command: 'audit list', args: {} }, () => {});
  expect(JSON.stringify(listed)).toContain('"action":"password-refused"');
  // By the words of the page and by those of the exports.
  for (const words of ['wrong password', 'password-refused', 'session'])
    expect((await entriesIn(page, `q=${encodeURIComponent(words)}`))[0], words).toMatchObject(said);
  expect(await entriesIn(page, 'q=sign-in-failed')).toEqual([]);
});

test('only owners read it; pages and filters; what is over 90 days old is gone', async () => {
  const clock = new SimulatedClock(Date.UTC(2026, 0, 1));
  const knell = await start({}, clock);
  const page = await ownerPage(knell);
  for (let at = 0; at < 120; at++) await knell.create({ name: `job ${at}` });
  const seen: string[] = [];
  for (let before: string | null = ''; before !== null; ) {
    const { entries, next }: Json = (await page.get(`/web/audit?subject=check&before=${before}`)).json();
    seen.push(...entries.map(({ name }: Json) => name));
    before = next;
  }
  expect(seen).toEqual(Array.from({ length: 120 }, (_, at) => `job ${119 - at}`));
  expect((await page.get('/web/audit?before=nonsense')).status).toBe(400);
  const { members } = (await page.get('/web/audit')).json();
  expect(await linesIn(page, `actor=${members[0].id}`)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^member ada signed-in/)]),
  );
  expect((await page.get('/web/audit.csv')).text.split('\r\n')[0]).toMatch(/^at,actor,actor_name,address,/);
  const made = await page.post('/web/users', { name: 'grace', role: 'editor' });
  const grace = new PageClient(knell);
  await grace.post('/web/set-password', { link: linkIn(made.json().link), password: goodPassword });
  for (const path of ['/web/audit', '/web/audit.csv', '/web/audit.jsonl'])
    expect((await grace.get(path)).status, path).toBe(403);
  clock.skip(91 * day);
  await page.signIn('ada');
  expect((await linesIn(page)).filter((line) => line.includes(' check '))).toEqual([]);
});

test('is read between two instants, and what is no instant is refused', async () => {
  const clock = new SimulatedClock(Date.UTC(2026, 0, 1));
  const knell = await start({}, clock);
  const page = await ownerPage(knell);
  for (const name of ['first', 'second', 'third']) {
    await knell.create({ name });
    clock.skip(day);
    await page.signIn('ada');
  }
  const names = async (query: string): Promise<string[]> =>
    (await entriesIn(page, `subject=check&${query}`)).map(({ name }) => name);
  expect(await names('since=2026-01-02T00:00:00Z')).toEqual(['third', 'second']);
  expect(await names('until=2026-01-02T00:00:00Z')).toEqual(['first']);
  expect(await names('since=2026-01-02T00:00:00%2B00:00&until=2026-01-03T00:00:00Z')).toEqual(['second']);
  expect(await names(`since=${Date.UTC(2027, 0, 1) / 1000}`)).toEqual([]);
  expect(await names('until=1970-01-01T00:00:00Z')).toEqual([]);
  const csv = await page.get('/web/audit.csv?subject=check&until=2026-01-02T00:00:00Z');
  expect(csv.text.trim().split('\r\n')).toHaveLength(2);
  for (const [query, error] of [
    ['since=soon', 'since must be epoch seconds, or ISO 8601 with an offset such as 2030-05-04T09:00:00Z'],
    [
      'until=2026-01-02',
      'until must be epoch seconds, or ISO 8601 with an offset such as 2030-05-04T09:00:00Z',
    ],
    ['since=2026-01-02T00:00:00Z&until=2026-01-02T00:00:00Z', 'since must be before until'],
  ])
    for (const path of ['/web/audit', '/web/audit.jsonl']) {
      const answer = await page.get(`${path}?${query}`);
      expect([answer.status, answer.json()]).toEqual([400, { error }]);
    }
});

test('an entry is on disk with its change: both are there after kill -9', async () => {
  const dataDir = tempDir();
  let said = '';
  let child = await ChildKnell.start(dataDir, {}, (text) => {
    said = text;
  });
  closers.push(() => child.kill());
  const page = new PageClient(knellAt(() => child.url));
  const link = linkIn(/\S+\/set-password#\S+/.exec(said)?.[0] ?? '');
  await page.post('/web/set-password', { link, name: 'ada', password: goodPassword });
  const project = await projectIn(page);
  for (const name of ['first', 'second']) {
    const made = await page.post(`/web/in/${project}/api/checks/`, { name });
    expect(made.status).toBe(201);
  }
  await child.kill('SIGKILL');
  child = await ChildKnell.start(dataDir, {});
  expect((await linesIn(page)).slice(0, 2)).toEqual([
    'member ada created check second ()',
    'member ada created check first ()',
  ]);
});

test('a snapshot has it beside status pages, and restores both', async () => {
  const knell = await start();
  const page = await ownerPage(knell);
  const project = await projectIn(page);
  const { uuid } = await knell.create({ name: 'job' });
  const services = [{ name: 'Job', checks: [uuid] }];
  await page.post(`/web/in/${project}/status-pages`, { title: 'Status', slug: 'status', services });
  await knell.restart();
  const { file } = (await knell.app.admin({ command: 'snapshot', args: {} }, () => {})) as Json;
  const dataDir = join(tempDir(), 'restored');
  await restoreSnapshot(file, dataDir, () => {});
  const restored = await Knell.start({ dataDir });
  closers.push(() => restored.stop());
  expect((await restored.request('/status/status')).status).toBe(200);
  expect(restored.app.engine.read.audit(null, 1)).toHaveLength(1);
});
