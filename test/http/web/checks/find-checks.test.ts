/** The search across projects: what it finds, in which order, and for whom. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asCheckId, uniqueKeyOf } from '../../../../src/lib/ids.ts';
import { type Json, Knell } from '../../../support/knell.ts';
import { goodPassword, linkIn, ownerPage, PageClient } from '../../../support/page/page-client.ts';

let knell: Knell;
let owner: PageClient;
let project = '';
let other = '';
let otherKey = '';

beforeAll(async () => {
  knell = await Knell.start();
  owner = await ownerPage(knell);
  project = (await owner.get('/web/state')).json().projects[0].id;
  const made = (await owner.post('/web/projects', { name: 'Northwind' })).json();
  other = made.id;
  otherKey = made.keys['read-write'];
  const elsewhere = (spec: object) => knell.api('POST', '/api/v3/checks/', spec, otherKey);
  await knell.create({ name: 'Nightly backup', tags: 'prod' });
  await knell.create({ name: 'Backup of mail', desc: 'off site' });
  await knell.create({ slug: 'copy', tags: 'backup' });
  await elsewhere({ name: 'Backup' });
  await elsewhere({ name: 'Invoices' });
  const { uuid } = (await elsewhere({ name: 'Backup of files' })).json();
  await knell.request(`/ping/${uuid}/fail`);
});

afterAll(() => knell?.stop());

async function found(q: string, page = owner): Promise<Json> {
  return (await page.get(`/web/find?q=${encodeURIComponent(q)}`)).json();
}

const namesOf = ({ checks }: Json): readonly string[] => checks.map(({ name }: Json) => name);

test('a check of that name comes first, then names that begin with the words, what is down before the others, of all projects', async () => {
  const answer = await found('Backup');
  expect(answer.total).toBe(5);
  expect(namesOf(answer)).toEqual(['Backup', 'Backup of files', 'Backup of mail', 'Nightly backup', 'copy']);
  expect(answer.checks[1]).toMatchObject({ status: 'down', project: other, projectName: 'Northwind' });
  expect(answer.checks[3]).toMatchObject({ status: 'new', tags: ['prod'], project, projectName: 'default' });
});

test('each word is in the check, or in the name of its project', async () => {
  expect(namesOf(await found('backup prod'))).toEqual(['Nightly backup']);
  expect(namesOf(await found('site mail'))).toEqual(['Backup of mail']);
  expect(namesOf(await found('northwind inv'))).toEqual(['Invoices']);
  expect(await found('backup nothing')).toEqual({ checks: [], total: 0 });
});

test('without words nothing is found', async () => {
  expect(await found('  ')).toEqual({ checks: [], total: 0 });
});

test('what has changed since is found as it is now', async () => {
  const { uuid } = await knell.create({ name: 'Zebra' });
  expect(namesOf(await found('zebra'))).toEqual(['Zebra']);
  await knell.api('POST', `/api/v3/checks/${uuid}`, { name: 'Quagga' });
  expect(namesOf(await found('zebra'))).toEqual([]);
  expect(namesOf(await found('quagga'))).toEqual(['Quagga']);
});

test('an answer has twelve checks at most, and says how many there are', async () => {
  for (let n = 1; n <= 15; n++) await knell.create({ name: `Many ${n}` });
  const answer = await found('many');
  expect(answer.total).toBe(15);
  expect(namesOf(answer)).toEqual(Array.from({ length: 12 }, (_, at) => `Many ${at + 1}`));
});

test('a viewer of one project finds its checks by their keys, and nothing of the other one', async () => {
  const link = (
    await owner.post(`/web/in/${project}/members`, { name: 'vera', role: 'viewer', installation: 'none' })
  ).json().link;
  const viewer = new PageClient(knell);
  await viewer.post('/web/set-password', { link: linkIn(link), password: goodPassword });
  await viewer.get('/web/state');
  const answer = await found('backup', viewer);
  expect(namesOf(answer)).toEqual(['Backup of mail', 'Nightly backup', 'copy']);
  const [{ uuid }] = (await knell.api('GET', '/api/v3/checks/?slug=copy')).json().checks;
  expect(answer.checks[2].id).toBe(uniqueKeyOf(asCheckId(uuid)));
  expect(namesOf(await found('northwind', viewer))).toEqual([]);
  expect((await new PageClient(knell).get('/web/find?q=backup')).status).toBe(401);
});
