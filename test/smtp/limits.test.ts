/** The listener's bounds, made small: crowds, idlers, long lines, mails without end. */
import { afterEach, expect, test } from 'vitest';
import { limits } from '../../src/config.ts';
import { silentLogger } from '../../src/lib/logger.ts';
import type { MailEndpoint, ReceivedMail } from '../../src/smtp/message.ts';
import { createSmtpServer, type SmtpEndpoint, type SmtpLimits } from '../../src/smtp/server.ts';
import { eventually } from '../support/patience.ts';
import { MailClient } from '../support/wire/mail-client.ts';

let server: SmtpEndpoint | null = null;

afterEach(async () => {
  await server?.stop(600);
  server = null;
});

interface Started {
  readonly smtp: string;
  readonly mails: ReceivedMail[];
}

async function start(tight: Partial<SmtpLimits>, endpoint: Partial<MailEndpoint> = {}): Promise<Started> {
  const mails: ReceivedMail[] = [];
  server = createSmtpServer({
    endpoint: {
      refusal: () => null,
      bytesWanted: () => 1000,
      deliver(mail, answer) {
        mails.push(mail);
        answer({ code: 250, text: 'OK' });
      },
      ...endpoint,
    },
    limits: { ...limits.smtp, ...tight },
    name: 'test',
    certificate: null,
    proxies: null,
    nowMs: () => 0,
    logger: silentLogger,
  });
  return { smtp: `127.0.0.1:${await server.listen({ host: '127.0.0.1', port: 0 })}`, mails };
}

test('the connection that was silent longest is evicted for a newcomer of its peer', async () => {
  const { smtp } = await start({ connectionsPerPeerMax: 2 });
  const first = await MailClient.greeted(smtp);
  const second = await MailClient.greeted(smtp);
  const elsewhere = await MailClient.greeted(smtp, '127.0.0.2');
  const third = await MailClient.greeted(smtp);
  expect(await first.reply()).toMatch(/^421 /);
  await first.closed();
  for (const client of [second, third, elsewhere]) {
    expect(await client.ask('NOOP')).toMatch(/^250 /);
    client.vanish();
  }
});

test('nobody is evicted while everyone is in the middle of a mail', async () => {
  const { smtp } = await start({ connectionsMax: 2 });
  const busy = [await MailClient.greeted(smtp, '127.0.0.2'), await MailClient.greeted(smtp, '127.0.0.3')];
  for (const client of busy) await client.ask('MAIL FROM:<>');
  const late = await MailClient.open(smtp);
  expect(await late.reply()).toMatch(/^421 .*too many/);
  busy[0]?.vanish();
  await eventually(async () => {
    const next = await MailClient.open(smtp);
    const greeting = await next.reply();
    next.vanish();
    expect(greeting).toMatch(/^220 /);
  });
  for (const client of [...busy, late]) client.vanish();
});

test('who says nothing for too long is let go, also in the middle of a message', async () => {
  const { smtp, mails } = await start({ idleMs: 50 });
  const silent = await MailClient.open(smtp);
  await silent.reply();
  expect(await silent.reply()).toMatch(/^421 4\.4\.2 Timeout/);
  const stuck = await MailClient.greeted(smtp);
  for (const command of ['MAIL FROM:<>', 'RCPT TO:<a@b.c>', 'DATA']) await stuck.ask(command);
  stuck.write('half');
  expect(await stuck.reply()).toMatch(/^421 /);
  await stuck.closed();
  expect(mails).toEqual([]);
});

test('a line without end is cut off', async () => {
  const { smtp } = await start({ commandBytesMax: 100 });
  const client = await MailClient.greeted(smtp);
  expect(await client.ask(`NOOP ${'x'.repeat(90)}`)).toMatch(/^250 /);
  client.write('x'.repeat(101));
  expect(await client.reply()).toMatch(/^421 .*too long/);
});

test('a mail without end is cut off', async () => {
  const { smtp, mails } = await start({ mailBytesMax: 1000, mailBytesReadMax: 10_000 });
  const client = await MailClient.greeted(smtp);
  for (const command of ['MAIL FROM:<>', 'RCPT TO:<a@b.c>', 'DATA']) await client.ask(command);
  client.write('x'.repeat(11_000));
  expect(await client.reply()).toMatch(/^421 .*too long/);
  expect(mails).toEqual([]);
});

test('more mails at once than memory allows are sent again later, and the memory is given back', async () => {
  const { smtp, mails } = await start({ mailsBytesMax: 1500 });
  const begun = await MailClient.greeted(smtp);
  for (const command of ['MAIL FROM:<>', 'RCPT TO:<a@b.c>', 'DATA']) await begun.ask(command);
  begun.write('x'.repeat(2000));
  const other = await MailClient.greeted(smtp);
  // Until the server has read what was begun.
  await eventually(async () =>
    expect(await other.send(['a@b.c'], 'y'.repeat(1000))).toMatch(/^451 .*too much mail/),
  );
  const accepted = mails.length;
  begun.vanish();
  await eventually(async () => expect(await other.send(['a@b.c'], 'y'.repeat(2000))).toMatch(/^250/));
  expect(mails.slice(accepted).map(({ bytes, cut }) => [bytes.length, cut])).toEqual([[1000, true]]);
  other.vanish();
});

test('stopping waits for the mails that are coming in and for their answers, and sends the idle away', async () => {
  const answers: (() => void)[] = [];
  const { smtp, mails } = await start(
    {},
    {
      deliver(mail, answer) {
        mails.push(mail);
        answers.push(() => answer({ code: 250, text: 'OK' }));
      },
    },
  );
  const idle = await MailClient.greeted(smtp);
  const begun = await MailClient.greeted(smtp);
  for (const command of ['MAIL FROM:<>', 'RCPT TO:<a@b.c>', 'DATA']) await begun.ask(command);
  const stopped = server?.stop(4000);
  server = null;
  expect(await idle.reply()).toMatch(/^421 /);
  begun.write('whole\r\n.\r\n');
  await eventually(() => expect(answers.length).toBe(1));
  answers[0]?.();
  expect(await begun.reply()).toMatch(/^250 /);
  expect(await begun.reply()).toMatch(/^421 .*shutting down/);
  await stopped;
  expect(mails.length).toBe(1);
});

test('stopping does not wait for a mail that does not come', async () => {
  const { smtp, mails } = await start({ idleMs: 1e9 });
  const stuck = await MailClient.greeted(smtp);
  for (const command of ['MAIL FROM:<>', 'RCPT TO:<a@b.c>', 'DATA']) await stuck.ask(command);
  stuck.write('half');
  await server?.stop(100);
  server = null;
  await stuck.closed();
  expect(mails).toEqual([]);
});

test('a port that is taken is one clear error', async () => {
  const { smtp } = await start({});
  const again = createSmtpServer({
    endpoint: { refusal: () => null, bytesWanted: () => 0, deliver: () => {} },
    limits: limits.smtp,
    name: 'test',
    certificate: null,
    proxies: null,
    nowMs: () => 0,
    logger: silentLogger,
  });
  await expect(again.listen({ host: '127.0.0.1', port: Number(smtp.split(':')[1]) })).rejects.toMatchObject({
    code: 'port-in-use',
  });
});
