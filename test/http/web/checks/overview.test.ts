/** How all projects are, for the overview and the wall: what is counted, what is named, and what a wall link opens. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../../../support/knell.ts';
import { ownerPage, PageClient } from '../../../support/page/page-client.ts';

const clock = new SimulatedClock(Date.now());
let knell: Knell;
let owner: PageClient;
let project = '';
let other = '';
let firstPingMs = 0;

beforeAll(async () => {
  knell = await Knell.start({ clock });
  owner = await ownerPage(knell);
  project = (await owner.get('/web/state')).json().projects[0].id;
  const made = (await owner.post('/web/projects', { name: 'aaa quiet' })).json();
  other = made.id;
  await knell.api('POST', '/api/v3/checks/', { name: 'Other' }, made.keys['read-write']);
  const failing = async (name: string): Promise<void> => {
    const { uuid } = await knell.create({ name, tags: 'prod' });
    await knell.request(`/ping/${uuid}/fail`);
    await clock.advance(5000);
  };
  const late = await knell.create({ name: 'Late', timeout: 60, grace: 600 });
  firstPingMs = clock.nowMs();
  await knell.request(`/ping/${late.uuid}`);
  await failing('First');
  await failing('Second');
  await clock.advance(70_000);
});

afterAll(() => knell?.stop());

const overview = async (query = ''): Promise<Json> => (await owner.get(`/web/overview${query}`)).json();
const namesOf = (rows: Json): readonly string[] => rows.map(({ name }: Json) => name);

describe('the overview', () => {
  test('has every project with its counts, the one with the most trouble first', async () => {
    const { projects } = await overview();
    expect(namesOf(projects)).toEqual(['default', 'aaa quiet']);
    expect(projects[0]).toMatchObject({
      id: project,
      summary: { all: 3, counts: { down: 2, late: 1, up: 0 } },
      troubled: [],
    });
    expect(projects[1]).toMatchObject({ id: other, summary: { all: 1, counts: { new: 1 } } });
  });

  test('names what is down, the newest first, then what is late, on request and of one project', async () => {
    const { projects } = await overview(`?rows=1&project=${project}`);
    expect(namesOf(projects)).toEqual(['default']);
    expect(namesOf(projects[0].troubled)).toEqual(['Second', 'First', 'Late']);
    expect((await owner.get('/web/overview?project=nope')).status).toBe(404);
  });

  test('does not travel again while nothing has changed, and does when something has', async () => {
    const { revision } = await overview();
    const again = `?known=${encodeURIComponent(revision)}`;
    expect(await overview(again)).toEqual({ same: true });
    await knell.create({ name: 'New one' });
    expect((await overview(again)).projects[0].summary.all).toBe(4);
    await owner.post(`/web/in/${other}/rename`, { name: 'bbb quiet' });
    expect(namesOf((await overview()).projects)).toEqual(['default', 'bbb quiet']);
  });

  test('has the uptime of each project by itself: of all its checks, for as long as they were watched', async () => {
    const { uptimes, since } = (await owner.get('/web/uptimes')).json();
    expect(uptimes).toEqual({ [project]: expect.any(Number), [other]: null });
    // Its first check is younger than the range, and was pinged at once.
    expect(since).toEqual({ [project]: firstPingMs });
    expect(uptimes[project]).toBeGreaterThan(0);
    expect(uptimes[project]).toBeLessThan(100);
    expect((await new PageClient(knell).get('/web/uptimes')).status).toBe(401);
  });

  test('is for members', async () => {
    expect((await new PageClient(knell).get('/web/overview')).status).toBe(401);
  });
});

describe('a wall link', () => {
  const withKey = (path: string, key: string) =>
    knell.request(path, { headers: { 'X-Knell-Wall': key, 'X-Api-Key': key } });

  test('shows how its project is, without an address to ping or one of the page, and opens nothing else', async () => {
    const { key, id } = (await owner.post(`/web/in/${project}/keys`, { scope: 'wall' })).json();
    expect(key).toMatch(/^wall_[0-9A-Za-z]{32}$/);
    const answer = await withKey('/web/overview?rows=1', key);
    expect([answer.status, namesOf(answer.json().projects)]).toEqual([200, ['default']]);
    expect(namesOf(answer.json().projects[0].troubled)).toEqual(['Second', 'First', 'Late']);
    const uuids = (await knell.api('GET', '/api/v3/checks/')).json().checks.map(({ uuid }: Json) => uuid);
    for (const secret of [...uuids, project, other]) expect(answer.text).not.toContain(secret);
    const closed = [
      '/api/v3/checks/',
      `/web/in/${project}/list`,
      `/web/in/${project}/summary`,
      `/web/in/${project}/settings`,
      `/ping/${key}/first`,
      `/projects/${project}/metrics`,
    ];
    for (const path of closed) expect([path, (await withKey(path, key)).status >= 400]).toEqual([path, true]);
    expect((await owner.send('DELETE', `/web/in/${project}/keys/${id}`)).status).toBe(200);
    const revoked = await withKey('/web/overview', key);
    expect([revoked.status, revoked.json().error]).toEqual([403, 'this link was revoked or is wrong']);
  });

  test('is no other key', async () => {
    for (const key of Object.values(knell.keys))
      expect((await withKey('/web/overview', key)).status).toBe(403);
  });
});
