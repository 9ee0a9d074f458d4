/** The link in an alert whose check is in maintenance, too: its page does not promise what the maintenance holds back. */
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import type { Knell } from '../support/knell.ts';
import { startMailed } from '../support/mailed-knell.ts';
import { eventually } from '../support/patience.ts';
import type { MailReceiver } from '../support/wire/receivers.ts';

let knell: Knell;
let inbox: MailReceiver;
let stop: () => Promise<void>;
let email: string;

beforeAll(async () => {
  const clock = new SimulatedClock(Date.parse('2026-11-18T12:00:00Z'));
  ({ knell, inbox, stop } = await startMailed({ clock }));
  const args = { project: 'default', kind: 'email', name: 'team', value: 'ops@example.org', repeatS: 3600 };
  email = ((await knell.app.admin({ command: 'channel create', args }, () => {})) as { id: string }).id;
});
afterAll(() => stop());

/** The link in the mail about a check that has just failed, and is in maintenance since. */
async function maintained(name: string): Promise<string> {
  const { uuid } = await knell.create({ name, channels: email });
  await knell.request(`/ping/${uuid}/fail`);
  const path = await eventually(async () => {
    const mails = await Promise.all(inbox.all.map(({ text }) => simpleParser(text)));
    const mail = mails.find(({ subject }) => subject === `DOWN | ${name}`);
    const [, found] = /^Acknowledge: https:\/\/knell\.test(\/alert\/\S+)$/m.exec(mail?.text ?? '') ?? [];
    if (found === undefined) throw new Error(`no mail about ${name} yet`);
    return found;
  });
  const window = { name: 'Move', checks: [uuid], duration: '2h' };
  expect((await knell.api('POST', '/api/v3/maintenance/', window)).status).toBe(201);
  return path;
}
const post = async (path: string, what: string): Promise<string> =>
  (await knell.request(path, { method: 'POST', body: new URLSearchParams({ do: what }) })).text;

test('says that it is in maintenance, and until when', async () => {
  const path = await maintained('looked at');
  expect((await knell.request(path)).text).toContain(
    'It is in maintenance until 14:00 UTC: reminders are held back until then.',
  );
});

test('promises nothing for the end of a snooze that is within it, and all for one that is longer', async () => {
  const path = await maintained('snoozed');
  expect(await post(path, 'snooze-1h')).toContain(
    'Nothing is sent about snoozed until then. It is in maintenance until 14:00 UTC, too: what is still wrong after that is sent again.',
  );
  expect((await knell.request(path)).text).toContain(
    'until 13:00 UTC. It is in maintenance until 14:00 UTC.',
  );
  expect(await post(path, 'snooze-8h')).toContain('What is still wrong then is sent again.');
});

test('says at the end of a snooze that nothing is sent yet', async () => {
  const path = await maintained('unsnoozed');
  await post(path, 'snooze-1h');
  const before = inbox.all.length;
  expect(await post(path, 'unsnooze')).toContain(
    'Nothing is sent about unsnoozed yet: it is in maintenance until 14:00 UTC. What is still wrong after that is sent again.',
  );
  expect((await knell.request(path)).text).toContain(
    'It is in maintenance until 14:00 UTC: alerts are held back until then.',
  );
  expect(inbox.all).toHaveLength(before);
  await post(path, 'acknowledge');
  expect(await post(path, 'unacknowledge')).toContain(
    'no reminders are sent yet, since it is in maintenance until 14:00 UTC.',
  );
});
