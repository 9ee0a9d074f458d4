/** Alerts by mail, and of pings that came by mail: from a real socket through Knell to a real receiver. */

import { simpleParser } from 'mailparser';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asCheckId, uniqueKeyOf } from '../../src/lib/ids.ts';
import { Knell } from '../support/knell.ts';
import { addressOf } from '../support/wire/mail-client.ts';
import { HttpReceiver, MailReceiver } from '../support/wire/receivers.ts';

const domain = 'ping.example.org';
let knell: Knell;
let http: HttpReceiver;
let inbox: MailReceiver;

beforeAll(async () => {
  http = await HttpReceiver.start();
  inbox = await MailReceiver.start();
  knell = await Knell.start({
    env: {
      KNELL_SMTP: '127.0.0.1:0',
      KNELL_EMAIL_DOMAIN: domain,
      KNELL_MAIL_URL: inbox.url,
      // Behind a proxy that strips the first part of the path.
      KNELL_BASE_URL: 'https://knell.test/sub',
      KNELL_WEBHOOK_ALLOW: '127.0.0.0/8',
    },
  });
});

afterAll(async () => {
  await knell.stop();
  await http.stop();
  await inbox.stop();
});

async function channel(kind: string, value: string): Promise<string> {
  const args = { project: 'default', kind, name: kind, value };
  return ((await knell.app.admin({ command: 'channel create', args }, () => {})) as { id: string }).id;
}

async function sendMail(to: string, raw: string): Promise<void> {
  const transport = createTransport({ ...addressOf(knell.app.smtp), ignoreTLS: true });
  await transport.sendMail({ envelope: { from: 'nas@example.org', to: [to] }, raw });
}

/** A mail as backup software sends it: HTML only, in base64. */
const report = [
  'From: nas@example.org',
  'Subject: =?utf-8?q?Backup_fehlgeschlagen:_gr=C3=BCn?=',
  'Content-Type: text/html; charset=utf-8',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('<p>Disk&nbsp;<b>voll</b></p><p>99&#37; größer</p>').toString('base64'),
  '',
].join('\r\n');

describe('a ping that came by mail', () => {
  test('is shown decoded, its HTML as text, by every kind', async () => {
    const hook = await channel(
      'webhook',
      JSON.stringify({ method_down: 'POST', url_down: http.url('/'), body_down: '{"body": "$BODY"}' }),
    );
    const { uuid } = await knell.create({
      channels: hook,
      filter_subject: true,
      failure_kw: 'fehlgeschlagen',
    });
    await sendMail(`${uuid}@${domain}`, report);
    const [received] = await http.until(1);
    expect(JSON.parse(received?.body ?? '')).toEqual({
      body: 'Backup fehlgeschlagen: grün\n\nDisk voll\n99% größer',
    });
  });
});

/** What a mail program makes of a received message. */
const parsed = async (count: number) => simpleParser((await inbox.until(count))[count - 1]?.text ?? '');

describe('an alert mail', () => {
  test('of a failure and of the recovery, as a mail program reads them: parts, thread, list, date', async () => {
    const email = await channel('email', 'ops@example.org');
    const { uuid } = await knell.create({ name: 'Nächtliches Backup', channels: email });
    await knell.request(`/ping/${uuid}/start`);
    await knell.request(`/ping/${uuid}/3`, { method: 'POST', body: 'disk full\n' });
    const down = await parsed(1);
    await knell.request(`/ping/${uuid}`);
    const up = await parsed(2);
    expect(down.subject).toBe('DOWN | Nächtliches Backup');
    expect(up.subject).toBe('UP | Nächtliches Backup');
    expect(down.text).toContain('The job failed: exit status 3 after');
    expect(down.text).toContain('disk full');
    expect(down.html).toContain('disk full');
    const [project = ''] = knell.app.engine.read.projects().map(({ id }) => id);
    expect(down.text).toContain(
      `View check: https://knell.test/sub/project/${project}/checks/${uniqueKeyOf(asCheckId(uuid))}`,
    );
    expect(down.inReplyTo).toBe(up.inReplyTo);
    expect(down.references).toBe(down.inReplyTo);
    expect(down.messageId).not.toBe(up.messageId);
    expect(down.headers.get('auto-submitted')).toBe('auto-generated');
    expect(down.headers.get('list')).toMatchObject({ id: { name: 'default', id: `${project}.localhost` } });
    expect(Math.abs((down.date?.getTime() ?? 0) - Date.now())).toBeLessThan(600_000);
  });

  test('of a mail ping shows its text and has the mail attached, byte for byte', async () => {
    const email = await channel('email', 'ops@example.org');
    const { uuid } = await knell.create({
      channels: email,
      filter_subject: true,
      failure_kw: 'fehlgeschlagen',
    });
    await sendMail(`${uuid}@${domain}`, report);
    const mail = await parsed(3);
    expect(mail.text).toContain('Email from the job: Backup fehlgeschlagen: grün:');
    expect(mail.text).toContain('Disk voll\n99% größer');
    expect(mail.text).not.toContain('base64');
    const [attachment] = mail.attachments;
    expect(attachment?.filename).toBe('ping-1.eml');
    const kept = await knell.request(`/api/v3/checks/${uuid}/pings/1/body`, {
      headers: { 'X-Api-Key': knell.keys.readWrite },
    });
    expect(attachment?.content.toString()).toBe(kept.text);
  });
});

describe('unsubscribing', () => {
  const list = async () =>
    (await knell.app.admin({ command: 'channel list', args: { project: 'default' } }, () => {})) as {
      id: string;
      disabled: boolean;
      disabled_reason?: string;
    }[];
  const disabledOf = async (id: string) => {
    const found = (await list()).find((one) => one.id === id);
    return [found?.disabled, found?.disabled_reason ?? ''];
  };
  /** The path behind the proxy, of the link in the latest mail to a new integration. */
  async function subscribed(address: string): Promise<{ id: string; path: string; uuid: string }> {
    const id = await channel('email', address);
    const { uuid } = await knell.create({ channels: id });
    const count = inbox.all.length + 1;
    await knell.request(`/ping/${uuid}/fail`);
    const mail = await parsed(count);
    const link = /^List-Unsubscribe: <https:\/\/knell\.test\/sub(\/unsubscribe\/[^>]+)>$/im;
    const head =
      (inbox.all[count - 1]?.text ?? '').split('\r\n\r\n', 1)[0]?.replace(/\r\n[ \t]+/g, ' ') ?? '';
    expect(head).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/im);
    const path = link.exec(head.replaceAll('\r', ''))?.[1] ?? '';
    expect(mail.text).toContain(`Unsubscribe: https://knell.test/sub${path}`);
    return { id, path, uuid };
  }
  const oneClick = {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  };

  test('asks first: to open the link changes nothing', async () => {
    const { id, path } = await subscribed('reader@example.org');
    for (const method of ['GET', 'HEAD']) expect((await knell.request(path, { method })).status).toBe(200);
    const page = await knell.request(path);
    expect(page.text).toContain(
      'reader@example.org will get no more alerts by the integration “email” of the project default, which 4 checks notify.',
    );
    expect(page.text).toContain('<form method="post">');
    expect(await disabledOf(id)).toEqual([false, '']);
  });

  test('by POST disables the integration without a session, says why, and can be undone', async () => {
    const { id, path, uuid } = await subscribed('reader2@example.org');
    const page = await knell.request(path, oneClick);
    expect(page.status).toBe(200);
    expect(page.text).toContain('reader2@example.org gets no alerts');
    const [disabled, reason] = await disabledOf(id);
    expect(disabled).toBe(true);
    expect(reason).toMatch(/^the recipient unsubscribed on \d{4}-\d\d-\d\d$/);
    expect((await knell.request(path, oneClick)).status).toBe(200);
    const after = await knell.request(path);
    expect(after.text).toContain('reader2@example.org gets no alerts by the integration “email”');
    expect(after.text).toContain('Subscribe again');
    await knell.app.admin(
      { command: 'channel edit', args: { channel: id, name: 'new name', disabled: true } },
      () => {},
    );
    expect((await disabledOf(id))[1]).toBe(reason);
    await knell.app.admin({ command: 'channel edit', args: { channel: id, disabled: false } }, () => {});
    expect(await disabledOf(id)).toEqual([false, '']);
    const count = inbox.all.length + 1;
    await knell.request(`/ping/${uuid}`);
    expect((await parsed(count)).subject).toMatch(/^UP/);
  });

  const again = { ...oneClick, body: 'do=subscribe' };

  test('is undone by POST on the page after, by the same link', async () => {
    const { id, path } = await subscribed('reader6@example.org');
    await knell.request(path, oneClick);
    const page = await knell.request(path, again);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Subscribed again')]);
    expect(await disabledOf(id)).toEqual([false, '']);
    // Pressed twice, it changes nothing.
    expect((await knell.request(path, again)).text).toContain('Subscribed again');
  });

  test('is not undone where an editor has turned the integration off, or it has another address', async () => {
    const { id, path } = await subscribed('reader7@example.org');
    const edit = (args: object) =>
      knell.app.admin({ command: 'channel edit', args: { channel: id, ...args } }, () => {});
    await knell.request(path, oneClick);
    await edit({ disabled: false });
    await edit({ disabled: true });
    expect((await knell.request(path, again)).text).not.toContain('Subscribe');
    expect((await knell.request(path)).text).not.toContain('<form');
    expect(await disabledOf(id)).toEqual([true, '']);
    await edit({ value: 'new7@example.org' });
    expect((await knell.request(path, again)).status).toBe(404);
  });

  test('needs the signature, and the address that the mail went to', async () => {
    const { id, path } = await subscribed('reader3@example.org');
    const other = await channel('email', 'reader4@example.org');
    expect((await knell.request(path.replace(id, other), oneClick)).status).toBe(404);
    expect(
      (await knell.request(`${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`, oneClick)).status,
    ).toBe(404);
    await knell.app.admin(
      { command: 'channel edit', args: { channel: id, value: 'new@example.org' } },
      () => {},
    );
    expect((await knell.request(path, oneClick)).status).toBe(404);
    expect(await disabledOf(id)).toEqual([false, '']);
    expect(await disabledOf(other)).toEqual([false, '']);
  });

  test('is limited per client', async () => {
    const { path } = await subscribed('reader5@example.org');
    const headers = { 'X-Forwarded-For': '192.0.2.99' };
    const statuses = new Set<number>();
    for (let requests = 0; requests < 100; requests++)
      statuses.add((await knell.request(path, { headers })).status);
    expect(statuses).toEqual(new Set([200, 429]));
    expect((await knell.request(path)).status).toBe(200);
  });
});
