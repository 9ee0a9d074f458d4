/** What the page gets of incidents: one with all that happened, and those that are open beside the checks of a project. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asCheckId, uniqueKeyOf } from '../../../../src/lib/ids.ts';
import { type Json, Knell } from '../../../support/knell.ts';
import { goodPassword, linkIn, ownerPage, PageClient } from '../../../support/page/page-client.ts';
import { eventually } from '../../../support/patience.ts';

let knell: Knell;
let owner: PageClient;
let viewer: PageClient;
let project = '';
let other = '';
let db: Json;
let incident = '';
/** Longer than what an incident has of it. */
const desc = `See https://wiki.example.org/db. ${'Then wait. '.repeat(300)}`;

beforeAll(async () => {
  knell = await Knell.start();
  owner = await ownerPage(knell);
  project = (await owner.get('/web/state')).json().projects[0].id;
  other = (await owner.post('/web/projects', { name: 'other' })).json().id;
  const { link } = (await owner.post('/web/users', { name: 'vera', role: 'viewer' })).json();
  viewer = new PageClient(knell);
  await viewer.post('/web/set-password', { link: linkIn(link), password: goodPassword });
  await viewer.get('/web/state');
  const value = '{"topic":"x","url":"https://ntfy.invalid","priority":3}';
  await owner.post(`/web/in/${project}/channels`, { kind: 'ntfy', name: 'phone', value });
  db = await knell.create({ name: 'db', slug: 'db', channels: '*', desc });
  const app = await knell.create({ name: 'app', slug: 'app', channels: '*', depends_on: 'db' });
  for (const { uuid } of [db, app]) await knell.request(`/ping/${uuid}/fail`);
  [{ id: incident }] = (await owner.get(inProject('api/incidents/'))).json().incidents;
});

afterAll(() => knell.stop());

const inProject = (rest: string): string => `/web/in/${project}/${rest}`;
const shownTo = async (page: PageClient): Promise<Json> =>
  (await page.get(inProject(`incidents/${incident}`))).json();
const open = async (): Promise<Json> => (await viewer.get(inProject('summary'))).json().summary.incidents;

describe('an incident', () => {
  test('has its checks, what happened, and who was not notified and why', async () => {
    const shown = await shownTo(owner);
    expect(shown).toMatchObject({
      ...{ id: incident, state: 'open', title: 'db is down and 1 depends on it', n_checks: 2, n_down: 2 },
      checks: [
        {
          ...{ uuid: db.uuid, name: 'db', left: null, dependent: false },
          desc: expect.stringMatching(/^See https:\/\/wiki\.example\.org\/db\. .{1900,2000} …$/),
        },
        { name: 'app', dependent: true },
      ],
      entries: [{ kind: 'opened' }, { kind: 'joined' }],
    });
    expect(shown.checks[1]).not.toHaveProperty('desc');
    expect(shown.notifications.map(({ check, outcome }: Json) => [check, outcome])).toContainEqual([
      'app',
      'held',
    ]);
  });

  test('is shown to a viewer with all of that, and with unique keys in place of UUIDs', async () => {
    // The notification is tried meanwhile, so that the two may differ once or twice.
    const [shown, checks] = await eventually(async () => {
      const seen = await shownTo(viewer);
      const { checks: all, ...rest } = await shownTo(owner);
      expect(seen).toEqual({ ...rest, duration: expect.any(Number), checks: expect.any(Array) });
      return [seen, all] as const;
    });
    expect(shown.checks[0].unique_key).toBe(uniqueKeyOf(asCheckId(db.uuid)));
    expect(JSON.stringify(shown)).not.toContain(db.uuid);
    expect(checks).toHaveLength(2);
  });

  test('of another project, or none, is not found', async () => {
    for (const path of [
      `/web/in/${other}/incidents/${incident}`,
      inProject('incidents/8f7a3a4e-0000-4000-8000-000000000000'),
      inProject('incidents/nonsense'),
    ])
      expect((await owner.get(path)).status).toBe(404);
  });

  test('is named in the story of its checks', async () => {
    const story = (await owner.get(inProject(`checks/${db.uuid}/story`))).json();
    expect(story.incident).toEqual({ id: incident, title: 'db is down and 1 depends on it' });
  });
});

describe('those that are open', () => {
  test('are counted beside the checks, until they are resolved', async () => {
    expect(await open()).toEqual({ count: 1, acknowledged: 0, down: 2, only: incident });
    const job = await knell.create({ name: 'job' });
    await knell.request(`/ping/${job.uuid}/fail`);
    expect(await open()).toMatchObject({ count: 2, down: 3, only: null });
    await knell.request(`/ping/${job.uuid}`);
    expect(await open()).toMatchObject({ count: 1, only: incident });
    const story = (await owner.get(inProject(`checks/${job.uuid}/story`))).json();
    expect(story.incident).toBeUndefined();
  });

  test('are on the wall, those first that nobody has acknowledged, and come anew with every change', async () => {
    const wall = async (query = ''): Promise<Json> =>
      (await owner.get(`/web/overview?rows=1${query}`)).json();
    const before = await wall();
    expect(before.projects[0].incidents).toMatchObject([{ down: 2, isAcknowledged: false, by: '' }]);
    expect((await owner.get('/web/overview')).json().projects[0].incidents).toEqual([]);
    expect((await viewer.post(inProject(`api/incidents/${incident}/acknowledge`))).status).toBe(403);
    expect((await owner.post(inProject(`api/incidents/${incident}/acknowledge`))).status).toBe(200);
    expect(await open()).toMatchObject({ count: 1, acknowledged: 1 });
    const after = await wall(`&known=${encodeURIComponent(before.revision)}`);
    expect(after.projects[0].incidents).toMatchObject([{ isAcknowledged: true, by: 'ada' }]);
  });
});
