/** What a crontab would make, over a real socket: beside the checks that there are, and within bounds. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobsOfCrontab } from '../../../../src/domain/discover/crontab-jobs.ts';
import { proposalsOf } from '../../../../src/domain/discover/proposals.ts';
import { Knell } from '../../../support/knell.ts';
import { goodPassword, linkIn, ownerPage, PageClient } from '../../../support/page/page-client.ts';

let knell: Knell;
let owner: PageClient;
let project = '';

beforeAll(async () => {
  knell = await Knell.start();
  owner = await ownerPage(knell);
  project = (await owner.get('/web/state')).json().projects[0].id;
  await knell.create({ name: 'Backup', slug: 'backup', schedule: '0 3 * * *', tz: 'UTC', tags: 'sync' });
});

afterAll(() => knell?.stop());

const preview = (body: unknown, page = owner) => page.post(`/web/in/${project}/crontab`, body);
const text = '0 3 * * * /opt/backup.sh\n0 4 * * * /opt/other.sh';

test('knows what is there by slug and schedule, and makes nothing', async () => {
  const known = await preview({ text, tz: 'UTC' });
  expect(known.json().checks).toMatchObject([
    { line: 1, name: 'backup', slug: 'backup-2', isThere: true },
    { line: 2, name: 'other', slug: 'other', isThere: false },
  ]);
  const elsewhere = await preview({ text, tz: 'Asia/Tokyo' });
  expect(elsewhere.json().checks).toMatchObject([{ isThere: false }, { isThere: false }]);
  expect((await knell.api('GET', '/api/v3/checks/')).json().checks).toHaveLength(1);
});

test('takes no tag and no description for a slug: such a job has no check yet', async () => {
  const texts = { desc: 'payroll', tags: 'sync', schedule: '0 5 * * *', tz: 'UTC' };
  await knell.create({ name: 'Salaries', slug: 'salaries', ...texts });
  const found = await preview({ text: '0 5 * * * /opt/payroll\n0 5 * * * /opt/sync', tz: 'UTC' });
  expect(found.json().checks).toMatchObject([
    { slug: 'payroll', isThere: false },
    { slug: 'sync', isThere: false },
  ]);
});

test('knows which check a line pings already, by its UUID or by its slug with a key of this project', async () => {
  const { uuid, ping_url: url } = await knell.create({ name: 'Photos', slug: 'photos' });
  const key = knell.keys.ping;
  const other = (await owner.post('/web/projects', { name: 'other' })).json();
  const lines = [
    `/opt/a.sh && curl -fsS ${url}/start`,
    `/opt/b.sh; curl http://10.0.0.1/ping/${uuid.toUpperCase()}`,
    `knell run ${uuid} -- /opt/c.sh`,
    `/opt/d.sh && curl http://knell.example.org/ping/${key}/photos/$?`,
    `/opt/e.sh && curl http://knell.example.org/ping/${other.keys.ping}/photos`,
    `/opt/f.sh && curl http://knell.example.org/ping/${key}/unknown`,
    '/opt/g.sh && curl http://knell.example.org/ping/8f7a3a4e-0000-4000-8000-000000000000',
  ];
  const found = await preview({ text: lines.map((line) => `0 6 * * * ${line}`).join('\n'), tz: 'UTC' });
  const pings = found.json().checks.map((check: { readonly pings?: string }) => check.pings ?? null);
  expect(pings).toEqual(['Photos', 'Photos', 'Photos', 'Photos', null, null, null]);
});

test('refuses what is no crontab, or too long, with a sentence', async () => {
  for (const [body, error] of [
    [{ tz: 'UTC' }, 'text: paste a crontab'],
    [{ text: 'x'.repeat(30_001), tz: 'UTC' }, 'text: a crontab has at most 30,000 characters'],
    [{ text, tz: 'Mars/Olympus' }, 'tz: unknown time zone'],
  ] as const) {
    const { status, json } = await preview(body);
    expect([status, json().error]).toEqual([400, error]);
  }
});

test('is for who may create checks', async () => {
  const { link } = (await owner.post('/web/users', { name: 'vera', role: 'viewer' })).json();
  const viewer = new PageClient(knell);
  await viewer.post('/web/set-password', { link: linkIn(link), password: goodPassword });
  await viewer.get('/web/state');
  expect((await preview({ text, tz: 'UTC' }, viewer)).status).toBe(403);
});

test('proposes the grace times of knell discover, also of a line that pings already', async () => {
  const lines =
    '*/5 * * * * /opt/queue\n0 2 * * * /opt/dump.sh\n0 5 * * * knell run --check tidy -- /opt/x.sh';
  const source = { file: 'crontab', text: lines, user: 'root', tz: 'UTC', isSystemd: false };
  const options = { prefix: '', host: '', settings: { program: 'knell', url: null, key: null } };
  const proposed = proposalsOf(jobsOfCrontab(source).jobs, options).map(({ graceS }) => graceS);
  const shown = (await preview({ text: lines, tz: 'UTC' })).json().checks;
  expect(shown.map(({ graceS }: { readonly graceS: number }) => graceS)).toEqual(proposed);
  expect(proposed).toEqual([180, 7200, 900]);
});
