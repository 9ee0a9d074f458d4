/** What the page of an alert says was done, or not, and what follows: of reminders only where an integration of the check asks for some. */
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Knell } from '../support/knell.ts';
import { startMailed } from '../support/mailed-knell.ts';
import { eventually } from '../support/patience.ts';
import type { MailReceiver } from '../support/wire/receivers.ts';

let knell: Knell;
let inbox: MailReceiver;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ knell, inbox, stop } = await startMailed());
});
afterAll(() => stop());

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

const post = async (path: string, what: string): Promise<string> =>
  (await knell.request(path, { method: 'POST', body: new URLSearchParams({ do: what }) })).text;
const buttonsIn = (html: string) => [...html.matchAll(/value="([\w-]+)"/g)].map(([, does]) => does);

test('says nothing of reminders where no integration asks for any', async () => {
  const { uuid, path } = await failed('no reminders', await channel('once', 0));
  const acknowledged = await post(path, 'acknowledge');
  expect(acknowledged).toContain('no reminders is acknowledged until it is up again.');
  const seen = [acknowledged, (await knell.request(path)).text, await post(path, 'snooze-2h')];
  seen.push(await post(path, 'unsnooze'));
  const withdrawn = await post(path, 'unacknowledge');
  expect(withdrawn).toContain('<p>It is no longer acknowledged.</p>');
  await knell.api('POST', '/api/v3/maintenance/', { name: 'Move', checks: [uuid], duration: '2h' });
  const maintained = (await knell.request(path)).text;
  expect(maintained).toMatch(/It is in maintenance until [^:]*\d\d:\d\d UTC\.</);
  await post(path, 'acknowledge');
  seen.push(withdrawn, maintained, await post(path, 'unacknowledge'));
  for (const page of seen) expect(page.replaceAll('no reminders', '')).not.toMatch(/remind/i);
});

test('says so where another integration than that of the link asks for them', async () => {
  const both = `${await channel('once', 0)},${await channel('often', 3600)}`;
  const { path } = await failed('with reminders', both);
  expect(await post(path, 'acknowledge')).toContain(
    'No reminders about with reminders are sent until it is up again.',
  );
  expect((await knell.request(path)).text).toContain(': no reminders until it is up again.');
  const withdrawn = await post(path, 'unacknowledge');
  expect(withdrawn).toContain('It is no longer acknowledged: reminders go on.');
  // As on any other page of it.
  expect(buttonsIn(withdrawn)).toEqual([
    ...['note', 'acknowledge', 'snooze-1h', 'snooze-2h', 'snooze-8h', 'snooze-morning'],
  ]);
});

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
