/** Alerts by mail, and of pings that came by mail: from a real socket through Knell to a real receiver. */
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
