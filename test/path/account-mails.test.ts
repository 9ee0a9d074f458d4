/** Mails about accounts, as a real mail server gets them: the invitation, the link for a forgotten password, the test. */
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';
import { goodPassword, linkIn, ownerPage, PageClient, projectIn } from '../support/page/page-client.ts';
import { eventually } from '../support/patience.ts';
import { MailReceiver } from '../support/wire/receivers.ts';

let knell: Knell;
let inbox: MailReceiver;
let owner: PageClient;
let project: string;

beforeAll(async () => {
  inbox = await MailReceiver.start();
  knell = await Knell.start({ env: { KNELL_MAIL_URL: inbox.url } });
  owner = await ownerPage(knell);
  project = await projectIn(owner);
});

afterAll(async () => {
  await knell.stop();
  await inbox.stop();
});

const mails = async () => Promise.all(inbox.all.map(({ text }) => simpleParser(text)));
/** The newest to that address. */
const mailTo = (address: string) =>
  eventually(async () => {
    const mail = (await mails()).findLast(({ to }) => JSON.stringify(to).includes(address));
    if (!mail) throw new Error(`no mail to ${address} yet`);
    return mail;
  });
const pathIn = (text: string | undefined) =>
  /http:\/\/knell\.test(\/set-password#\S+)/.exec(text ?? '')?.[1] ?? '';
const setPassword = (page: PageClient, path: string, password: string) =>
  page.post('/web/set-password', { link: linkIn(path), password });

describe('an invitation', () => {
  test('goes to a member whose name is an address, with a link that sets the password', async () => {
    const member = { name: 'grace@example.org', role: 'editor', installation: 'none' };
    const made = (await owner.post(`/web/in/${project}/members`, member)).json();
    expect(made.mailed).toEqual({ to: 'grace@example.org', error: null });
    const mail = await mailTo('grace@example.org');
    expect(mail.subject).toBe('ada invites you to the project default');
    const grace = new PageClient(knell);
    expect((await setPassword(grace, pathIn(mail.text), goodPassword)).status).toBe(200);
    expect((await grace.signIn('grace@example.org')).status).toBe(200);
  });

  test('is a link only where the name is no address', async () => {
    const made = (await owner.post('/web/users', { name: 'alan', role: 'viewer' })).json();
    expect([made.mailed, made.link.startsWith('/set-password#')]).toEqual([undefined, true]);
  });

  test('says why it was not sent', async () => {
    inbox.refuse = () => ({ code: 550, message: 'no such user' });
    const made = (await owner.post('/web/users', { name: 'nobody@example.org', role: 'viewer' })).json();
    expect(made.mailed.to).toBe('nobody@example.org');
    expect(made.mailed.error).toBe('the mail server replied 550');
    expect(made.link).not.toBe('');
    inbox.refuse = () => null;
  });
});

describe('a forgotten password', () => {
  test('is replaced by a link that works once, and the sessions before it are over', async () => {
    const { status, text } = await new PageClient(knell).post('/web/forgotten-password', {
      name: 'Grace@example.org',
    });
    expect([status, text]).toEqual([200, '{}']);
    const mail = await eventually(async () => {
      const found = await mailTo('grace@example.org');
      expect(found.subject).toBe('Set a new password | Knell');
      return found;
    });
    const grace = new PageClient(knell);
    const path = pathIn(mail.text);
    expect((await setPassword(grace, path, 'another good password')).status).toBe(200);
    expect((await setPassword(grace, path, 'a third good password')).status).toBe(410);
    expect((await grace.signIn('grace@example.org')).status).toBe(401);
    expect((await grace.signIn('grace@example.org', 'another good password')).status).toBe(200);
  });

  test('of nobody, or of somebody without an address, is answered alike, and nothing is sent', async () => {
    const before = (await mails()).length;
    for (const name of ['nobody-here', 'alan', 'ada', '<b>', ''])
      expect((await new PageClient(knell).post('/web/forgotten-password', { name })).text).toBe('{}');
    await owner.post('/web/server-settings/test-email', { to: 'last@example.org' });
    await mailTo('last@example.org');
    expect((await mails()).length).toBe(before + 1);
  });

  test('is sent to an address three times, and then not before some time has passed', async () => {
    const client = new PageClient(knell);
    const before = (await mails()).filter(({ to }) => JSON.stringify(to).includes('grace')).length;
    for (let count = 0; count < 5; count++)
      await client.post('/web/forgotten-password', { name: 'grace@example.org' });
    await owner.post('/web/server-settings/test-email', { to: 'later@example.org' });
    await mailTo('later@example.org');
    const sent = (await mails()).filter(({ to }) => JSON.stringify(to).includes('grace')).length - before;
    expect(sent).toBeLessThan(3);
  });
});

test('a test email is for owners, and says what is wrong', async () => {
  const sent = await owner.post('/web/server-settings/test-email', { to: 'ops@example.org' });
  expect([sent.status, sent.json()]).toEqual([200, { to: 'ops@example.org' }]);
  expect((await mailTo('ops@example.org')).subject).toBe('Test email from Knell');
  for (const to of ['', 'no address', 'a@b\r\nBcc: c@d'])
    expect((await owner.post('/web/server-settings/test-email', { to })).status).toBe(400);
  // Her name is no address, and no reports go to one.
  expect((await owner.post('/web/server-settings/test-email', {})).status).toBe(400);
  inbox.refuse = () => ({ code: 451, message: 'come back later' });
  const refused = await owner.post('/web/server-settings/test-email', { to: 'ops@example.org' });
  expect([refused.status, refused.text.includes('the mail server replied 451')]).toEqual([409, true]);
  inbox.refuse = () => null;
  const grace = new PageClient(knell);
  await grace.signIn('grace@example.org', 'another good password');
  expect((await grace.post('/web/server-settings/test-email', { to: 'x@example.org' })).status).toBe(403);
});

test('tests that were not delivered do not count, and ten in ten minutes are sent', async () => {
  const to = 'setup@example.org';
  const tried = async () => (await owner.post('/web/server-settings/test-email', { to })).status;
  inbox.refuse = () => ({ code: 451, message: 'come back later' });
  for (let count = 0; count < 15; count++) expect(await tried()).toBe(409);
  inbox.refuse = () => null;
  for (let count = 0; count < 10; count++) expect(await tried()).toBe(200);
  const { text } = await owner.post('/web/server-settings/test-email', { to: 'Setup@example.org' });
  expect(text).toContain('too many emails to this address');
  // Nobody whom a test went to misses a mail for it.
  const member = { name: to, role: 'viewer' };
  expect((await owner.post('/web/users', member)).json().mailed).toEqual({ to, error: null });
});

describe('of a mail server that does not accept the password', () => {
  let server: SMTPServer;
  let says = '';

  beforeAll(async () => {
    server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(Object.assign(new Error(says), { responseCode: 535 })),
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const { port } = server.server.address() as { port: number };
    const value = `smtp://ann:s3cret@127.0.0.1:${port}`;
    await knell.stop();
    knell = await Knell.start();
    owner = await ownerPage(knell);
    await owner.post('/web/server-settings', { variable: 'KNELL_MAIL_URL', value });
  });

  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

  const errorOf = async (words: string): Promise<string> => {
    says = words;
    return (await owner.post('/web/server-settings/test-email', { to: 'ops@example.org' })).json().error;
  };

  test('a test says its words, on one line and cut', async () => {
    expect(await errorOf('5.7.8 Use an <b>app password</b>\nSee help')).toBe(
      'the mail server replied 535 5.7.8: Use an <b>app password</b> See help',
    );
    const long = await errorOf('x'.repeat(900));
    expect(long).toBe(`the mail server replied 535: ${'x'.repeat(200)}`);
  });

  test('a reply that repeats the password is not shown, nor are its words elsewhere', async () => {
    expect(await errorOf('who are you, s3cret?')).toBe('the mail server replied 535');
    says = 'Use an app password';
    const made = (await owner.post('/web/users', { name: 'new@example.org', role: 'viewer' })).json();
    expect(made.mailed.error).toBe('the mail server replied 535');
  });
});

test('a server without mail says so to those who ask', async () => {
  const plain = await Knell.start();
  try {
    const page = await ownerPage(plain);
    expect((await page.get('/web/state')).json().sendsMail).toBe(false);
    expect((await page.get('/web/server-settings')).json().sendsMail).toBe(false);
    const asked = await new PageClient(plain).post('/web/forgotten-password', { name: 'ada' });
    expect([asked.status, asked.json().error]).toEqual([409, 'this server sends no email']);
    const made = (await page.post('/web/users', { name: 'g@example.org', role: 'viewer' })).json();
    expect(made.mailed).toBeUndefined();
  } finally {
    await plain.stop();
  }
});
