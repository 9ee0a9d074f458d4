/** STARTTLS with a certificate, and connections that come through a proxy. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { afterEach, describe, expect, test } from 'vitest';
import { type Certificate, selfSigned } from '../support/certificate.ts';
import { Knell } from '../support/knell.ts';
import { addressOf, MailClient } from '../support/mail-client.ts';
import { tempDir } from '../support/temp-dirs.ts';

let knell: Knell | null = null;

afterEach(async () => {
  await knell?.stop();
  knell = null;
});

async function start(env: Readonly<Record<string, string>>): Promise<Knell> {
  knell = await Knell.start({ env: { KNELL_SMTP: '127.0.0.1:0', ...env } });
  return knell;
}

function tlsEnv({ certFile, keyFile }: Certificate): Record<string, string> {
  return { KNELL_SMTP_TLS_CERT: certFile, KNELL_SMTP_TLS_KEY: keyFile };
}

describe('with a certificate', () => {
  test('a mail may come under TLS, and may come without', async () => {
    const certificate = selfSigned(tempDir());
    const running = await start(tlsEnv(certificate));
    const { uuid } = await running.create();
    const trusted = { ca: readFileSync(certificate.certFile), servername: 'ping.example.org' };
    for (const tls of [{ requireTLS: true, tls: trusted }, { ignoreTLS: true }]) {
      const transport = createTransport({ ...addressOf(running.app.smtp), ...tls });
      const sent = await transport.sendMail({ from: 'a@b.c', to: `${uuid}@localhost`, text: 'hi' });
      expect(sent.accepted.length).toBe(1);
    }
    expect((await running.check(uuid)).n_pings).toBe(2);
  });

  test('what was sent in clear behind STARTTLS is not obeyed under TLS', async () => {
    const { app } = await start(tlsEnv(selfSigned(tempDir())));
    const client = await MailClient.greeted(app.smtp);
    client.write('STARTTLS\r\nMAIL FROM:<evil@example.org>\r\n');
    expect(await client.reply()).toMatch(/^220 /);
    await client.startTls();
    expect(await client.ask('EHLO test')).not.toMatch(/STARTTLS|AUTH/);
    expect(await client.ask('MAIL FROM:<good@example.org>')).toMatch(/^250 /);
    client.vanish();
  });

  test('that is none, or not the key’s, Knell says so and does not start', async () => {
    const directory = tempDir();
    const certificate = selfSigned(directory);
    const other = selfSigned(tempDir());
    const garbage = join(directory, 'garbage.pem');
    writeFileSync(garbage, 'garbage');
    for (const wrong of [
      { ...certificate, keyFile: other.keyFile },
      { ...certificate, certFile: garbage },
      { ...certificate, keyFile: join(directory, 'missing.pem') },
    ]) {
      await expect(start(tlsEnv(wrong))).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringContaining('KNELL_SMTP_TLS_KEY'),
      });
    }
    await expect(start({ KNELL_SMTP_TLS_CERT: certificate.certFile })).rejects.toMatchObject({
      code: 'usage',
    });
  });
});

describe('behind a proxy', () => {
  async function ping(client: MailClient, uuid: string): Promise<string> {
    expect(await client.reply()).toMatch(/^220 /);
    await client.ask('EHLO test');
    const reply = await client.send([`${uuid}@localhost`], 'hi');
    client.vanish();
    return reply;
  }

  test('a ping is logged with the address that a trusted proxy names', async () => {
    const running = await start({ KNELL_SMTP_PROXY: 'on', KNELL_TRUST_PROXY: '127.0.0.2' });
    const { app } = running;
    const { uuid } = await running.create();
    const proxied = await MailClient.open(app.smtp, '127.0.0.2');
    proxied.write('PROXY TCP4 203.0.113.9 192.0.2.1 4711 25\r\n');
    expect(await ping(proxied, uuid)).toMatch(/^250 /);
    expect(await ping(await MailClient.open(app.smtp), uuid)).toMatch(/^250 /);
    const addresses = (await running.pings(uuid)).map((each: { remote_addr: string }) => each.remote_addr);
    expect(addresses).toEqual(['127.0.0.1', '203.0.113.9']);
  });

  test('nobody else is believed, and a proxy that does not say whom it speaks for is sent away', async () => {
    const { app } = await start({ KNELL_SMTP_PROXY: 'on', KNELL_TRUST_PROXY: '127.0.0.2' });
    const liar = await MailClient.open(app.smtp);
    await liar.reply();
    expect(await liar.ask('PROXY TCP4 203.0.113.9 192.0.2.1 4711 25')).toMatch(/^500 /);
    liar.vanish();
    const mute = await MailClient.open(app.smtp, '127.0.0.2');
    mute.write('EHLO test\r\n');
    await mute.closed();
  });

  test('without the switch nobody is believed', async () => {
    const { app } = await start({});
    const client = await MailClient.open(app.smtp);
    await client.reply();
    expect(await client.ask('PROXY TCP4 203.0.113.9 192.0.2.1 4711 25')).toMatch(/^500 /);
    client.vanish();
  });
});
