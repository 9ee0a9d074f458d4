/** What the page of an alert says was done, or not. */
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';
import { eventually } from '../support/patience.ts';
import { MailReceiver } from '../support/wire/receivers.ts';

let knell: Knell;
let inbox: MailReceiver;

beforeAll(async () => {
  inbox = await MailReceiver.start();
  knell = await Knell.start({ env: { KNELL_MAIL_URL: inbox.url, KNELL_BASE_URL: 'https://knell.test' } });
});
afterAll(async () => {
  await knell.stop();
  await inbox.stop();
});

async function channel(name: string, repeatS: number): Promise<string> {
  const value = `${name}@example.org`;
  const args = { project: 'default', kind: 'email', name, value, repeatS, checks: 'none' };
  return ((await knell.app.admin({ command: 'channel create', args }, () => {})) as { id: string }).id;
}

/** The link in the mail to `once@example.org` about a check that has just failed. */
async function failed(name: string, channels: string): Promise<{ uuid: string; path: string }> {
  const { uuid } = await knell.create({ name, channels });
  await knell.request(`/ping/${uuid}/fail`);
  const path = await eventually(async () => {
    const mails = await Promise.all(inbox.all.map(({ text }) => simpleParser(text)));
    const mail = mails.find(
      ({ subject, to }) => subject === `DOWN | ${name}` && JSON.stringify(to).includes('once@example.org'),
    );
    const [, found] = /^Acknowledge: https:\/\/knell\.test(\/alert\/\S+)$/m.exec(mail?.text ?? '') ?? [];
    if (found === undefined) throw new Error(`no mail about ${name} yet`);
    return found;
  });
  return { uuid, path };
}

test.each([
  ['acknowledge', 'Nothing was acknowledged.'],
  ['snooze-1h', 'Nothing was snoozed.'],
])('that comes too late to %s says so, and not of one that came in time', async (does, words) => {
  const { uuid, path } = await failed(`late to ${does}`, await channel('once', 0));
  const press = () =>
    knell.request(path, { method: 'POST', headers: { accept: 'text/html' }, body: `do=${does}` });
  const inTime = (await press()).headers.get('location') ?? '';
  await knell.request(`/ping/${uuid}`);
  const tooLate = (await press()).headers.get('location') ?? '';
  expect((await knell.request(path + inTime)).text).not.toContain('Nothing was');
  expect((await knell.request(path + tooLate)).text).toContain(`${words} late to ${does} is not down`);
});
