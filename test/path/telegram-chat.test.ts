/**
 * A chat of Telegram that appears by itself: from a code that somebody sends to the bot to the integration, on the page and by its
 * calls. In Telegram's place is a server that does what its document says of getMe and getUpdates
 * (https://core.telegram.org/bots/api): the program itself cannot be had here.
 */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { minute } from '../../src/lib/units.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../support/knell.ts';
import { isLong } from '../support/long.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { ownerPage, type PageClient } from '../support/page/page-client.ts';
import { tempDir } from '../support/temp-dirs.ts';
import { selfSigned } from '../support/wire/certificate.ts';
import { standInFor } from '../support/wire/in-place-of.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

const token = '1:secret';
const env = { KNELL_TELEGRAM_TOKEN: token };

/** The bot's side of Telegram. */
class Bot {
  readonly sent: Json[] = [];
  updates: Json[] = [];
  /** Instead of an answer. */
  status = 200;
  readonly server: HttpReceiver;
  readonly leave: () => void;

  constructor(server: HttpReceiver, leave: () => void) {
    this.server = server;
    this.leave = leave;
    server.answering = ({ path, body }, response) => {
      const reply = (status: number, result: Json): void => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(result));
      };
      const method = path.replace(`/bot${token}/`, '');
      if (this.status !== 200)
        return reply(this.status, { ok: false, error_code: this.status, description: `secret of ${path}` });
      const asked = JSON.parse(body);
      if (method === 'getMe')
        return reply(200, { ok: true, result: { id: 1, is_bot: true, username: 'knell_bot' } });
      if (method === 'sendMessage') {
        this.sent.push(asked);
        return reply(200, { ok: true, result: { message_id: 1 } });
      }
      if (method !== 'getUpdates') return reply(404, { ok: false });
      // Those before the offset are confirmed, and forgotten.
      this.updates = this.updates.filter(({ update_id: id }) => id >= asked.offset);
      reply(200, { ok: true, result: this.updates.slice(0, asked.limit) });
    };
  }

  static async start(): Promise<Bot> {
    const host = 'api.telegram.org';
    const certificate = selfSigned(tempDir(), 1, host);
    const server = await HttpReceiver.start(certificate);
    return new Bot(server, standInFor({ host, port: server.port, certificate }));
  }

  says(update: Json): void {
    this.updates.push({ update_id: 100 + this.updates.length, ...update });
  }

  async stop(): Promise<void> {
    this.leave();
    await this.server.stop();
  }
}

let bot: Bot;
beforeEach(async () => {
  bot = await Bot.start();
});
afterEach(() => bot.stop());

describe('by the calls of the page', () => {
  const clock = new SimulatedClock(Date.now());
  let knell: Knell;
  let owner: PageClient;
  let base = '';
  beforeEach(async () => {
    knell = await Knell.start({ clock, env });
    owner = await ownerPage(knell);
    base = `/web/in/${(await owner.get('/web/state')).json().projects[0].id}/telegram`;
  });
  afterEach(() => knell.stop());

  const begin = async (): Promise<Json> => (await owner.post(base)).json();
  const find = async (code: string): Promise<Json> => (await owner.post(`${base}/${code}`)).json();

  test.each<[string, (text: string) => Json, Json]>([
    [
      'a chat with the bot',
      (text) => ({
        message: { text, chat: { id: 77, type: 'private', first_name: 'Ann', username: 'ann' } },
      }),
      { id: 77, topicId: null, name: 'Ann' },
    ],
    [
      'a group',
      (text) => ({ message: { text, chat: { id: -5, type: 'group', title: 'On\ncall' } } }),
      { id: -5, topicId: null, name: 'On call' },
    ],
    [
      'a topic',
      (text) => ({
        message: {
          ...{ text, message_thread_id: 9, is_topic_message: true },
          chat: { id: -1_001_234_567_890, type: 'supergroup', is_forum: true, title: 'Ops' },
        },
      }),
      { id: -1_001_234_567_890, topicId: 9, name: 'Ops' },
    ],
    [
      'a channel',
      (text) => ({ channel_post: { text, chat: { id: -100, type: 'channel', title: 'Alerts' } } }),
      { id: -100, topicId: null, name: 'Alerts' },
    ],
  ])('the code is found in %s, which gets an answer', async (_, update, chat) => {
    const { code, bot: name } = await begin();
    expect(name).toBe('knell_bot');
    expect(await find(code)).toEqual({ state: 'waiting' });
    bot.says({ message: { text: 'hello', chat: { id: 1 } } });
    bot.says({ message: { text: '/start another1', chat: { id: 2 } } });
    bot.says(update(`/start@knell_bot ${code}`));
    expect(await find(code)).toEqual({ state: 'found', chat });
    // It stays found if somebody else sends the code once more.
    bot.says({ message: { text: `/start ${code}`, chat: { id: 666 } } });
    expect(await find(code)).toEqual({ state: 'found', chat });
    await expect.poll(() => bot.sent.map(({ chat_id: id }) => id)).toEqual([chat.id]);
    expect(bot.sent[0]?.message_thread_id ?? null).toBe(chat.topicId);
  });

  test('two who look at once find each their own', async () => {
    const [one, other] = [await begin(), await begin()];
    bot.says({ message: { text: `/start ${other.code}`, chat: { id: 2, first_name: 'Two' } } });
    bot.says({ message: { text: `/start ${one.code}`, chat: { id: 1, first_name: 'One' } } });
    const found = await Promise.all([find(one.code), find(other.code)]);
    expect(found.map(({ chat }) => chat.name)).toEqual(['One', 'Two']);
  });

  test('a code is worth nothing after ten minutes, nor one that nobody was given', async () => {
    const { code } = await begin();
    clock.skip(10 * minute + 1);
    bot.says({ message: { text: `/start ${code}`, chat: { id: 1 } } });
    expect(await find(code)).toEqual({ state: 'expired' });
    expect(await find('nonesuch12')).toEqual({ state: 'expired' });
  });

  test.each([
    [401, 'Telegram does not know the bot: KNELL_TELEGRAM_TOKEN is wrong'],
    [500, 'Telegram answered with status 500'],
  ])('a bot that is refused with %i is said, without what the answer repeats', async (status, error) => {
    bot.status = status;
    const { status: answered, text } = await owner.post(base);
    expect([answered, JSON.parse(text)]).toEqual([409, { error }]);
  });

  test('a bot whose messages another program reads is said', async () => {
    const { code } = await begin();
    bot.status = 409;
    expect(await find(code)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('another program reads what is sent to this bot'),
    });
  });

  test.each<Json>([
    { message: null },
    { message: { text: 7, chat: 'x' } },
    { message: { text: '/start CODE', chat: { id: 'not a number' } } },
    { update_id: 'x', message: { text: '/start CODE' } },
    'garbage',
  ])('a message that is none is passed over: %j', async (update) => {
    const { code } = await begin();
    bot.updates = [JSON.parse(JSON.stringify(update).replace('CODE', code))];
    expect(await find(code)).toEqual({ state: 'waiting' });
  });
});

describe.runIf(isLong && browserMissing === '')('on the page', () => {
  test('the form is filled with the chat in which the code was sent, and the integration gets alerts there', async () => {
    const at = await OwnerBrowser.start(env);
    try {
      await at.open('integrations/new/telegram');
      const form = at.page.locator('form.check-form');
      await form.getByRole('button', { name: 'Find the chat' }).click();
      const line = form.locator('pre');
      await line.waitFor();
      const [, code = ''] = /^\/start@knell_bot (\w+)$/.exec((await line.textContent()) ?? '') ?? [];
      const link = form.getByRole('link', { name: 'Open a chat with @knell_bot' });
      expect(await link.getAttribute('href')).toBe(`https://t.me/knell_bot?start=${code}`);
      expect(await at.findings('form')).toEqual([]);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      bot.says({
        message: {
          ...{ text: `/start ${code}`, message_thread_id: 9, is_topic_message: true },
          chat: { id: -100, type: 'supergroup', title: 'Ops' },
        },
      });
      await form.getByText('Found: Ops.').waitFor();
      await expect.poll(() => form.getByLabel('Chat ID').inputValue()).toBe('-100');
      expect(await form.getByLabel(/^Topic ID/).inputValue()).toBe('9');
      expect(await form.getByLabel(/^Name/).inputValue()).toBe('Ops');
      await form.getByRole('button', { name: 'Add and send test' }).click();
      await at.page.getByText('Sent. Did it arrive?').waitFor();
      expect(bot.sent.at(-1)).toMatchObject({ chat_id: -100, message_thread_id: 9 });
    } finally {
      await at.stop();
    }
  });
});
