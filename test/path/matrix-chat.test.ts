/**
 * A room of Matrix that appears by itself: from a code in the bot's invitation, or one that is sent in the room, to the integration;
 * on the page and by its calls.
 */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { minute } from '../../src/lib/units.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../support/knell.ts';
import { isLong } from '../support/long.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { ownerPage, type PageClient } from '../support/page/page-client.ts';
import { MatrixServer } from '../support/wire/matrix-server.ts';

let server: MatrixServer;
beforeEach(async () => {
  server = await MatrixServer.start();
});
afterEach(() => server.stop());

describe('by the calls of the page', () => {
  const clock = new SimulatedClock(Date.now());
  let knell: Knell;
  let owner: PageClient;
  let base = '';
  beforeEach(async () => {
    knell = await Knell.start({ clock, env: server.env });
    owner = await ownerPage(knell);
    base = `/web/in/${(await owner.get('/web/state')).json().projects[0].id}/matrix`;
  });
  afterEach(() => knell.stop());

  const begin = async (): Promise<Json> => (await owner.post(base)).json();
  const find = async (code: string): Promise<Json> => (await owner.post(`${base}/${code}`)).json();
  const waiting = { state: 'waiting' };
  const joined = (): string[] =>
    [...server.rooms].filter(([, { joinedAt }]) => joinedAt !== null).map(([id]) => id);

  test('an invitation with the code is accepted, in an encrypted room too, which gets an answer', async () => {
    const room = server.create('!a:example.org', { name: 'On\ncall', encrypted: true });
    const { code, bot } = await begin();
    expect(bot).toBe('@knell:example.org');
    expect(await find(code)).toEqual(waiting);
    server.invite(room, code);
    const found = { state: 'found', chat: { id: room, name: 'On call' } };
    expect(await find(code)).toEqual(found);
    expect(await find(code)).toEqual(found);
    await expect.poll(() => server.sent.map((one) => one.room)).toEqual([room]);
    expect(server.sent[0]?.content.msgtype).toBe('m.notice');
  });

  test('without a code the invitation is accepted, and the room is found once the code is sent there', async () => {
    const room = server.create('!b');
    const { code } = await begin();
    server.invite(room);
    expect(await find(code)).toEqual(waiting);
    expect(joined()).toEqual([room]);
    server.say(room, 'hello');
    expect(await find(code)).toEqual(waiting);
    server.say(room, `Knell, it is ${code}`);
    expect(await find(code)).toEqual({ state: 'found', chat: { id: room, name: '' } });
  });

  test('an invitation from before counts, and so does a room that the bot is in', async () => {
    const [before, known] = [server.create('!before'), server.create('!known')];
    server.invite(before);
    const one = await begin();
    await find(one.code);
    server.say(before, one.code);
    expect((await find(one.code)).chat.id).toBe(before);
    server.invite(known);
    const other = await begin();
    await find(other.code);
    clock.skip(11 * minute);
    const later = await begin();
    server.say(known, later.code);
    expect((await find(later.code)).chat.id).toBe(known);
  });

  test('a room is shown to nobody but who has its code, in any order', async () => {
    const [one, two] = [server.create('!1'), server.create('!2')];
    const [first, second] = [await begin(), await begin()];
    server.invite(two, second.code);
    server.invite(one, first.code);
    server.invite(server.create('!stranger'), 'come in');
    const found = await Promise.all([find(first.code), find(second.code)]);
    expect(found.map(({ chat }) => chat.id)).toEqual([one, two]);
    // The code of somebody else in a third room changes nothing.
    server.say('!stranger', first.code);
    expect((await find(first.code)).chat.id).toBe(one);
  });

  test('strangers can have the bot in twenty rooms, and keep nobody with a code out', async () => {
    for (let nth = 0; nth < 150; nth++) server.invite(server.create(`!spam${nth}`));
    const { code } = await begin();
    for (let look = 0; look < 10; look++) expect(await find(code)).toEqual(waiting);
    expect(joined().length).toBe(20);
    server.invite(server.create('!own'), code);
    expect((await find(code)).chat.id).toBe('!own');
  });

  test('the home server is asked for little, and only while a form looks', async () => {
    server.create('!busy');
    server.invite('!busy');
    const { code } = await begin();
    await find(code);
    const [first, second] = server.syncs;
    expect(first).toMatchObject({ since: null, timeout: '0', filter: { room: { timeline: { limit: 1 } } } });
    expect(second.filter.room.timeline).toEqual({ types: ['m.room.message'], limit: 10 });
    expect(second.filter).toMatchObject({
      presence: { not_types: ['*'] },
      account_data: { not_types: ['*'] },
    });
    clock.skip(11 * minute);
    const before = server.server.all.length;
    expect(await find(code)).toEqual({ state: 'expired' });
    expect(await find('nonesuch12')).toEqual({ state: 'expired' });
    expect(server.server.all.length).toBe(before);
  });

  test('a bot in more rooms than an answer has place for finds those that come', async () => {
    server.padding = 600_000;
    server.invite(server.create('!old'));
    const { code } = await begin();
    server.padding = 0;
    server.invite(server.create('!new'), code);
    expect((await find(code)).chat.id).toBe('!new');
    expect(joined()).toEqual(['!new']);
  });

  test.each([
    ['account/whoami', 500, 'the home server answered with status 500'],
    ['account/whoami', 401, 'the home server does not know the access token: KNELL_MATRIX_TOKEN is wrong'],
    ['account/whoami', 404, 'there is no Matrix at the address of KNELL_MATRIX_HOMESERVER'],
    ['sync', 429, 'the home server gets too many requests: wait a minute, and try again'],
  ])('what %s answers with %i is said, without what the answer repeats', async (path, status, error) => {
    server.refusing = { path, status };
    const { status: answered, text } = await owner.post(base);
    expect([answered, JSON.parse(text)]).toEqual([409, { error }]);
  });

  test('a room that cannot be joined is said, and is found by another code later', async () => {
    const { code } = await begin();
    server.refusing = { path: 'join', status: 403 };
    server.invite(server.create('!shut'), code);
    expect(await find(code)).toEqual({
      state: 'failed',
      error: 'the bot was invited and cannot join the room: the home server does not allow it',
    });
    server.refusing = { path: '', status: 0 };
    const again = await begin();
    await find(again.code);
    server.say('!shut', again.code);
    expect((await find(again.code)).chat.id).toBe('!shut');
  });

  test.each<Json>([
    null,
    { rooms: 7 },
    {
      rooms: {
        invite: { '!x': 7, 'no room': {} },
        join: { '!y': null, '!z': { timeline: { events: 'x' } } },
      },
    },
    {
      rooms: {
        join: { '!y': { timeline: { events: [null, 7, { type: 'm.room.message', content: 'CODE' }] } } },
      },
    },
    {
      rooms: {
        join: {
          'no room': { timeline: { events: [{ type: 'm.room.message', content: { body: 'CODE' } }] } },
        },
      },
    },
  ])('an answer that is none is passed over: %j', async (updates) => {
    const { code } = await begin();
    server.server.answering = (_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ next_batch: '9', ...updates }).replace('CODE', code));
    };
    expect(await find(code)).toEqual(waiting);
  });
});

describe.runIf(isLong && browserMissing === '')('on the page', () => {
  test('the form is filled with the room of the invitation, and the integration gets alerts there', async () => {
    const at = await OwnerBrowser.start(server.env);
    try {
      await at.open('integrations/new/matrix');
      const form = at.page.locator('form.check-form');
      await form.getByRole('button', { name: 'Find the room' }).focus();
      await at.page.keyboard.press('Enter');
      const line = form.locator('pre').first();
      await line.waitFor();
      const [, code = ''] =
        /^\/invite @knell:example\.org (\w{10})$/.exec((await line.textContent()) ?? '') ?? [];
      expect(code).not.toBe('');
      expect(await at.findings('form')).toEqual([]);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      const room = server.create('!ops:example.org', { name: 'Ops' });
      server.invite(room, code);
      await form.getByText('Found: Ops.').waitFor();
      await expect.poll(() => form.getByLabel('Room', { exact: true }).inputValue()).toBe(room);
      expect(await form.getByLabel(/^Name/).inputValue()).toBe('Ops');
      await form.getByRole('button', { name: 'Add and send test' }).click();
      await at.page.getByText('Sent. Did it arrive?').waitFor();
      expect(server.sent.at(-1)).toMatchObject({ room, content: { msgtype: 'm.text' } });
      expect(at.complaints).toEqual([]);
    } finally {
      await at.stop();
    }
  });
});
