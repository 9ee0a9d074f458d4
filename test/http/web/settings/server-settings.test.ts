/** The settings of the server on the page: seen by owners, set while Knell runs, kept, and at work at once. */
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { type Json, Knell } from '../../../support/knell.ts';
import { goodPassword, linkIn, ownerPage, PageClient } from '../../../support/page/page-client.ts';
import { eventually } from '../../../support/patience.ts';
import { HttpReceiver } from '../../../support/wire/receivers.ts';

const stops: (() => Promise<unknown> | unknown)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function started(
  env: Readonly<Record<string, string>> = {},
): Promise<{ knell: Knell; owner: PageClient }> {
  const knell = await Knell.start({ env });
  stops.push(() => knell.stop());
  return { knell, owner: await ownerPage(knell) };
}

const set = (page: PageClient, variable: string, value: string | null) =>
  page.post('/web/server-settings', { variable, value });
const viewOf = async (page: PageClient, variable: string): Promise<Json> =>
  (await page.get('/web/server-settings')).json().settings.find((one: Json) => one.variable === variable);

/** A mail server that keeps the recipients of what it takes. */
async function mailServer(): Promise<{ url: string; recipients: string[] }> {
  const recipients: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      recipients.push(address);
      done();
    },
    onData(stream, _session, done) {
      stream.resume().on('end', () => done());
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  stops.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as { port: number };
  return { url: `smtp://127.0.0.1:${port}`, recipients };
}

describe('the settings of the server', () => {
  it('a mail server that is set while Knell runs takes the next mail; after a restart, too', async () => {
    const { knell, owner } = await started();
    const { url, recipients } = await mailServer();
    const project = (await owner.get('/web/state')).json().projects[0].id;
    expect((await owner.get('/web/state')).json().missing).toMatchObject({ email: ['KNELL_MAIL_URL'] });
    expect((await set(owner, 'KNELL_MAIL_URL', url)).status).toBe(200);
    expect((await owner.get('/web/state')).json().missing).not.toHaveProperty('email');
    const mail = { kind: 'email', name: 'Ops', fields: { value: 'ops@example.org', down: 'yes', up: 'yes' } };
    const made = await owner.post(`/web/in/${project}/channels`, mail);
    expect(made.json()).toHaveProperty('id');
    const test = () => owner.post(`/web/in/${project}/channels/${made.json().id}/test`);
    await eventually(async () => {
      await test();
      expect(recipients.length).toBeGreaterThan(0);
    });
    expect(await viewOf(owner, 'KNELL_MAIL_URL')).toMatchObject({
      source: 'page',
      value: null,
      isSecret: true,
    });
    expect((await owner.get('/web/server-settings')).text).not.toContain(url);
    const audit = await owner.get('/web/audit');
    expect(audit.text).toContain('KNELL_MAIL_URL');
    expect(audit.text).not.toContain(url);
    await knell.restart();
    expect(await viewOf(owner, 'KNELL_MAIL_URL')).toMatchObject({ source: 'page' });
    expect((await set(owner, 'KNELL_MAIL_URL', null)).status).toBe(200);
    expect(await viewOf(owner, 'KNELL_MAIL_URL')).toMatchObject({ source: 'default' });
  });

  it('the environment wins, and says so', async () => {
    const { knell, owner } = await started({ KNELL_BADGE_LABEL: 'Theirs' });
    const refused = await set(owner, 'KNELL_BADGE_LABEL', 'Ours');
    expect([refused.status, refused.json().error]).toEqual([
      409,
      'KNELL_BADGE_LABEL comes from the environment, which wins: change it there',
    ]);
    expect(await viewOf(owner, 'KNELL_BADGE_LABEL')).toMatchObject({
      source: 'environment',
      value: 'Theirs',
    });
    expect(knell.app.httpUrl).toContain('127.0.0.1');
  });

  it('the label of badges is the new one at once', async () => {
    const { knell, owner } = await started();
    const { badges } = (await knell.api('GET', '/api/v3/badges/')).json();
    const path = new URL(badges['*'].json).pathname;
    expect((await knell.request(path)).json().label ?? '').not.toBe('Ours');
    await set(owner, 'KNELL_BADGE_LABEL', 'Ours');
    expect((await knell.request(new URL(badges['*'].svg).pathname)).text).toContain('Ours');
  });

  it('bad values are refused with a sentence, and nothing is changed', async () => {
    const { owner } = await started();
    for (const [variable, value] of [
      ['KNELL_TIME_ZONE', 'Mars/Olympus'],
      ['KNELL_HTTP', '127.0.0.1:1'],
      ['KNELL_MAIL_URL', 'nonsense'],
      ['', 'x'],
    ] as const) {
      const answer = await set(owner, variable, value);
      expect([variable, answer.status, Object.keys(answer.json())]).toEqual([variable, 400, ['error']]);
    }
    expect((await owner.post('/web/server-settings', { variable: 'KNELL_MAIL_URL' })).status).toBe(400);
    const { settings } = (await owner.get('/web/server-settings')).json();
    expect(settings.filter(({ source }: Json) => source === 'page')).toEqual([]);
  });

  it('allows the addresses of an integration that is blocked, beside those that are allowed', async () => {
    const { owner } = await started();
    const receiver = await HttpReceiver.start();
    stops.push(() => receiver.stop());
    const project = (await owner.get('/web/state')).json().projects[0].id;
    await set(owner, 'KNELL_WEBHOOK_ALLOW', '10.0.0.0/8');
    const hook = { kind: 'webhook', name: 'Hook', fields: { url_down: receiver.url() } };
    const made = (await owner.post(`/web/in/${project}/channels`, hook)).json();
    const blocked = { addresses: ['127.0.0.1'], mayAllow: true };
    expect(made).toMatchObject({
      blocked,
      warning: expect.stringContaining(
        '127.0.0.1 is private and blocked by default; add it to KNELL_WEBHOOK_ALLOW',
      ),
    });
    const test = async (): Promise<Json> =>
      (await owner.post(`/web/in/${project}/channels/${made.id}/test`)).json();
    expect(await test()).toMatchObject({ ok: false, blocked });
    for (const addresses of [[], ['nonsense'], ['127.0.0.0/8'], null, Array(17).fill('127.0.0.1')])
      expect((await owner.post('/web/server-settings/allow', { addresses })).status).toBe(400);
    expect((await owner.post('/web/server-settings/allow', { addresses: ['127.0.0.1'] })).status).toBe(200);
    expect(await test()).toEqual({ ok: true, error: '', answer: { status: '200 OK', text: 'ok' } });
    expect(receiver.all).toHaveLength(1);
    expect(await viewOf(owner, 'KNELL_WEBHOOK_ALLOW')).toMatchObject({ value: '10.0.0.0/8,127.0.0.1' });
  });

  it('allows none where the environment says which, nor for who is no owner', async () => {
    const { knell, owner } = await started({ KNELL_WEBHOOK_ALLOW: '10.0.0.0/8' });
    const project = (await owner.get('/web/state')).json().projects[0].id;
    const hook = { kind: 'webhook', name: 'Hook', fields: { url_down: 'http://127.0.0.1:9/' } };
    const blocked = { addresses: ['127.0.0.1'], mayAllow: false };
    expect((await owner.post(`/web/in/${project}/channels`, hook)).json()).toMatchObject({ blocked });
    expect((await owner.post('/web/server-settings/allow', { addresses: ['127.0.0.1'] })).status).toBe(409);
    const { link } = (await owner.post('/web/users', { name: 'edda', role: 'editor' })).json();
    const editor = new PageClient(knell);
    await editor.post('/web/set-password', { link: linkIn(link), password: goodPassword });
    await editor.get('/web/state');
    expect((await editor.post(`/web/in/${project}/channels`, hook)).json()).toMatchObject({ blocked });
    expect((await editor.post('/web/server-settings/allow', { addresses: ['127.0.0.1'] })).status).toBe(403);
  });

  it('are for owners', async () => {
    const { knell, owner } = await started();
    const { link } = (await owner.post('/web/users', { name: 'edda', role: 'editor' })).json();
    const editor = new PageClient(knell);
    await editor.post('/web/set-password', { link: linkIn(link), password: goodPassword });
    await editor.get('/web/state');
    expect((await editor.get('/web/server-settings')).status).toBe(403);
    expect((await set(editor, 'KNELL_BADGE_LABEL', 'Ours')).status).toBe(403);
    expect((await new PageClient(knell).get('/web/server-settings')).status).toBe(401);
  });
});
