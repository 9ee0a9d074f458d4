/** What arrives byte for byte: halves, floods, smuggling, silence. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Knell } from '../support/knell.ts';
import { MailClient } from '../support/wire/mail-client.ts';

const domain = 'ping.example.org';
let knell: Knell;

beforeAll(async () => {
  knell = await Knell.start({ env: { KNELL_SMTP: '127.0.0.1:0', KNELL_EMAIL_DOMAIN: domain } });
});

afterAll(() => knell.stop());

async function mailbox(): Promise<{ uuid: string; to: string }> {
  const { uuid } = await knell.create();
  return { uuid, to: `${uuid}@${domain}` };
}

async function body(uuid: string, n: number): Promise<Buffer> {
  const response = await fetch(`${knell.app.httpUrl}/api/v3/checks/${uuid}/pings/${n}/body`, {
    headers: { 'X-Api-Key': knell.keys.readWrite },
  });
  return Buffer.from(await response.arrayBuffer());
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

async function inData(to: string): Promise<MailClient> {
  const client = await MailClient.greeted(knell.app.smtp);
  for (const command of ['MAIL FROM:<>', `RCPT TO:<${to}>`, 'DATA']) await client.ask(command);
  return client;
}

test('says what it can: no AUTH, and no STARTTLS without a certificate', async () => {
  const client = await MailClient.open(knell.app.smtp);
  expect(await client.reply()).toMatch(/^220 ping\.example\.org /);
  const offered = (await client.ask('EHLO test')).split(/\r\n/).map((line) => line.slice(4));
  expect(offered.slice(1)).toEqual([
    'PIPELINING',
    '8BITMIME',
    'SMTPUTF8',
    'ENHANCEDSTATUSCODES',
    'SIZE 10000000',
  ]);
  for (const command of ['STARTTLS', 'AUTH PLAIN AAAA', 'XCLIENT ADDR=1.2.3.4', 'WIZ x']) {
    expect(await client.ask(command)).toMatch(/^500 /);
  }
  client.vanish();
});

test('greets at once: no timer is waited for', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const client = await MailClient.open(knell.app.smtp);
    expect(await client.reply()).toMatch(/^220 /);
    client.vanish();
  } finally {
    vi.useRealTimers();
  }
});

test('takes a whole session in one packet, and several mails', async () => {
  const { uuid, to } = await mailbox();
  const client = await MailClient.open(knell.app.smtp);
  const mail = `MAIL FROM:<a@b.c>\r\nRCPT TO:<${to}>\r\nDATA\r\nSubject: x\r\n\r\nhi\r\n.\r\n`;
  client.write(`EHLO test\r\n${mail}${mail}${mail}QUIT\r\n`);
  const codes: string[] = [];
  for (let reply = await client.reply(); reply !== ''; reply = await client.reply())
    codes.push(reply.slice(0, 3));
  const each = ['250', '250', '354', '250'];
  expect(codes).toEqual(['220', '250', ...each, ...each, ...each, '221']);
  expect((await knell.check(uuid)).n_pings).toBe(3);
});

test('takes a mail that comes byte by byte', async () => {
  const { uuid, to } = await mailbox();
  const client = await MailClient.greeted(knell.app.smtp);
  const session = `MAIL FROM:<>\r\nRCPT TO:<${to}>\r\nDATA\r\nx\r\n..\r\n.\r\n`;
  for (const byte of Buffer.from(session)) {
    client.write(Uint8Array.of(byte));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const replies = [await client.reply(), await client.reply(), await client.reply(), await client.reply()];
  expect(replies.map((reply) => reply.slice(0, 3))).toEqual(['250', '250', '354', '250']);
  expect((await body(uuid, 1)).toString()).toBe('x\r\n.\r\n');
  client.vanish();
});

describe('a message is not ended', () => {
  test.each([
    '\n.\n',
    '\n.\r\n',
    '\r\n.\n',
    '\r.\r',
    '\r\n.\r',
    '\r.\r\n',
    '\n\n.\r\n',
    '\r\n\0.\r\n',
    '\r\n.\0\r\n',
  ])('by %j, nor are commands in it obeyed', async (mark) => {
    const { uuid, to } = await mailbox();
    const victim = await mailbox();
    const client = await inData(to);
    const smuggled = `MAIL FROM:<>\r\nRCPT TO:<${victim.to}>\r\nDATA\r\nsmuggled`;
    client.write(`before${mark}${smuggled}`);
    expect(await client.ask('\r\n.')).toMatch(/^250 /);
    expect(await client.ask('NOOP')).toMatch(/^250 /);
    client.vanish();
    expect((await knell.check(uuid)).n_pings).toBe(1);
    expect((await knell.check(victim.uuid)).n_pings).toBe(0);
    expect((await body(uuid, 1)).toString()).toContain('smuggled');
  });
});

test('keeps NUL bytes, 8-bit headers and lines of any length as they came', async () => {
  const { uuid, to } = await mailbox();
  const message = Buffer.concat([
    Buffer.from('Subject: \xe4\xf6\xfc\0\xff\r\nX-Long: '.concat('y'.repeat(20_000)), 'latin1'),
    Buffer.from('\r\n\r\n\0\0\0\r\n\x80\x81\xfe\xff\n\r bare\r\n', 'latin1'),
  ]);
  const client = await inData(to);
  client.write(message);
  expect(await client.ask('.')).toMatch(/^250 /);
  client.vanish();
  expect((await body(uuid, 1)).equals(message)).toBe(true);
});

test('takes an address and a sender in UTF-8', async () => {
  const { uuid, to } = await mailbox();
  const client = await MailClient.greeted(knell.app.smtp);
  client.write(Buffer.from('MAIL FROM:<jürgen@bücher.example> SMTPUTF8 BODY=8BITMIME\r\n'));
  expect(await client.reply()).toMatch(/^250/);
  expect(await client.ask(`RCPT TO:<${to}>`)).toMatch(/^250/);
  await client.ask('DATA');
  expect(await client.ask('x\r\n.')).toMatch(/^250/);
  client.vanish();
  expect((await knell.pings(uuid))[0].ua).toBe('Email from jürgen@bücher.example');
});

/** By then the server, in this process, has read what was written to it before. */
async function othersAreServed(): Promise<void> {
  const other = await MailClient.greeted(knell.app.smtp);
  await other.ask('NOOP');
  other.vanish();
}

describe('nothing is recorded', () => {
  test.each([
    ['right after DATA', ''],
    ['in the middle of a line', 'Subject: half'],
    ['before the dot', 'Subject: x\r\n\r\nhi\r\n'],
    ['after the dot but before its line ends', 'Subject: x\r\n\r\nhi\r\n.'],
    ['after the dot and half a line end', 'Subject: x\r\n\r\nhi\r\n.\r'],
  ])('of a client that vanishes %s', async (_, sent) => {
    const { uuid, to } = await mailbox();
    const client = await inData(to);
    if (sent !== '') client.write(sent);
    await othersAreServed();
    client.vanish();
    await othersAreServed();
    const { to: next } = await mailbox();
    expect(await (await MailClient.greeted(knell.app.smtp)).send([next], 'x')).toMatch(/^250/);
    expect((await knell.check(uuid)).n_pings).toBe(0);
  });

  test('of half a session', async () => {
    const { uuid, to } = await mailbox();
    for (const half of ['MAIL FROM:<>', `MAIL FROM:<>\r\nRCPT TO:<${to}>\r\nDA`, `RCPT TO:<${to}>\r\nDATA`]) {
      const client = await MailClient.greeted(knell.app.smtp);
      client.write(half);
      await othersAreServed();
      client.vanish();
    }
    expect((await knell.check(uuid)).n_pings).toBe(0);
  });

  test('of a mail that says it is too large', async () => {
    const client = await MailClient.greeted(knell.app.smtp);
    expect(await client.ask('MAIL FROM:<> SIZE=10000001')).toMatch(/^552 /);
    expect(await client.ask('MAIL FROM:<> SIZE=10000000')).toMatch(/^250 /);
    client.vanish();
  });

  test.each([false, true])('of a mail of 50 MB (searched: %s), and memory stays', async (isSearched) => {
    const { uuid } = await knell.create({ filter_body: isSearched, success_kw: 'OK' });
    const client = await inData(`${uuid}@${domain}`);
    const block = Buffer.alloc(1_000_000, 'OK and so on and on\r\n');
    const before = process.memoryUsage();
    for (let times = 0; times < 50; times++) await client.pour(block);
    // Both ends are in this process: some blocks may still be on their way, and what is freed is freed in threads.
    const grown = (): readonly [arrayBuffers: number, rss: number] => {
      collectGarbage();
      const { rss, arrayBuffers } = process.memoryUsage();
      return [arrayBuffers - before.arrayBuffers, rss - before.rss];
    };
    await expect.poll(() => grown()[0]).toBeLessThan(40_000_000);
    await expect.poll(() => grown()[1]).toBeLessThan(150_000_000);
    expect(await client.ask('\r\n.')).toMatch(/^552 5\.3\.4 /);
    expect(await client.ask('NOOP')).toMatch(/^250 /);
    client.vanish();
    expect((await knell.check(uuid)).n_pings).toBe(0);
  });
});

test('100 recipients are taken, and no more', async () => {
  const checks = await Promise.all(Array.from({ length: 101 }, () => mailbox()));
  const client = await MailClient.greeted(knell.app.smtp);
  await client.ask('MAIL FROM:<>');
  const replies: string[] = [];
  for (const { to } of checks) replies.push(await client.ask(`RCPT TO:<${to}>`));
  expect(replies.filter((reply) => reply.startsWith('250 ')).length).toBe(100);
  expect(replies[100]).toMatch(/^452 4\.5\.3 /);
  await client.ask('DATA');
  expect(await client.ask('x\r\n.')).toMatch(/^250/);
  client.vanish();
  const counts = await Promise.all(checks.map(async ({ uuid }) => (await knell.check(uuid)).n_pings));
  expect(counts).toEqual([...Array.from({ length: 100 }, () => 1), 0]);
});

test('1,000 connections that say nothing keep no one out, neither here nor at the HTTP endpoint', async () => {
  const silent = await Promise.all(Array.from({ length: 1000 }, () => MailClient.open(knell.app.smtp)));
  const { uuid, to } = await mailbox();
  const client = await MailClient.greeted(knell.app.smtp);
  expect(await client.send([to], 'x')).toMatch(/^250/);
  expect((await knell.request(`/ping/${uuid}`)).status).toBe(200);
  expect((await knell.check(uuid)).n_pings).toBe(2);
  const stillOpen = () => silent.filter((each) => !each.isClosed).length;
  await expect.poll(stillOpen).toBeLessThanOrEqual(100);
  for (const each of [...silent, client]) each.vanish();
});
