/** Email pings over real sockets, with nodemailer as the client. */

import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bothEnds } from '../../src/lib/both-ends.ts';
import { Knell } from '../support/knell.ts';
import { addressOf, MailClient } from '../support/wire/mail-client.ts';

const domain = 'ping.example.org';
let knell: Knell;

beforeAll(async () => {
  knell = await Knell.start({ env: { KNELL_SMTP: '127.0.0.1:0', KNELL_EMAIL_DOMAIN: domain } });
});

afterAll(() => knell.stop());

interface Sent {
  readonly to: readonly string[];
  readonly from?: string;
  readonly raw?: string | Buffer;
}

async function send({ to, from = 'nas@example.org', raw = 'Subject: hello\r\n\r\nhi\r\n' }: Sent) {
  const transport = createTransport({ ...addressOf(knell.app.smtp), ignoreTLS: true });
  return transport.sendMail({ envelope: { from, to: [...to] }, raw });
}

async function reasonOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'sent',
    (error: unknown) =>
      error instanceof Error && 'response' in error ? String(error.response) : String(error),
  );
}

describe('a mail', () => {
  test('to a check is a success, and logged as it came', async () => {
    const { uuid } = await knell.create();
    const raw = 'From: nas\r\nSubject: =?utf-8?q?gr=C3=BCn?=\r\n\r\n..dots\r\n.\r\nend \r\n';
    const sent = await send({ to: [`${uuid}@${domain}`], raw });
    expect(sent.response).toMatch(/^250 2\.6\.0 /);
    expect(await knell.check(uuid)).toMatchObject({ status: 'up', n_pings: 1 });
    expect(await knell.pings(uuid)).toMatchObject([
      {
        n: 1,
        type: 'success',
        scheme: 'email',
        method: '',
        ua: 'Email from nas@example.org',
        remote_addr: '127.0.0.1',
        rid: null,
      },
    ]);
    expect((await knell.api('GET', `/api/v3/checks/${uuid}/pings/1/body`)).text).toBe(raw);
  });

  test('may have no sender', async () => {
    const { uuid } = await knell.create();
    await send({ to: [`${uuid}@${domain}`], from: '' });
    expect(await knell.pings(uuid)).toMatchObject([{ type: 'success', ua: 'Email from <>' }]);
  });

  test('of more than 100 kB is kept at both ends, with a line about the rest', async () => {
    const { uuid } = await knell.create();
    const raw = `Subject: long\r\n\r\n${'0123456789abcdef0123456789abcdef\r\n'.repeat(20_000)}`;
    await send({ to: [`${uuid}@${domain}`], raw });
    const { text } = await knell.api('GET', `/api/v3/checks/${uuid}/pings/1/body`);
    expect(text).toBe(Buffer.from(bothEnds(Buffer.from(raw), 100_000)).toString());
    expect(text).toMatch(/\n\[580\d{3} bytes left out\]\n/);
  });

  test('pings each of its recipients, whatever is wrong with one', async () => {
    const first = await knell.create();
    const second = await knell.create();
    const sent = await send({
      to: [
        `${first.uuid}@${domain}`,
        `00000000-0000-4000-8000-000000000000@${domain}`,
        `${second.uuid}@${domain}`,
      ],
    });
    expect(sent.rejected).toEqual([`00000000-0000-4000-8000-000000000000@${domain}`]);
    for (const { uuid } of [first, second]) expect((await knell.check(uuid)).n_pings).toBe(1);
  });

  test('resumes a paused check, unless it wants to be resumed by hand', async () => {
    const { uuid } = await knell.create();
    const byHand = await knell.create({ manual_resume: true });
    for (const id of [uuid, byHand.uuid]) await knell.api('POST', `/api/v3/checks/${id}/pause`);
    await send({ to: [`${uuid}@${domain}`, `${byHand.uuid}@${domain}`] });
    expect((await knell.check(uuid)).status).toBe('up');
    expect((await knell.check(byHand.uuid)).status).toBe('paused');
    expect((await knell.pings(byHand.uuid))[0].type).toBe('ign');
  });

  test('is taken where HTTP pings must be POST', async () => {
    const { uuid } = await knell.create({ methods: 'POST' });
    await send({ to: [`${uuid}@${domain}`] });
    expect((await knell.check(uuid)).status).toBe('up');
  });
});

describe('an address', () => {
  test('may be a ping key and a slug', async () => {
    const { uuid } = await knell.create({ slug: 'db-backup_1' });
    await send({ to: [`${knell.keys.ping}+db-backup_1@${domain}`] });
    expect((await knell.check(uuid)).n_pings).toBe(1);
  });

  test.each(['lower', 'upper'])('may have been written in %s case on its way', async (turn) => {
    const written = (text: string) => (turn === 'lower' ? text.toLowerCase() : text.toUpperCase());
    const { uuid, slug } = await knell.create({ slug: `case-${turn}` });
    await send({ to: [written(`${uuid}@${domain}`)] });
    await send({ to: [written(`${knell.keys.ping}+${slug}@${domain}`)] });
    expect((await knell.check(uuid)).n_pings).toBe(2);
  });

  test('of a slug that two checks have is refused', async () => {
    await knell.create({ slug: 'twice' });
    await knell.create({ slug: 'twice' });
    const reason = await reasonOf(send({ to: [`${knell.keys.ping}+twice@${domain}`] }));
    expect(reason).toMatch(/^550 5\.1\.1 .*several/);
  });

  test.each([
    `00000000-0000-4000-8000-000000000000@${domain}`,
    `nobody@${domain}`,
    `nokey+slug@${domain}`,
    `+@${domain}`,
    `3c1169a0-0000-4000-8000@${domain}`,
    'postmaster',
    'plain',
    '@',
    '',
    'two@signs@ping.example.org',
    'UUID@elsewhere.example.org',
    'UUID@ping.example.org.evil.example',
    'UUID@',
    'KEY+unknown-slug@ping.example.org',
  ])('%j is refused at once', async (written) => {
    const { uuid } = await knell.create();
    const to = written.replace('UUID', uuid).replace('KEY', knell.keys.ping);
    const client = await MailClient.greeted(knell.app.smtp);
    await client.ask('MAIL FROM:<>');
    expect(await client.ask(`RCPT TO:<${to}>`)).toMatch(/^550 5\.1\.1 /);
    client.vanish();
    expect((await knell.check(uuid)).n_pings).toBe(0);
  });

  test('of any version of UUID is looked up', async () => {
    const client = await MailClient.greeted(knell.app.smtp);
    const { uuid } = await knell.create();
    await client.ask('MAIL FROM:<>');
    for (const version of '12345678') {
      const other = `${uuid.slice(0, 14)}${version}${uuid.slice(15)}`;
      const reply = await client.ask(`RCPT TO:<${other}@${domain}>`);
      expect(reply).toMatch(other === uuid ? /^250/ : /^550 5\.1\.1 no check/);
    }
    client.vanish();
  });
});

test('a check deleted between its RCPT and the dot spoils nothing for the others', async () => {
  const gone = await knell.create();
  const stays = await knell.create();
  const client = await MailClient.greeted(knell.app.smtp);
  await client.ask('MAIL FROM:<a@b.example>');
  for (const { uuid } of [gone, stays]) await client.ask(`RCPT TO:<${uuid}@${domain}>`);
  await client.ask('DATA');
  await knell.api('DELETE', `/api/v3/checks/${gone.uuid}`);
  expect(await client.ask('hello\r\n.')).toMatch(/^250/);
  expect((await knell.check(stays.uuid)).n_pings).toBe(1);
  await client.ask('MAIL FROM:<a@b.example>');
  await client.ask(`RCPT TO:<${stays.uuid}@${domain}>`);
  await client.ask('DATA');
  await knell.api('DELETE', `/api/v3/checks/${stays.uuid}`);
  expect(await client.ask('hello\r\n.')).toMatch(/^550/);
  client.vanish();
});
