/** An address that an editor adds gets alerts only once it has confirmed: through the page's endpoints and real mails. */
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, Knell } from '../support/knell.ts';
import { goodPassword, linkIn, ownerPage, PageClient } from '../support/page/page-client.ts';
import { eventually } from '../support/patience.ts';
import { MailReceiver } from '../support/wire/receivers.ts';

let knell: Knell;
let inbox: MailReceiver;
let owner: PageClient;
let editor: PageClient;
let channels = '';

beforeAll(async () => {
  inbox = await MailReceiver.start();
  knell = await Knell.start({ env: { KNELL_MAIL_URL: inbox.url, KNELL_BASE_URL: 'https://knell.test/sub' } });
  owner = await ownerPage(knell);
  channels = `/web/in/${(await owner.get('/web/state')).json().projects[0].id}/channels`;
  const { link } = (await owner.post('/web/users', { name: 'grace', role: 'editor' })).json();
  editor = new PageClient(knell);
  await editor.post('/web/set-password', { link: linkIn(link), password: goodPassword });
  await editor.get('/web/state');
});

afterAll(async () => {
  await knell.stop();
  await inbox.stop();
});

const admin = (command: string, args: Json) => knell.app.admin({ command, args }, () => {}) as Promise<Json>;

const add = (by: PageClient, value: string, more: Json = {}) =>
  by.post(channels, { kind: 'email', name: value, value, ...more });

const shown = async (id: string) =>
  (await admin('channel list', { project: 'default' })).find((one: Json) => one.id === id);

/** What came to `address`, oldest first. */
const mailsTo = (address: string) => inbox.all.filter(({ to }) => to.includes(address));

/** The path of the link to confirm in the latest mail to `address`, behind the proxy. */
async function linkTo(address: string): Promise<string> {
  await eventually(() => expect(mailsTo(address)).not.toEqual([]));
  const { text = '', subject } = await simpleParser(mailsTo(address).at(-1)?.text ?? '');
  expect(subject).toBe('Confirm this address | default');
  return /^Confirm: https:\/\/knell\.test\/sub(\/verify\/\S+)$/m.exec(text)?.[1] ?? '';
}

test('gets nothing before, and no failure for each alert: a test says why', async () => {
  const made = await add(editor, 'new@example.org');
  expect(made.json()).toEqual({ id: expect.any(String), checks: 0, verification: '' });
  const { id } = made.json();
  expect(await shown(id)).toMatchObject({ unverified: true });
  const path = await linkTo('new@example.org');
  const { uuid } = await knell.create({ channels: id });
  await knell.request(`/ping/${uuid}/fail`);
  const reason = expect.stringContaining('the address is not verified');
  expect(await admin('outbox list', {})).toEqual([]);
  expect((await shown(id)).last_error).toBeFalsy();
  expect((await editor.post(`${channels}/${id}/test`)).json()).toEqual({ ok: false, error: reason });

  // Mail scanners open every link.
  expect((await knell.request(path)).text).toContain('<form method="post">');
  expect(await shown(id)).toMatchObject({ unverified: true });
  expect((await knell.request(path, { method: 'POST' })).text).toContain('Confirmed');
  expect((await shown(id)).unverified).toBeUndefined();
  expect((await knell.request(path)).text).not.toContain('<form');
  await knell.request(`/ping/${uuid}`);
  await eventually(() => expect(mailsTo('new@example.org').length).toBe(2));
  expect(mailsTo('new@example.org')[1]?.text).toMatch(/^Subject: UP/m);
});

test('may be confirmed by an owner, not by an editor; what an owner adds otherwise needs nothing', async () => {
  expect((await add(editor, 'sly@example.org', { confirmed: true })).status).toBe(409);
  const { id } = (await add(editor, 'b@example.org')).json();
  expect((await editor.post(`${channels}/${id}/confirm`)).status).toBe(403);
  expect((await owner.post(`${channels}/${id}/confirm`)).status).toBe(200);
  expect((await shown(id)).unverified).toBeUndefined();
  const [entry] = (await owner.get('/web/audit')).json().entries;
  expect(entry.changes).toEqual([{ field: 'verified', before: 'false', after: 'true' }]);
  expect((await owner.post(`${channels}/${id}/confirm`)).status).toBe(409);
  expect((await add(owner, 'c@example.org', { checks: 'none' })).json()).toEqual({
    id: expect.any(String),
    checks: 0,
  });
  expect((await add(owner, 'd@example.org', { confirmed: false })).json()).toMatchObject({
    verification: '',
  });
  await admin('channel create', { project: 'default', kind: 'email', name: 'cli', value: 'e@example.org' });
  expect(mailsTo('c@example.org')).toEqual([]);
  expect(mailsTo('e@example.org')).toEqual([]);
});

test('another address that an editor sets has to confirm as well, and the old link confirms nothing', async () => {
  const { id } = (await add(editor, 'old@example.org')).json();
  const before = await linkTo('old@example.org');
  await knell.request(before, { method: 'POST' });
  expect((await editor.post(`${channels}/${id}`, { name: 'renamed' })).json()).toMatchObject({
    unverified: false,
  });
  const edited = (await editor.post(`${channels}/${id}`, { value: 'other@example.org' })).json();
  expect(edited).toMatchObject({ unverified: true, verification: '' });
  expect((await knell.request(before, { method: 'POST' })).status).toBe(404);
  expect(await shown(id)).toMatchObject({ unverified: true });
  await knell.request(await linkTo('other@example.org'), { method: 'POST' });
  expect((await shown(id)).unverified).toBeUndefined();
});

test('a server with a mail server warns of nothing, and of what else it lacks', async () => {
  const state = (await owner.get('/web/state')).json();
  expect(state.missing).toMatchObject({
    telegram: ['KNELL_TELEGRAM_TOKEN'],
    shell: ['KNELL_SHELL_CHANNELS=on'],
  });
  expect(state.missing.email).toBeUndefined();
  expect(state.unconfigured).toEqual({});
  const made = await admin('channel create', {
    project: 'default',
    kind: 'telegram',
    name: 't',
    value: '{"id":1}',
  });
  expect(made.warning).toBe('Telegram needs KNELL_TELEGRAM_TOKEN, which is not set on this server');
  const [project] = Object.values((await owner.get('/web/state')).json().unconfigured);
  expect(project).toEqual({
    ...{ count: 1, name: 't' },
    kinds: [{ kind: 'telegram', count: 1 }],
  });
  expect((await new PageClient(knell).get('/web/state')).json()).toMatchObject({
    missing: {},
    unconfigured: {},
  });
  const edited = await admin('channel edit', { channel: 't', disabled: true });
  expect(edited.warning).toContain('KNELL_TELEGRAM_TOKEN');
  expect((await owner.get('/web/state')).json().unconfigured).toEqual({});
});

test('is asked again on request, a few times only, by all together', async () => {
  const { id } = (await add(editor, 'often@example.org')).json();
  for (const by of [editor, owner]) expect((await by.post(`${channels}/${id}/verify`)).status).toBe(200);
  const refused = await editor.post(`${channels}/${id}/verify`);
  expect(refused.status).toBe(409);
  expect(refused.json().error).toMatch(/^too many verification emails: try again in \d+ minutes$/);
  // The same address in another integration is the same person.
  const other = (await add(editor, 'Often@example.org')).json();
  expect(other.verification).toMatch(/^too many verification emails/);
  expect(mailsTo('often@example.org').length).toBe(3);
});
