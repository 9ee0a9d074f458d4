/** The list of checks, as the page asks for it: what is wrong first, filtered, grouped, in parts, and never older than it says. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultConfig } from '../../../src/domain/check/check.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../../support/knell.ts';
import { ownerPage, type PageClient } from '../../support/page/page-client.ts';

const clock = new SimulatedClock(Date.now());
let knell: Knell;
let owner: PageClient;
let project = '';
const checks = new Map<string, Json>();

beforeAll(async () => {
  knell = await Knell.start({ clock });
  owner = await ownerPage(knell);
  project = (await owner.get('/web/state')).json().projects[0].id;
  const create = async (name: string, tags: string, timeout: number): Promise<void> => {
    checks.set(
      name,
      await knell.create({
        ...{ name, slug: name.toLowerCase().replace(/ /g, '-'), tags, timeout, grace: 600 },
        desc: 'See the Runbook.',
      }),
    );
  };
  await create('job 10', 'prod db', 3600);
  await create('job 2', 'prod', 3600);
  await create('Overdue', 'db', 60);
  await create('Broken first', 'prod', 86_400);
  await create('Broken later', '', 86_400);
  await create('Running', 'cron', 86_400);
  await create('Paused', 'cron', 86_400);
  await create('Fresh', '', 86_400);
  await ping('job 10');
  await ping('Broken first', '/fail');
  await clock.advance(20_000);
  await ping('Broken later', '/fail');
  await ping('job 2');
  await ping('Overdue');
  await ping('Running', '/start');
  await knell.api('POST', `/api/v3/checks/${checks.get('Paused').uuid}/pause`);
  await clock.advance(90_000);
});

afterAll(() => knell?.stop());

async function ping(name: string, suffix = ''): Promise<void> {
  await knell.request(`/ping/${checks.get(name).uuid}${suffix}`, { method: 'POST' });
}

async function list(query = ''): Promise<Json> {
  return (await owner.get(`/web/in/${project}/list${query}`)).json();
}

const names = ({ rows }: Json): readonly string[] => rows.map(({ name }: Json) => name);

describe('the list', () => {
  test('has what is wrong first, what went down last before the rest, then what runs next', async () => {
    const view = await list();
    expect(names(view)).toEqual([
      'Broken later',
      'Broken first',
      'Overdue',
      'Running',
      'job 10',
      'job 2',
      'Paused',
      'Fresh',
    ]);
    expect(view).toMatchObject({
      all: 8,
      total: 8,
      from: 0,
      groups: [],
      counts: { down: 2, late: 1, running: 1, up: 2, paused: 1, new: 1 },
    });
    const [first, longest] = view.rows;
    expect(view.downSinceMs).toBe(longest.sinceMs);
    expect(first).toMatchObject({ status: 'down', cause: 'fail' });
    expect(view.lateUntilMs).toBe(view.rows[2].downAtMs);
  });

  test('is in other orders, either way, with numbers in names as numbers', async () => {
    const byName = names(await list('?sort=name'));
    expect(byName.slice(0, 3)).toEqual(['Broken first', 'Broken later', 'Fresh']);
    expect(byName.indexOf('job 2')).toBeLessThan(byName.indexOf('job 10'));
    expect(names(await list('?sort=name&order=desc'))).toEqual([...byName].reverse());
    expect(names(await list('?sort=last')).slice(-3)).toEqual(['Fresh', 'Paused', 'Running']);
    expect(names(await list('?sort=next'))[0]).toBe('Overdue');
    // The lowest first; what was never watched, at the end.
    const byUptime = names(await list('?sort=uptime'));
    expect(byUptime.slice(0, 2)).toEqual(['Broken first', 'Broken later']);
    expect(byUptime.slice(-3)).toEqual(['Fresh', 'Paused', 'Running']);
    // In the other direction, too.
    const most = names(await list('?sort=uptime&order=desc'));
    expect(most.slice(3, 5)).toEqual(['Broken first', 'Broken later']);
    expect(most.slice(-3)).toEqual(['Fresh', 'Paused', 'Running']);
    expect(names(await list('?sort=last&order=desc')).slice(-3)).toEqual(['Fresh', 'Paused', 'Running']);
    const byNext = names(await list('?sort=next'));
    const reversed = names(await list('?sort=next&order=desc'));
    expect(reversed).not.toEqual(byNext);
    expect(reversed.at(-1)).toBe(byNext.at(-1));
  });

  test.each([
    ['?status=down&status=late', ['Broken later', 'Broken first', 'Overdue']],
    ['?tag=prod', ['Broken first', 'job 10', 'job 2']],
    ['?tag=prod&tag=db', ['job 10']],
    ['?tag=prod&status=up', ['job 10', 'job 2']],
    ['?q=BROKEN', ['Broken later', 'Broken first']],
    ['?q=job-2', ['job 2']],
    ['?q=cron', ['Running', 'Paused']],
    ['?q=nothing', []],
    // Each word somewhere: in the name, the slug, the tags or the description, in whatever order.
    ['?q=later+broken', ['Broken later']],
    ['?q=cron+running', ['Running']],
    ['?q=++cron++paused++', ['Paused']],
    ['?q=broken+cron', []],
    ['?q=runbook+overdue', ['Overdue']],
  ])('filtered by %s has %j', async (query, expected) => {
    const view = await list(query);
    expect(names(view)).toEqual(expected);
    expect(view).toMatchObject({ total: expected.length, all: 8 });
  });

  test('finds a check by the whole of its UUID', async () => {
    expect(names(await list(`?q=${checks.get('Fresh').uuid}`))).toEqual(['Fresh']);
    expect(names(await list(`?q=${checks.get('Fresh').uuid.slice(0, 20)}`))).toEqual([]);
  });

  test('counts tags among what the other filters leave', async () => {
    expect((await list()).tags).toEqual([
      { name: 'prod', count: 3 },
      { name: 'cron', count: 2 },
      { name: 'db', count: 2 },
    ]);
    expect((await list('?tag=db')).tags).toEqual([
      { name: 'db', count: 2 },
      { name: 'prod', count: 1 },
    ]);
  });

  test('is grouped by the first tag, with what has none at the end, and counts for each', async () => {
    const { groups } = await list('?group=tag&sort=name');
    expect(groups.map(({ name, from, size }: Json) => [name, from, size])).toEqual([
      ['cron', 0, 2],
      ['db', 2, 1],
      ['prod', 3, 3],
      ['', 6, 2],
    ]);
    const worstFirst = (await list('?group=tag')).groups;
    expect(worstFirst.map(({ name }: Json) => name)).toEqual(['prod', '', 'db', 'cron']);
    expect(groups[2].counts).toMatchObject({ down: 1, up: 2, late: 0 });
    const byStatus = (await list('?group=status')).groups;
    expect(byStatus.map(({ name }: Json) => name)).toEqual([
      'down',
      'late',
      'running',
      'up',
      'paused',
      'new',
    ]);
  });

  test('comes in parts, and takes what it does not know for not said', async () => {
    expect(names(await list('?from=6&count=5'))).toEqual(['Paused', 'Fresh']);
    expect((await list('?from=100')).rows).toEqual([]);
    expect(names(await list('?sort=size&group=x&status=odd&from=-1&count=x'))).toEqual(names(await list()));
  });

  test('says when nothing has changed, and what has', async () => {
    const { revision } = await list();
    expect(await list(`?known=${revision}`)).toEqual({ same: true });
    await ping('Broken first');
    const after = await list(`?known=${revision}`);
    expect(names(after)[0]).toBe('Broken later');
    expect(after.counts).toMatchObject({ down: 1, up: 3 });
    const { uuid } = await knell.create({ name: 'Another' });
    expect((await list()).all).toBe(9);
    await knell.api('DELETE', `/api/v3/checks/${uuid}`);
    expect(names(await list())).not.toContain('Another');
    expect((await owner.get(`/web/in/${project}/summary`)).json().summary).toMatchObject({ all: 8 });
  });

  test('has rows by their ids, without those that are not there', async () => {
    const ids = [checks.get('Fresh').uuid, '00000000-0000-4000-8000-000000000000'];
    const { rows } = (await owner.get(`/web/in/${project}/rows?ids=${ids}`)).json();
    expect(rows.map(({ name }: Json) => name)).toEqual(['Fresh']);
  });
});

test('a list of thousands is right, however its checks change', async () => {
  const { engine } = knell.app;
  const [first] = engine.read.projects();
  if (!first) throw new Error('no project');
  const configs = Array.from({ length: 6000 }, (_, n) => ({
    ...defaultConfig,
    name: `many ${n}`,
    tags: 'many',
  }));
  await Promise.all(configs.map((config) => engine.change.createCheck(first.id, config, clock.nowMs())));
  const view = await list('?tag=many&sort=name&from=5990&count=10');
  expect(view.total).toBe(6000);
  expect(names(view)).toEqual(Array.from({ length: 10 }, (_, n) => `many ${5990 + n}`));
});

test('gives the neighbours of a check in its order, by the names that the reader is shown', async () => {
  const { rows } = await list();
  const neighbours = async (id: string, query = ''): Promise<Json> =>
    (await owner.get(`/web/in/${project}/checks/${id}/neighbours${query}`)).json();
  // The last of this part of the list may have more behind it.
  for (const [at, { id }] of rows.slice(0, -1).entries())
    expect(await neighbours(id)).toEqual({
      previous: rows[at - 1]?.id ?? null,
      next: rows[at + 1]?.id ?? null,
    });
  const byName = (await list('?sort=name')).rows;
  expect(await neighbours(byName[1].id, '?sort=name')).toEqual({
    previous: byName[0].id,
    next: byName[2].id,
  });
  const other = await owner.get(`/web/in/${project}/checks/00000000-0000-4000-8000-000000000000/neighbours`);
  expect(other.status).toBe(404);
});

test('of the checks that are down, those that somebody knows of or whose alert is held back come last', async () => {
  for (const [name, spec] of [
    ['Known', {}],
    ['Held', { alert_after: 3 }],
    ['Newest', {}],
  ] as const) {
    checks.set(name, await knell.create({ name, slug: name.toLowerCase(), tags: 'order', ...spec }));
    await ping(name, '/fail');
    await clock.advance(1000);
  }
  const down = (): Promise<Json> => list('?tag=order&status=down');
  const acknowledge = (action: string): Promise<unknown> =>
    knell.api('POST', `/api/v3/checks/${checks.get('Newest').uuid}/${action}`);
  expect(names(await down())).toEqual(['Newest', 'Known', 'Held']);
  await acknowledge('acknowledge');
  const view = await down();
  expect(names(view)).toEqual(['Known', 'Newest', 'Held']);
  const [known, , held] = view.rows;
  expect(held.heldBack).toEqual({ reason: 'alert-after', about: '1 of 3 failures', untilMs: null });
  expect(known.heldBack).toBeUndefined();
  await acknowledge('unacknowledge');
  expect(names(await down())).toEqual(['Newest', 'Known', 'Held']);
});
