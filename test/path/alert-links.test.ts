/** The links in alerts, followed by somebody without an account: over a real socket, out of a mail that a real receiver got. */
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';
import { ownerPage, type PageClient } from '../support/page/page-client.ts';
import { eventually } from '../support/patience.ts';
import { HttpReceiver, MailReceiver } from '../support/wire/receivers.ts';

let knell: Knell;
let inbox: MailReceiver;
let http: HttpReceiver;
let email: string;
let owner: PageClient;
let projectId: string;

beforeAll(async () => {
  inbox = await MailReceiver.start();
  http = await HttpReceiver.start();
  knell = await Knell.start({
    env: {
      KNELL_MAIL_URL: inbox.url,
      KNELL_WEBHOOK_ALLOW: '127.0.0.0/8',
      KNELL_BASE_URL: 'https://knell.test',
    },
  });
  owner = await ownerPage(knell);
  projectId = (await owner.get('/web/state')).json().projects[0].id;
  email = await channel('email', 'ops@example.org', { repeatS: 3600 });
});

afterAll(async () => {
  await knell.stop();
  await inbox.stop();
  await http.stop();
});

async function channel(kind: string, value: string, settings = {}): Promise<string> {
  const args = { project: 'default', kind, name: `${kind} of the team`, value, ...settings };
  return ((await knell.app.admin({ command: 'channel create', args }, () => {})) as { id: string }).id;
}

/** A check that has just failed, and the path of the link in the mail about it. */
async function failed(name: string, body = ''): Promise<{ uuid: string; path: string }> {
  const { uuid } = await knell.create({ name, channels: email });
  await knell.request(`/ping/${uuid}/3`, { method: 'POST', body });
  return { uuid, path: await linkAbout(`DOWN | ${name}`) };
}

async function linkAbout(subject: string): Promise<string> {
  return eventually(async () => {
    const mails = await Promise.all(inbox.all.map(({ text }) => simpleParser(text)));
    const mail = mails.findLast((one) => one.subject === subject);
    const [, path] = /^Acknowledge: https:\/\/knell\.test(\/alert\/\S+)$/m.exec(mail?.text ?? '') ?? [];
    if (path === undefined) throw new Error(`no mail about ${subject} yet`);
    return path;
  });
}

/** Who has left a note, and what it says. */
const notesOn = (html: string): readonly string[] =>
  [...html.matchAll(/<li><strong>([^<]*)<\/strong><span>([^<]*)<\/span>/g)].map(
    ([, by, said]) => `${by} ${said}`,
  );
const post = (path: string, what: string) =>
  knell.request(path, { method: 'POST', body: new URLSearchParams({ do: what }) });
const heldOf = async (uuid: string) => (await knell.api('GET', `/api/v3/checks/${uuid}/snooze`)).json();

describe('the link in an alert mail', () => {
  test('shows what is wrong and the last lines of output, and changes nothing by being looked at', async () => {
    const { uuid, path } = await failed('Nightly <backup>', 'step 1\n<b>disk full</b>\n');
    for (const method of ['GET', 'HEAD']) {
      const page = await knell.request(path, { method });
      expect(page.status).toBe(200);
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    }
    const { text } = await knell.request(path);
    expect(text).toContain('Nightly &#60;backup&#62; is down');
    expect(text).toContain('step 1\n&#60;b&#62;disk full&#60;/b&#62;');
    expect(text).not.toContain(uuid);
    const buttons = [...text.matchAll(/value="([\w-]+)"/g)].map(([, does]) => does);
    expect(buttons).toEqual(['note', 'acknowledge', 'snooze-1h', 'snooze-2h', 'snooze-8h', 'snooze-morning']);
    const snoozing = (await knell.request(`${path}?snooze`)).text;
    expect([...snoozing.matchAll(/value="([\w-]+)"/g)].map(([, does]) => does)[1]).toBe('snooze-1h');
    expect(await heldOf(uuid)).toMatchObject({ acknowledged: null, snoozed: null });
  });

  test('acknowledges for the address that it was sent to, once', async () => {
    const { uuid, path } = await failed('to acknowledge');
    const page = await post(path, 'acknowledge');
    expect([page.status, page.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(await heldOf(uuid)).toMatchObject({ acknowledged: { by: 'ops@example.org' }, snoozed: null });
    expect((await knell.request(path)).text).toContain('Acknowledged by ops@example.org');
    expect((await knell.request(path)).text).not.toContain('value="acknowledge"');
    expect((await post(path, 'acknowledge')).status).toBe(200);
  });

  test('takes a note for the incident, and the name of somebody who is signed in', async () => {
    const { uuid, path } = await failed('with a note');
    expect((await knell.request(path)).text).toContain('name="note"');
    const form = { do: 'acknowledge', note: 'I am on it' };
    const headers = { cookie: owner.cookie, accept: 'text/html,*/*' };
    const seen = await knell.request(path, {
      ...{ method: 'POST', body: new URLSearchParams(form), headers },
      redirect: 'manual',
    });
    expect([seen.status, seen.headers.get('location')]).toEqual([303, '?done=acknowledge&noted=']);
    expect((await knell.request(`${path}?done=acknowledge`)).text).toContain('<h1>Acknowledged</h1>');
    // What does not hold is not said to be done.
    const other = (await knell.request(`${path}?done=snooze-1h`)).text;
    expect(other).toMatch(/Acknowledged by ada at \d\d:\d\d UTC: no reminders until it is up again\./);
    // The next one who is woken reads what the first has written.
    expect(notesOn(other)).toEqual(['ada “I am on it”']);
    expect(await heldOf(uuid)).toMatchObject({ acknowledged: { by: 'ada' } });
    const { incidents } = (await knell.api('GET', '/api/v3/incidents/?q=with+a+note')).json();
    const timeline = async () => (await knell.api('GET', `/api/v3/incidents/${incidents[0].id}`)).text;
    expect(await timeline()).toContain('I am on it');
    // A note goes with whatever is pressed.
    const later = new URLSearchParams({ do: 'snooze-1h', note: 'back at four' });
    await knell.request(path, { method: 'POST', body: later });
    expect(await timeline()).toContain('back at four');
    expect(notesOn((await knell.request(path)).text)).toEqual([
      'ada “I am on it”',
      'ops@example.org “back at four”',
    ]);
  });

  test('snoozes for as long as was pressed', async () => {
    const { uuid, path } = await failed('to snooze');
    // A page that was opened before may still have 8 hours.
    const page = await post(path, 'snooze-8h');
    const { snoozed } = await heldOf(uuid);
    expect(snoozed.by).toBe('ops@example.org');
    expect(Date.parse(snoozed.until) - Date.parse(snoozed.timestamp)).toBe(8 * 3_600_000);
    const isTomorrow = snoozed.until.slice(0, 10) !== snoozed.timestamp.slice(0, 10);
    const until = `${isTomorrow ? 'tomorrow ' : ''}${snoozed.until.slice(11, 16)} UTC`;
    expect(page.text).toContain(`<h1>Snoozed until ${until}</h1>`);
    expect(page.text).toContain('What is still wrong then is sent again.');
    expect(page.text).toContain('>Acknowledge, too</button>');
    expect(page.text).toContain('value="unsnooze"');
    expect((await knell.request(path)).text).toContain(`Snoozed by ops@example.org until ${until}.`);
    expect((await post(path, 'unsnooze')).text).toContain('What is wrong with to snooze is sent again.');
    expect(await heldOf(uuid)).toMatchObject({ snoozed: null });
    expect((await knell.request(path)).text).not.toContain('value="unsnooze"');
  });

  test('snoozes until nine in the morning of its integration, and calls its zone as the mail does', async () => {
    const args = { channel: email, timeZone: 'Asia/Kathmandu' };
    await knell.app.admin({ command: 'channel edit', args }, () => {});
    const { uuid, path } = await failed('until the morning');
    expect((await knell.request(path)).text).toMatch(/Snooze until (tomorrow )?09:00 \(Asia\/Kathmandu\)/);
    expect((await post(path, 'snooze-morning')).text).toMatch(
      /<h1>Snoozed until (?:tomorrow )?09:00 \(Asia\/Kathmandu\)<\/h1>/,
    );
    const { snoozed } = await heldOf(uuid);
    expect(snoozed.until.slice(11, 19)).toBe('03:15:00');
    const ahead = Date.parse(snoozed.until) - Date.parse(snoozed.timestamp);
    expect([ahead > 0, ahead <= 86_400_000]).toEqual([true, true]);
    await knell.app.admin({ command: 'channel edit', args: { ...args, timeZone: '' } }, () => {});
  });

  test('says of one that is acknowledged that no reminders are sent after a snooze either', async () => {
    const { path } = await failed('acknowledged before');
    await post(path, 'acknowledge');
    const { text } = await post(path, 'snooze-1h');
    expect(text).not.toContain('is sent again');
    expect((await post(path, 'acknowledge')).text).toMatch(/It is snoozed until \S+( \S+)? UTC, too\./);
    expect(text).toContain(
      'It is acknowledged, too: after that, only people who have not had the alert get it. No reminders until it is up again.',
    );
    expect((await post(path, 'unsnooze')).text).toContain(
      'It is still acknowledged: only people who have not had the alert get it. No reminders until it is up again.',
    );
  });

  test('does nothing once the check was up, not even in the next outage, which has a link of its own', async () => {
    const { uuid, path } = await failed('up again');
    await knell.request(`/ping/${uuid}`);
    expect((await post(path, 'snooze-1d')).text).toContain('This is over');
    await knell.request(`/ping/${uuid}/fail`);
    const again = (await post(path, 'acknowledge')).text;
    expect(again).toMatch(
      /<h1>up again is down again<\/h1><p>Nothing was acknowledged\. Down since \d\d:\d\d UTC\. /,
    );
    expect(again).toContain('This alert is about an outage before. It was down for');
    expect(again).toContain('>View check</a>');
    expect(await heldOf(uuid)).toMatchObject({ acknowledged: null, snoozed: null });
  });

  test('ends the snooze of its reader also once the check is up, and says of any that it goes on', async () => {
    const { uuid, path } = await failed('snoozed and up');
    await post(path, 'snooze-8h');
    await knell.request(`/ping/${uuid}`);
    const { text } = await knell.request(path);
    expect(text).toMatch(/It is snoozed by ops@example\.org until .*: until then nothing is sent about it\./);
    expect(text).toContain('value="unsnooze"');
    // Nothing else is done to it.
    await post(path, 'acknowledge');
    expect(await heldOf(uuid)).toMatchObject({ acknowledged: null, snoozed: { by: 'ops@example.org' } });
    expect((await post(path, 'unsnooze')).text).toContain('The snooze has ended: its next outage is sent.');
    expect(await heldOf(uuid)).toMatchObject({ snoozed: null });
    // That of somebody else stays.
    await owner.post(`/web/in/${projectId}/api/checks/${uuid}/snooze`, { for: 3600 });
    expect((await knell.request(path)).text).not.toContain('value="unsnooze"');
    expect((await post(path, 'unsnooze')).text).toContain('It is snoozed by ada until');
    expect(await heldOf(uuid)).toMatchObject({ snoozed: { by: 'ada' } });
  });

  test('takes a note of one check of an incident of several, without showing those of the others', async () => {
    const { uuid, path } = await failed('one of two');
    const { incidents } = (await knell.api('GET', '/api/v3/incidents/?q=one+of+two')).json();
    const { uuid: second } = await knell.create({ name: 'two of two', depends_on: uuid, channels: email });
    await knell.request(`/ping/${second}/fail`);
    const note = (text: string) =>
      knell.request(path, { method: 'POST', body: new URLSearchParams({ do: 'note', note: text }) });
    expect((await note('  \t ')).text).not.toContain('was saved');
    expect((await note('the switch')).text).toContain('Your note was saved. Down for');
    expect((await knell.request(`${path}?done=snooze-1h&noted=`)).text).not.toContain('the switch');
    const one = await knell.api('GET', `/api/v3/incidents/${incidents[0].id}`);
    expect(one.json().checks).toHaveLength(2);
    expect(one.text).toContain('the switch');
    expect(await heldOf(uuid)).toMatchObject({ acknowledged: null, snoozed: null });
  });

  test('keeps a note that was written while the check came up, in the incident of that outage', async () => {
    const { uuid, path } = await failed('over meanwhile');
    await knell.request(`/ping/${uuid}`);
    const body = new URLSearchParams({ do: 'acknowledge', note: 'the disk was full' });
    const { text } = await knell.request(path, { method: 'POST', body });
    expect(text).toContain('Nothing was acknowledged. over meanwhile is not down any more. It was down for');
    expect(text).toContain('The note was saved in its incident: “the disk was full”');
    const { incidents } = (await knell.api('GET', '/api/v3/incidents/?q=meanwhile')).json();
    expect(incidents).toMatchObject([{ state: 'resolved' }]);
    const one = (await knell.api('GET', `/api/v3/incidents/${incidents[0].id}`)).json();
    expect(JSON.stringify(one)).toContain('the disk was full');
  });

  test('is out of date when its integration has another address, and when a character of it is another', async () => {
    const { uuid, path } = await failed('out of date');
    const at = path.length - 3;
    const forged = path.slice(0, at) + (path[at] === 'A' ? 'B' : 'A') + path.slice(at + 1);
    const ofAnother = `${path.slice(0, 20)}${path[20] === 'A' ? 'B' : 'A'}${path.slice(21)}`;
    for (const wrong of [forged, ofAnother, `${path}A`, path.slice(0, -1), '/alert/x']) {
      expect((await post(wrong, 'acknowledge')).status).toBe(404);
      expect((await knell.request(wrong)).status).toBe(404);
    }
    expect((await post(path, 'delete')).status).toBe(400);
    expect((await post(path, 'constructor')).status).toBe(400);
    expect((await knell.request(path, { method: 'DELETE' })).status).toBe(405);
    const args = { channel: email, value: 'others@example.org' };
    await knell.app.admin({ command: 'channel edit', args }, () => {});
    expect((await post(path, 'acknowledge')).status).toBe(404);
    expect(await heldOf(uuid)).toMatchObject({ acknowledged: null });
  });
});

test('ntfy gets buttons that act with one tap', async () => {
  const topic = await channel('ntfy', JSON.stringify({ topic: 'jobs', url: http.url('/'), priority: 3 }));
  const { uuid } = await knell.create({ name: 'by ntfy', channels: topic });
  await knell.request(`/ping/${uuid}/fail`);
  const [sent] = await http.until(1);
  const [, acknowledge, snooze] = JSON.parse(sent?.body ?? '').actions;
  expect([acknowledge, snooze].map(({ action, method }) => [action, method])).toEqual([
    ['http', 'POST'],
    ['http', 'POST'],
  ]);
  const tap = ({ url, body }: { url: string; body: string }) =>
    knell.request(url.replace('https://knell.test', '').replace(/\?.*$/, ''), { method: 'POST', body });
  expect((await tap(acknowledge)).status).toBe(200);
  expect((await tap(snooze)).status).toBe(200);
  expect(await heldOf(uuid)).toMatchObject({
    acknowledged: { by: 'ntfy of the team' },
    snoozed: { by: 'ntfy of the team' },
  });
});

test('owners turn the links off while Knell runs: no alert has one, and those that were sent do nothing', async () => {
  const set = async (value: string | null) =>
    expect((await owner.post('/web/server-settings', { variable: 'KNELL_ALERT_LINKS', value })).status).toBe(
      200,
    );
  await knell.app.admin(
    { command: 'channel edit', args: { channel: email, value: 'ops@example.org' } },
    () => {},
  );
  const topic = await channel('ntfy', JSON.stringify({ topic: 'off', url: http.url('/'), priority: 3 }));
  const { uuid, path } = await failed('with a link');
  await set('off');
  for (const refused of [
    await knell.request(path),
    await post(path, 'acknowledge'),
    await post(path, 'snooze-1h'),
  ]) {
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('Links in alerts are turned off');
    expect(refused.text).not.toContain('<button');
  }
  expect((await knell.request(`${path}A`)).status).toBe(404);
  expect(await heldOf(uuid)).toMatchObject({ acknowledged: null, snoozed: null });
  const { uuid: other } = await knell.create({ name: 'without a link', channels: `${email},${topic}` });
  const before = http.all.length;
  await knell.request(`/ping/${other}/fail`);
  const mail = await eventually(async () => {
    const found = inbox.all.find(({ text }) => text.includes('DOWN | without a link'));
    if (!found) throw new Error('no mail yet');
    return simpleParser(found.text);
  });
  expect(`${mail.text} ${mail.html}`).toContain('https://knell.test/');
  expect(`${mail.text} ${mail.html}`).not.toContain('/alert/');
  await http.until(before + 1);
  expect(http.all.at(-1)?.body).toContain('without a link');
  expect(http.all.at(-1)?.body).not.toContain('/alert/');
  const { entries } = (await owner.get('/web/audit')).json();
  expect(JSON.stringify(entries)).toContain('KNELL_ALERT_LINKS');
  await set(null);
  expect((await post(path, 'acknowledge')).status).toBe(200);
  expect(await heldOf(uuid)).toMatchObject({ acknowledged: { by: 'ops@example.org' } });
});
