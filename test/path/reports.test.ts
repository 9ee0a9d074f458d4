/** Reports by mail through the real listeners: the page's calls, the mails, and the links in them, while days pass. */
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day, hour, minute } from '../../src/lib/units.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { Knell } from '../support/knell.ts';
import { goodPassword, linkIn, ownerPage, PageClient } from '../support/page/page-client.ts';
import { eventually } from '../support/patience.ts';
import { MailReceiver } from '../support/wire/receivers.ts';

/** A Wednesday, noon. */
const startMs = Date.UTC(2026, 10, 18, 12);
let clock: SimulatedClock;
let inbox: MailReceiver;
let knell: Knell;
let owner: PageClient;
let uuid = '';

beforeAll(async () => {
  clock = new SimulatedClock(startMs);
  inbox = await MailReceiver.start();
  const env = {
    KNELL_MAIL_URL: inbox.url,
    KNELL_BASE_URL: 'https://knell.test/sub',
    KNELL_TIME_ZONE: 'Europe/Berlin',
  };
  knell = await Knell.start({ clock, env });
  owner = await ownerPage(knell);
  ({ uuid } = await knell.create({ name: 'Nightly backup', timeout: 3600, grace: 3600 }));
  await knell.create({ name: 'Other', timeout: 3600, grace: 3600 });
});

afterAll(async () => {
  await knell.stop();
  await inbox.stop();
});

const mailsTo = (address: string) => inbox.all.filter(({ to }) => to.includes(address));
/** As a mail program reads it. */
async function mailTo(address: string, count: number) {
  await eventually(() => expect(mailsTo(address)).toHaveLength(count));
  return simpleParser(mailsTo(address)[count - 1]?.text ?? '');
}
const pathIn = (text: string | undefined, label: string): string =>
  new RegExp(`^${label}: https://knell[.]test/sub([!-~]+)$`, 'm').exec(text ?? '')?.[1] ?? '';
/** So that all that was due has been sent, and nothing else was. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= hour) {
    await clock.advance(Math.min(left, hour));
    await knell.request('/api/v3/status/');
  }
}
const post = (path: string) =>
  knell.request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });

describe('the reports of a member', () => {
  test('are off at first', async () => {
    expect((await owner.get('/web/reports')).json()).toEqual({
      frequency: 'off',
      address: '',
      isConfirmed: false,
      lastError: '',
      canSend: true,
      timeZone: 'Europe/Berlin',
      nextMs: null,
      needsPassword: true,
    });
  });

  test.each([
    [{ frequency: 'hourly', address: 'a@example.org' }, 'frequency must be one of'],
    [{ frequency: 'daily', address: '' }, 'an address is missing'],
    [{ frequency: 'daily', address: '{"value":"a@example.org"} x' }, 'must be a valid email address'],
    [{ frequency: 'daily', address: `a@${'x'.repeat(300)}` }, 'must be a valid email address'],
  ])('are not changed by %j', async (body, why) => {
    const answer = await owner.post('/web/reports', body);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(why)]);
  });

  test('go nowhere until the address has agreed: a link that asks, and changes something only by POST', async () => {
    const saved = await owner.post('/web/reports', {
      frequency: 'daily',
      address: 'ada@example.org',
      present: goodPassword,
    });
    expect(saved.json()).toEqual({ verification: '' });
    const question = await mailTo('ada@example.org', 1);
    expect(question.subject).toBe('Confirm this address | Knell reports');
    const path = pathIn(question.text, 'Confirm');
    expect((await owner.post('/web/reports/send')).status).toBe(409);
    const asking = await knell.request(path);
    expect(asking.text).toContain('<form method="post">');
    expect((await owner.get('/web/reports')).json()).toMatchObject({ isConfirmed: false, nextMs: null });
    const wrong = path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    expect((await post(wrong)).status).toBe(404);
    expect((await post(path.replace('/confirm-', '/stop-'))).status).toBe(404);
    expect((await post(path)).text).toContain('Confirmed');
    // 08:00 in Berlin.
    const nextMs = Date.UTC(2026, 10, 19, 7);
    expect((await owner.get('/web/reports')).json()).toMatchObject({ isConfirmed: true, nextMs });
  });

  test('say what was down and for how long, in the morning, once', async () => {
    await knell.request(`/ping/${uuid}`);
    await knell.request(`/ping/${uuid}/fail`);
    await pass(2 * hour);
    await knell.request(`/ping/${uuid}`);
    await pass(17 * hour + 5 * minute);
    const { subject, text, html, headers, messageId } = await mailTo('ada@example.org', 2);
    expect(subject).toBe('Daily report | 2 outages in 1 of 2 checks');
    // Down from 12:00 to 14:00, and again two hours after its last ping; nothing was watched before the first.
    expect(text).toMatch(
      /^- Nightly backup \(default, down now\), 2 outages, 9 h · \d+\.\d\d % up since Wed 18 Nov, 13:00:00: https/m,
    );
    expect(text).not.toContain('Other');
    expect(text).toContain('Period: Wed 18 Nov 2026, 00:00:00 to Thu 19 Nov 2026, 00:00:00 (Europe/Berlin)');
    expect(`${text} ${html}`).not.toContain(uuid);
    expect(headers.get('list')).toMatchObject({
      unsubscribe: { url: expect.stringMatching(/\/stop-reports\//) },
    });
    expect(headers.get('list-unsubscribe-post') ?? inbox.all.at(-1)?.text).toMatch(/One-Click/);
    expect(messageId).toMatch(/^<report\..*\.daily\.\d+@/);
    await pass(3 * hour);
    expect(mailsTo('ada@example.org')).toHaveLength(2);
  });

  test('are kept by a restart, which sends none again, and one that was due meanwhile', async () => {
    await knell.restart();
    await pass(hour);
    expect(mailsTo('ada@example.org')).toHaveLength(2);
    await knell.restart(() => clock.skip(day));
    const { text } = await mailTo('ada@example.org', 3);
    expect(text).toContain('Nightly backup');
  });

  test('show on the page what the mail says, which can be asked for at once', async () => {
    const preview = await owner.get('/web/reports/preview?frequency=weekly');
    expect(preview.json()).toMatchObject({
      frequency: 'weekly',
      timeZone: 'Europe/Berlin',
      checks: 2,
      affected: 1,
    });
    expect(preview.json().worst).toMatchObject([
      { name: 'Nightly backup', project: 'default', status: 'down' },
    ]);
    expect(preview.text).not.toContain(uuid);
    expect((await owner.get('/web/reports/preview?frequency=off')).status).toBe(400);
    expect((await owner.post('/web/reports/send')).status).toBe(200);
    const { subject } = await mailTo('ada@example.org', 4);
    expect(subject).toMatch(/^Daily report \|/);
  });

  test('are limited: nobody is flooded by asking for them', async () => {
    const statuses: number[] = [];
    for (let times = 0; times < 6; times++) statuses.push((await owner.post('/web/reports/send')).status);
    expect(statuses).toContain(409);
    const again = (await owner.post('/web/reports/send')).json();
    expect(again.error).toMatch(/^too many emails: try again in/);
    await pass(hour);
  });

  test('of another member are of that member: nobody sees or changes those of others', async () => {
    const { link } = (await owner.post('/web/users', { name: 'grace', role: 'viewer' })).json();
    const viewer = new PageClient(knell);
    await viewer.post('/web/set-password', { link: linkIn(link), password: goodPassword });
    await viewer.get('/web/state');
    expect((await viewer.get('/web/reports')).json()).toMatchObject({ frequency: 'off', address: '' });
    await viewer.post('/web/reports', {
      frequency: 'weekly',
      address: 'grace@example.org',
      present: goodPassword,
    });
    expect((await owner.get('/web/reports')).json()).toMatchObject({ address: 'ada@example.org' });
    expect((await new PageClient(knell).get('/web/reports')).status).toBe(401);
  });

  test('end by one click in the mail, without a session, which the audit log has; it can be undone', async () => {
    const { text } = await mailTo('ada@example.org', mailsTo('ada@example.org').length);
    const path = pathIn(text, 'Stop these reports');
    expect((await knell.request(path)).text).toContain('Stop reports');
    expect((await owner.get('/web/reports')).json()).toMatchObject({ frequency: 'daily' });
    expect((await post(path)).text).toContain('ada@example.org gets no reports');
    expect((await post(path)).status).toBe(200);
    expect((await owner.get('/web/reports')).json()).toMatchObject({ frequency: 'off', isConfirmed: true });
    const [entry] = (await owner.get('/web/audit')).json().entries;
    expect(entry).toMatchObject({
      actor: { kind: 'recipient', name: 'ada@example.org' },
      fields: ['reports'],
    });
    const before = mailsTo('ada@example.org').length;
    await pass(2 * day);
    expect(mailsTo('ada@example.org')).toHaveLength(before);
    await owner.post('/web/reports', {
      frequency: 'daily',
      address: 'ada@example.org',
      present: goodPassword,
    });
    expect((await owner.get('/web/reports')).json()).toMatchObject({ frequency: 'daily', isConfirmed: true });
    await owner.post('/web/reports', {
      frequency: 'daily',
      address: 'new@example.org',
      present: goodPassword,
    });
    expect((await owner.get('/web/reports')).json()).toMatchObject({ isConfirmed: false });
    expect((await post(path)).status).toBe(404);
  });
});
