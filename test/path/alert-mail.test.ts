/** Alerts by mail, and of pings that came by mail: from a real socket through Knell to a real receiver. */
import { simpleParser } from 'mailparser';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';
import { addressOf } from '../support/mail-client.ts';
import { HttpReceiver, MailReceiver } from '../support/receivers.ts';

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
    expect(down.text).toContain(`View check: http://knell.test/project/${project}/checks/${uuid}`);
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
