/** The integrations of a project as the page asks for them: how each works, also of what was before a restart; all at once. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../../../support/knell.ts';
import { ownerPage, type PageClient } from '../../../support/page/page-client.ts';
import { eventually } from '../../../support/patience.ts';
import { HttpReceiver } from '../../../support/wire/receivers.ts';

let receiver: HttpReceiver;
let clock: SimulatedClock;
let knell: Knell;
let owner: PageClient;
let project = '';

beforeEach(async () => {
  receiver = await HttpReceiver.start();
  clock = new SimulatedClock(Date.UTC(2026, 5, 14, 12));
  knell = await Knell.start({ clock, env: { KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' } });
  owner = await ownerPage(knell);
  project = (await owner.get('/web/state')).json().projects[0].id;
});

afterEach(async () => {
  await knell.stop();
  await receiver.stop();
});

const inProject = (rest: string): string => `/web/in/${project}/${rest}`;
const integrations = async (): Promise<Json> => (await owner.get(inProject('integrations'))).json();
const ping = (check: Json, rest = ''): Promise<unknown> =>
  knell.request(`/ping/${check.uuid}${rest}`, { method: 'POST' });

function answerWith(status: number): void {
  receiver.answering = (_, response) => {
    response.statusCode = status;
    response.end();
  };
}

async function webhook(name: string, path = '/hook', of = project): Promise<string> {
  const fields = { url_down: receiver.url(path), url_up: receiver.url(path) };
  return (await owner.post(`/web/in/${of}/channels`, { kind: 'webhook', name, fields })).json().id;
}

/** Resolves once the integration has `count` notifications that are over. */
const ended = (name: string, count: number): Promise<Json> =>
  eventually(async () => {
    await clock.advance(5);
    const one = (await integrations()).integrations.find((each: Json) => each.name === name);
    expect(one.recent).toHaveLength(count);
    return one;
  });

describe('the integrations of a project', () => {
  test('say how their newest notifications went, and say it again after a restart', async () => {
    await webhook('pager');
    await webhook('unused');
    const job = await knell.create({ name: 'job', channels: '*' });
    const quiet = await knell.create({ name: 'quiet', channels: '' });
    await owner.post(inProject(`api/checks/${job.uuid}`), {
      channels: (await integrations()).integrations[0].id,
    });
    for (let n = 1; n <= 24; n++) {
      await clock.advance(60_000);
      await ping(job, n % 2 === 1 ? '/fail' : '');
      await ended('pager', Math.min(n, 20));
    }
    await ping(quiet);
    const before = await integrations();
    expect(before.checks).toBe(2);
    const [pager, unused] = before.integrations;
    expect(pager).toMatchObject({ name: 'pager', usedFor: 1, failed: 0, waiting: 0, deliveries: [] });
    expect(pager.recent.at(-1)).toMatchObject({
      ...{ kind: 'up', outcome: 'delivered', attempts: 1, error: '', check: 'job', checkId: job.uuid },
    });
    expect(pager.recent[0].atMs).toBeLessThan(pager.recent[19].atMs);
    expect(unused).toMatchObject({ usedFor: 0, recent: [] });
    await knell.restart();
    const after = await integrations();
    expect(after.integrations).toEqual(before.integrations);
    // What follows is added to what was read.
    await clock.advance(60_000);
    await ping(job, '/fail');
    await eventually(async () => {
      await clock.advance(5);
      const { recent } = (await integrations()).integrations[0];
      expect(recent.at(-1)).toMatchObject({ kind: 'down', check: 'job' });
      expect(recent).toHaveLength(20);
    });
  });

  test('count what waits and what failed, and take all of it again or away at once', async () => {
    answerWith(503);
    const id = await webhook('broken');
    await webhook('other', '/other');
    const jobs = [];
    for (let n = 0; n < 3; n++) jobs.push(await knell.create({ name: `job ${n}`, channels: id }));
    for (const job of jobs) await ping(job, '/fail');
    const broken = await eventually(async () => {
      await clock.advance(5);
      const [one] = (await integrations()).integrations;
      expect(one).toMatchObject({ waiting: 3, retrying: 3, failed: 0 });
      return one;
    });
    expect(broken.deliveries.map(({ check }: Json) => check)).toEqual(['job 0', 'job 1', 'job 2']);
    expect(broken.deliveries[0].error).toContain('503');
    answerWith(200);
    expect((await owner.post(inProject(`channels/${id}/retry`))).json()).toEqual({
      count: 3,
      over: 0,
      replaced: 0,
      snoozed: 0,
    });
    const fine = await ended('broken', 3);
    expect(fine).toMatchObject({ waiting: 0, deliveries: [] });
    // Blocked, so each is given up at the first attempt.
    const fields = { url_down: 'http://10.0.0.1/', url_up: 'http://10.0.0.1/' };
    await owner.post(inProject(`channels/${id}`), { fields, clear: [] });
    for (const job of jobs) await ping(job);
    const refused = await eventually(async () => {
      await clock.advance(5);
      const [one] = (await integrations()).integrations;
      expect(one).toMatchObject({ waiting: 0, failed: 3 });
      return one;
    });
    expect(refused.recent.slice(-3).map(({ outcome }: Json) => outcome)).toEqual(Array(3).fill('failed'));
    expect((await owner.post(inProject(`channels/${id}/discard`))).json()).toEqual({ count: 3 });
    expect((await integrations()).integrations[0]).toMatchObject({ failed: 0, deliveries: [] });
  });

  test('note a test among what they sent', async () => {
    const id = await webhook('pager');
    await owner.post(inProject(`channels/${id}/test`));
    const one = await ended('pager', 1);
    expect(one.recent[0]).toMatchObject({ kind: 'test', outcome: 'delivered', check: '', checkId: '' });
  });

  test('are assigned to all checks that a search finds, and taken from them', async () => {
    const id = await webhook('pager');
    for (let n = 0; n < 250; n++)
      await knell.create({ name: `job ${n}`, tags: n % 2 ? 'odd' : 'even', channels: '' });
    const checks = (body: object) => owner.post(inProject(`channels/${id}/checks`), body);
    const used = async () => (await integrations()).integrations[0].usedFor;
    const nobody = async () => (await owner.get(inProject('summary'))).json().summary.notifyNobody;
    expect(await nobody()).toBe(250);
    const odd = (await checks({ on: true, search: 'tag=odd' })).json();
    expect([odd.count, odd.changed.length]).toEqual([125, 125]);
    expect(await used()).toBe(125);
    expect(await nobody()).toBe(125);
    expect((await checks({ on: true, search: '' })).json()).toMatchObject({ count: 125 });
    expect(await nobody()).toBe(0);
    const taken = (await checks({ on: false, search: 'q=job+24' })).json();
    expect(taken.count).toBe(13);
    expect(await used()).toBe(237);
    // Those that are so already are neither counted nor noted.
    expect((await checks({ on: false, search: 'q=job+2' })).json().count).toBe(75);
    const [noted] = (await owner.get('/web/audit')).json().entries;
    expect(noted).toMatchObject({ action: 'unassigned', detail: expect.stringMatching(/^checks: 75 /) });
    expect((await checks({ on: true, only: taken.changed })).json().count).toBe(13);
    expect(await used()).toBe(175);
  });

  test('are shown and changed only within their project, and only by those who may', async () => {
    const other = (await owner.post('/web/projects', { name: 'Other' })).json().id;
    const id = await webhook('foreign', '/hook', other);
    expect((await integrations()).integrations).toEqual([]);
    for (const action of ['retry', 'discard', 'checks'])
      expect((await owner.post(inProject(`channels/${id}/${action}`), {})).status, action).toBe(404);
  });
});
