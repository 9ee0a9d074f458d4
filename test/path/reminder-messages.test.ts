/** What a message says that is not the first of an outage: that it is a reminder, and whether a snooze has ended. From a real socket to real receivers. */
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { Knell } from '../support/knell.ts';
import { eventually } from '../support/patience.ts';
import { HttpReceiver, MailReceiver } from '../support/wire/receivers.ts';

const hourS = 3600;

let knell: Knell;
let http: HttpReceiver;
let inbox: MailReceiver;
const clock = new SimulatedClock(Date.UTC(2026, 4, 4, 5, 0, 0));

beforeAll(async () => {
  http = await HttpReceiver.start();
  inbox = await MailReceiver.start();
  knell = await Knell.start({
    clock,
    env: { KNELL_MAIL_URL: inbox.url, KNELL_WEBHOOK_ALLOW: '127.0.0.0/8', KNELL_TIME_ZONE: 'UTC' },
  });
});
afterAll(async () => {
  await knell.stop();
  await http.stop();
  await inbox.stop();
});

async function channel(kind: string, value: string, settings = {}): Promise<string> {
  const args = { project: 'default', kind, name: kind, value, ...settings };
  return ((await knell.app.admin({ command: 'channel create', args }, () => {})) as { id: string }).id;
}

/** The first of what has come, once there are `count`, while time goes on. */
async function come<One>(all: () => readonly One[], count: number, stepMs = 1000): Promise<readonly One[]> {
  await eventually(async () => {
    await clock.advance(stepMs);
    expect(all().length).toBeGreaterThanOrEqual(count);
  });
  return all().slice(0, count);
}

async function mails(name: string, count: number, stepMs = 1000) {
  const own = () => inbox.all.filter(({ text }) => text.includes(name));
  const received = await come(own, count, stepMs);
  return Promise.all(received.map(({ text }) => simpleParser(text)));
}

const value = JSON.stringify({ value: 'ops@example.org', up: true, down: true });

describe('a reminder', () => {
  test('after a snooze says in its subject that the check is still down, and that it is one and when the snooze ended', async () => {
    const hook = JSON.stringify({
      method_down: 'POST',
      url_down: http.url('/'),
      body_down: '{"s": "$STATUS"}',
    });
    const ids = [await channel('email', value), await channel('webhook', hook)];
    ids.push(await channel('gotify', JSON.stringify({ url: http.url('/gotify'), token: 't' })));
    const { uuid } = await knell.create({ name: 'Invoice export', channels: ids.join(',') });
    await knell.request(`/ping/${uuid}/3`);
    const [first] = await mails('Invoice export', 1);
    await come(() => http.all, 2);
    await knell.api('POST', `/api/v3/checks/${uuid}/snooze`, { for: hourS });
    await clock.advance(hourS * 1000);
    const [, second] = await mails('Invoice export', 2);
    expect(first?.text).toMatch(/^Invoice export is down\n\n/);
    expect(first?.text).not.toMatch(/reminder/i);
    expect(second?.subject).toBe(`${first?.subject} (still down)`);
    expect(second?.inReplyTo).toBe(first?.inReplyTo ?? first?.messageId);
    expect(second?.text).toMatch(
      /^Invoice export is still down\n\nReminder: the snooze ended at 06:\d\d:\d\d\. The job/,
    );
    expect(second?.html).toContain('Invoice export is still down');
    const received = await come(() => http.all, 4);
    const [hook1, hook2] = received.filter(({ path }) => path === '/');
    expect(hook2?.body).toBe(hook1?.body);
    const [chat1, chat2] = received.filter(({ path }) => path.startsWith('/gotify')).map(({ body }) => body);
    expect(chat1).not.toContain('Reminder');
    expect(chat2).toContain('Reminder: the snooze ended at ');
  });

  test('that is repeated says that it is one', async () => {
    const { uuid } = await knell.create({
      name: 'Nightly',
      channels: await channel('email', value, { repeatS: hourS }),
    });
    await knell.request(`/ping/${uuid}/3`);
    await mails('Nightly', 1);
    const [first, second] = await mails('Nightly', 2, 600_000);
    expect(second?.subject).toBe(`${first?.subject} (still down)`);
    expect(second?.inReplyTo).toBe(first?.inReplyTo ?? first?.messageId);
    expect(second?.text).toMatch(/^Nightly is still down\n\nReminder: it is still down\. The job/);
  });
});
