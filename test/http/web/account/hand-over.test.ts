/** A project handed over: offered, accepted, declined, withdrawn, expired; by the page's endpoints, with real mails. */
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { restoreSnapshot } from '../../../../src/store/snapshot/restore.ts';
import { MailFlows } from '../../../support/page/mail-flows.ts';
import { goodPassword, type PageClient } from '../../../support/page/page-client.ts';
import { tempDir } from '../../../support/temp-dirs.ts';

const dayMs = 86_400_000;
let at: MailFlows;
let giver: PageClient;
let taker: PageClient;

beforeEach(async () => {
  at = await MailFlows.start();
  giver = await at.memberOfProject('grace', 'owner');
  taker = await at.memberOfProject('joan@example.org', 'editor');
});

afterEach(() => at.stop());

const path = (way = ''): string => `/web/in/${at.project}/hand-over${way}`;
const offer = (page: PageClient = giver, name = 'Joan@example.org') => page.post(path(), { name });
const accept = (page: PageClient = taker) => page.post(path('/accept'));
const decline = (page: PageClient = taker) => page.post(path('/decline'));
const withdraw = (page: PageClient = giver) => page.send('DELETE', path());
const roleOf = async (page: PageClient) => (await page.get('/web/state')).json().projects[0]?.role;
const offersTo = async (page: PageClient) => (await page.get('/web/state')).json().offers;
const shownTo = async (page: PageClient) =>
  (await page.get(`/web/in/${at.project}/settings`)).json().handOver;
const roles = async () => [await roleOf(giver), await roleOf(taker)];

describe('an offer', () => {
  test('changes nothing until it is accepted; then the other one owns the project, and the former owner edits', async () => {
    const made = await offer();
    expect([made.status, made.json()]).toEqual([
      200,
      { to: 'joan@example.org', mailed: { to: 'joan@example.org', error: null } },
    ]);
    const mail = await at.mail('joan@example.org', /grace offers you the project default/);
    expect(mail.text).toContain(`http://knell.test/project/${at.project}/checks`);
    const untilMs = at.clock.nowMs() + 7 * dayMs;
    expect(await offersTo(taker)).toEqual([{ id: at.project, project: 'default', by: 'grace', untilMs }]);
    expect(await shownTo(giver)).toEqual({ to: 'joan@example.org', by: 'grace', untilMs });
    expect([await offersTo(giver), await shownTo(taker)]).toEqual([[], null]);
    expect(await roles()).toEqual(['owner', 'editor']);
    expect((await accept()).status).toBe(200);
    expect(await roles()).toEqual(['editor', 'owner']);
    expect([await offersTo(taker), await shownTo(taker)]).toEqual([[], null]);
    const log = (await at.audit()).filter((line) => / (?:offered|accepted|changed) /.test(line));
    expect(log.slice(0, 4).sort()).toEqual(
      [
        'member joan@example.org accepted project default: ; from grace',
        'member joan@example.org changed member joan@example.org: role in "default"; ',
        'member joan@example.org changed member grace: role in "default"; ',
        'member grace offered project default: ; to joan@example.org',
      ].sort(),
    );
    expect((await accept()).status).toBe(404);
  });

  test('is declined, and withdrawn, and then nobody can accept it', async () => {
    await offer();
    expect((await decline()).status).toBe(200);
    expect((await accept()).status).toBe(404);
    await offer();
    expect((await withdraw()).status).toBe(200);
    expect((await withdraw()).status).toBe(404);
    const late = await accept();
    expect([late.status, late.json().error]).toEqual([
      404,
      'this offer was withdrawn or answered, or has expired',
    ]);
    expect(await roles()).toEqual(['owner', 'editor']);
    const log = (await at.audit()).filter((line) => / (?:declined|withdrew) /.test(line));
    expect(log).toEqual([
      'member grace withdrew project default: ; ',
      'member joan@example.org declined project default: ; ',
    ]);
  });

  test('expires after seven days', async () => {
    await offer();
    at.clock.skip(7 * dayMs - 1);
    expect(await offersTo(taker)).toHaveLength(1);
    at.clock.skip(1);
    expect([await offersTo(taker), await shownTo(giver)]).toEqual([[], null]);
    expect((await accept()).status).toBe(404);
  });

  test('is accepted once, whether by two tabs or against a withdrawal', async () => {
    await offer();
    const both = await Promise.all([accept(), accept()]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await roles()).toEqual(['editor', 'owner']);
    await offer(taker, 'grace');
    const race = await Promise.all([accept(giver), withdraw(taker)]);
    expect(race.map(({ status }) => status).sort()).not.toEqual([200, 200]);
  });

  test('replaces the one before it', async () => {
    const third = await at.memberOfProject('alan', 'viewer');
    await offer();
    await offer(giver, 'alan');
    expect([await offersTo(taker), (await offersTo(third)).length]).toEqual([[], 1]);
    expect((await accept()).status).toBe(404);
    expect((await accept(third)).status).toBe(200);
    expect([await roleOf(third), await roleOf(giver)]).toEqual(['owner', 'editor']);
  });

  test('survives a restart and a snapshot, and so does what was accepted', async () => {
    await offer();
    const file = `${tempDir()}/all.knell`;
    await at.knell.app.engine.writeSnapshot(file, () => {});
    await at.knell.restart(async () => {
      rmSync(at.knell.dataDir, { recursive: true });
      await restoreSnapshot(file, at.knell.dataDir, () => {});
    });
    expect(await offersTo(taker)).toHaveLength(1);
    expect((await accept()).status).toBe(200);
    await at.knell.restart();
    expect(await roles()).toEqual(['editor', 'owner']);
    expect((await accept()).status).toBe(404);
  });
});

describe('an offer is void', () => {
  test('once the member is gone, or has no role in the project any more', async () => {
    await offer();
    const { id } = at.user('joan@example.org') ?? {};
    await at.owner.post(`/web/in/${at.project}/members/${id}`, { role: 'none' });
    expect([(await accept()).status, await shownTo(giver)]).toEqual([404, null]);
    await at.owner.post(`/web/in/${at.project}/members/${id}`, { role: 'viewer' });
    expect(await shownTo(giver)).not.toBeNull();
    await taker.post('/web/account/close', { name: 'joan@example.org', present: goodPassword });
    expect(await shownTo(giver)).toBeNull();
  });

  test('once the one who made it is gone, or owns the project no more', async () => {
    await offer();
    const { id } = at.user('grace') ?? {};
    await at.owner.post(`/web/in/${at.project}/members/${id}`, { role: 'editor' });
    expect([(await accept()).status, await offersTo(taker)]).toEqual([404, []]);
    await at.owner.post(`/web/in/${at.project}/members/${id}`, { role: 'owner' });
    await at.owner.send('DELETE', `/web/users/${id}`);
    expect((await accept()).status).toBe(404);
    expect(await roleOf(taker)).toBe('editor');
  });
});

describe('a project is offered', () => {
  test('only to members of it who do not own it yet, and others are as nobody', async () => {
    await at.member('outside', 'none');
    const said: string[] = [];
    for (const name of ['outside', 'nobody-here', 'grace', 'ada', '', '<b>']) {
      const answer = await offer(giver, name);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      said.push(answer.json().error);
    }
    expect(said[0]).toBe(said[1]);
    expect(said.slice(2, 4)).toEqual([
      'you own this project: hand it over to somebody else',
      'ada is an owner of this project already',
    ]);
  });

  test('only by owners of it, and accepted only by whom it was offered to', async () => {
    const third = await at.memberOfProject('alan', 'viewer');
    expect((await offer(taker, 'alan')).status).toBe(403);
    await offer();
    expect((await withdraw(taker)).status).toBe(403);
    expect([
      (await accept(third)).status,
      (await decline(third)).status,
      (await accept(giver)).status,
    ]).toEqual([404, 404, 404]);
    const stranger = await at.member('outside', 'none');
    expect((await accept(stranger)).status).toBe(404);
    expect(await roles()).toEqual(['owner', 'editor']);
  });

  test('by an owner of the server, who stays one', async () => {
    await offer(at.owner);
    expect((await accept()).status).toBe(200);
    expect([await roleOf(at.owner), await roleOf(taker), await roleOf(giver)]).toEqual([
      'owner',
      'owner',
      'owner',
    ]);
  });
});
