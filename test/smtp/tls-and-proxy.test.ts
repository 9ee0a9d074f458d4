/** STARTTLS with a certificate, and connections that come through a proxy. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { afterEach, describe, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';
import { tempDir } from '../support/temp-dirs.ts';
import { type Certificate, selfSigned } from '../support/wire/certificate.ts';
import { addressOf, MailClient } from '../support/wire/mail-client.ts';

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

/** A header of version 2: version and command, family and transport, what follows. */
function headerV2(command: number, family: number, rest: readonly number[]): Buffer {
  const length = [rest.length >> 8, rest.length & 255];
  return Buffer.from([...Buffer.from('\r\n\r\n\0\r\nQUIT\n'), command, family, ...length, ...rest]);
}

function ipv6(last: number): number[] {
  return [0x20, 1, 0x0d, 0xb8, ...Array(11).fill(0), last];
}

const mapped = [...Array(10).fill(0), 255, 255, 203, 0, 113, 9];

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

  test.each([
    ['for IPv4', headerV2(0x21, 0x11, [203, 0, 113, 9, 192, 0, 2, 1, 18, 103, 0, 25]), '203.0.113.9'],
    ['for IPv6', headerV2(0x21, 0x21, [...ipv6(9), ...ipv6(1), 18, 103, 0, 25]), '2001:db8::9'],
    ['for IPv4 in IPv6', headerV2(0x21, 0x21, [...mapped, ...mapped, 18, 103, 0, 25]), '203.0.113.9'],
    [
      'with what a cloud adds',
      headerV2(0x21, 0x11, [203, 0, 113, 9, 192, 0, 2, 1, 18, 103, 0, 25, 0xea, 0, 2, 1, 2]),
      '203.0.113.9',
    ],
    ['for the proxy itself', headerV2(0x20, 0, []), '127.0.0.2'],
    ['for a unix socket', headerV2(0x21, 0x31, Array(216).fill(0)), '127.0.0.2'],
  ])(
    'a ping is logged with the address that a header of version 2 names, %s',
    async (_what, header, addr) => {
      const running = await start({ KNELL_SMTP_PROXY: 'on', KNELL_TRUST_PROXY: '127.0.0.2' });
      const { uuid } = await running.create();
      const whole = await MailClient.open(running.app.smtp, '127.0.0.2');
      whole.write(header);
      expect(await ping(whole, uuid)).toMatch(/^250 /);
      const inPieces = await MailClient.open(running.app.smtp, '127.0.0.2');
      for (const byte of header) {
        inPieces.write(Uint8Array.of(byte));
        await nextTurn();
      }
      expect(await ping(inPieces, uuid)).toMatch(/^250 /);
      const addresses = (await running.pings(uuid)).map((each: { remote_addr: string }) => each.remote_addr);
      expect(addresses).toEqual([addr, addr]);
    },
  );

  test.each([
    ['another version', headerV2(0x31, 0x11, Array(12).fill(1))],
    ['an unknown command', headerV2(0x22, 0x11, Array(12).fill(1))],
    ['too few bytes for its addresses', headerV2(0x21, 0x21, Array(12).fill(1))],
    ['a length without end', headerV2(0x21, 0x11, Array(60_000).fill(1))],
    ['another signature', Buffer.from('\r\n\r\n\0\r\nQUIX\n')],
  ])('a header of version 2 with %s closes the connection', async (_what, header) => {
    const { app } = await start({ KNELL_SMTP_PROXY: 'on', KNELL_TRUST_PROXY: '127.0.0.2' });
    const client = await MailClient.open(app.smtp, '127.0.0.2');
    client.write(header);
    await client.closed();
  });

  test('a header of version 2 of anybody else is no command', async () => {
    const running = await start({ KNELL_SMTP_PROXY: 'on', KNELL_TRUST_PROXY: '127.0.0.2' });
    const liar = await MailClient.greeted(running.app.smtp);
    liar.write(headerV2(0x21, 0x11, [203, 0, 113, 9, 192, 0, 2, 1, 18, 103, 0, 25]));
    expect(await liar.reply()).toMatch(/^500 /);
    liar.vanish();
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
