/**
 * Links for a new password go to whom the account belongs: not to where somebody with a session, or the one who invited, would have
 * them. Real mails, a real OpenID Connect provider.
 */
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';
import { OidcBrowser, OidcServer, oidcClient } from '../support/page/oidc-browser.ts';
import { goodPassword, linkIn, ownerPage, PageClient, projectIn } from '../support/page/page-client.ts';
import { eventually } from '../support/patience.ts';
import { MailReceiver } from '../support/wire/receivers.ts';

let provider: OidcServer;
let inbox: MailReceiver;
let knell: Knell;
let owner: PageClient;
let project: string;

beforeAll(async () => {
  provider = await OidcServer.start();
  inbox = await MailReceiver.start();
  const oidc = {
    KNELL_OIDC_ISSUER: provider.issuer,
    KNELL_OIDC_CLIENT_ID: oidcClient.id,
    KNELL_OIDC_CLIENT_SECRET: oidcClient.secret,
    KNELL_OIDC_ROLE: 'off',
  };
  knell = await Knell.start({ env: { KNELL_MAIL_URL: inbox.url, ...oidc } });
  owner = await ownerPage(knell);
  project = await projectIn(owner);
});

afterAll(async () => {
  await knell?.stop();
  await inbox?.stop();
  await provider?.stop();
});

/** The newest mail with that subject, once it has come. */
const mailAbout = (subject: RegExp, after = 0) =>
  eventually(async () => {
    const mails = await Promise.all(inbox.all.slice(after).map(({ text }) => simpleParser(text)));
    const mail = mails.findLast((one) => subject.test(one.subject ?? ''));
    if (!mail) throw new Error(`no mail about ${subject} yet`);
    return mail;
  });
const addressOf = (mail: Awaited<ReturnType<typeof mailAbout>>): string =>
  [mail.to ?? []]
    .flat()
    .map(({ text }) => text)
    .join();

/** A member who has set a password, signed in. */
async function member(name: string, link: string): Promise<PageClient> {
  const page = new PageClient(knell);
  await page.post('/web/set-password', { link: linkIn(link), password: goodPassword });
  await page.signIn(name);
  return page;
}

async function confirmReports(page: PageClient, fields: object): Promise<void> {
  const before = inbox.all.length;
  expect((await page.post('/web/reports', { frequency: 'weekly', ...fields })).status).toBe(200);
  const { text = '' } = await mailAbout(/./, before);
  const [path = ''] = /\/confirm-reports\/[\w.-]+/.exec(text) ?? [];
  expect((await knell.request(path, { method: 'POST' })).status).toBe(200);
}

test('one who invites keeps no way into an account that is signed in to by OpenID Connect', async () => {
  provider.people.set('s-grace', { email: 'grace@example.org', email_verified: true });
  const made = (await owner.post('/web/users', { name: 'grace@example.org', role: 'viewer' })).json();
  const mallory = await member('grace@example.org', made.link);
  await confirmReports(mallory, { address: 'mallory@example.net' });
  const browser = new OidcBrowser(() => knell.app.httpUrl);
  await browser.signIn('s-grace');
  expect((await browser.state()).user.name).toBe('grace@example.org');
  const before = inbox.all.length;
  await new PageClient(knell).post('/web/forgotten-password', { name: 'grace@example.org' });
  expect(addressOf(await mailAbout(/password/i, before))).toBe('grace@example.org');
  const { members } = (await owner.get(`/web/in/${project}/settings`)).json();
  expect(members.map(({ name }: { name: string }) => name)).toContain('grace@example.org');
});

test('a name that is another address takes the current password', async () => {
  const made = (await owner.post('/web/users', { name: 'alan', role: 'viewer' })).json();
  const alan = await member('alan', made.link);
  const rename = (name: string, present?: string) => alan.post('/web/account', { name, present });
  expect((await rename('Alan T.')).status).toBe(200);
  const refused = await rename('alan@example.net');
  expect([refused.status, refused.json().error]).toEqual([
    400,
    'give your current password: links for a new one will go to another address',
  ]);
  expect((await rename('alan@example.net', 'not that')).status).toBe(400);
  expect((await rename('alan@example.net', goodPassword)).status).toBe(200);
});

test('so does another address of the reports, where links go there', async () => {
  const made = (await owner.post('/web/users', { name: 'joan', role: 'viewer' })).json();
  const joan = await member('joan', made.link);
  expect((await joan.get('/web/reports')).json().needsPassword).toBe(true);
  const asked = { frequency: 'weekly', address: 'joan@example.org' };
  expect((await joan.post('/web/reports', asked)).status).toBe(400);
  await confirmReports(joan, { address: 'joan@example.org', present: goodPassword });
  // Another frequency sends no link elsewhere.
  expect((await joan.post('/web/reports', { ...asked, frequency: 'daily' })).status).toBe(200);
});

test('reports to all the staff bring no password to them where the name is an address', async () => {
  const made = (await owner.post('/web/users', { name: 'rosa@example.org', role: 'viewer' })).json();
  const rosa = await member('rosa@example.org', made.link);
  expect((await rosa.get('/web/reports')).json().needsPassword).toBe(false);
  await confirmReports(rosa, { address: 'staff@example.org' });
  const before = inbox.all.length;
  await new PageClient(knell).post('/web/forgotten-password', { name: 'rosa@example.org' });
  expect(addressOf(await mailAbout(/password/i, before))).toBe('rosa@example.org');
});

test('nobody invites thousands: the link is shown, and no mail goes out', async () => {
  const invite = async (n: number) =>
    (await owner.post('/web/users', { name: `new-${n}@example.org`, role: 'viewer' })).json();
  const mailed: (string | null)[] = [];
  for (let n = 0; n < 40; n++) mailed.push((await invite(n)).mailed.error);
  const refused = mailed.filter((error) => error !== null);
  expect(refused.length).toBeGreaterThanOrEqual(10);
  expect(refused[0]).toMatch(/^too many invitations: try again in \d+ (?:s|minutes)$/);
});
