/** Keyword rules on mails: what is searched, how it is decoded, which rule wins. */
import { createTransport } from 'nodemailer';
import type Mail from 'nodemailer/lib/mailer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';
import { addressOf, MailClient } from '../support/wire/mail-client.ts';

const domain = 'ping.example.org';
let knell: Knell;

beforeAll(async () => {
  knell = await Knell.start({ env: { KNELL_SMTP: '127.0.0.1:0', KNELL_EMAIL_DOMAIN: domain } });
});

afterAll(() => knell.stop());

const words = { success_kw: 'Job OK, grün', failure_kw: 'ERROR, ошибка, エラー', start_kw: 'Started' };
const subjectOnly = { ...words, filter_subject: true };
const bodyOnly = { ...words, filter_body: true };
const both = { ...words, filter_subject: true, filter_body: true };

type Filter = Readonly<Record<string, unknown>>;

/** What the newest ping was taken to be. */
async function meant(uuid: string): Promise<string> {
  return (await knell.pings(uuid))[0].type;
}

async function raw(filter: Filter, message: string | Buffer): Promise<string> {
  const { uuid } = await knell.create(filter);
  const client = await MailClient.greeted(knell.app.smtp);
  expect(await client.send([`${uuid}@${domain}`], message)).toMatch(/^250/);
  client.vanish();
  return meant(uuid);
}

async function composed(filter: Filter, mail: Mail.Options): Promise<string> {
  const { uuid } = await knell.create(filter);
  const transport = createTransport({ ...addressOf(knell.app.smtp), ignoreTLS: true });
  await transport.sendMail({ from: 'a@example.org', to: `${uuid}@${domain}`, ...mail });
  return meant(uuid);
}

describe('the subject', () => {
  test.each([
    ['Job OK', 'success'],
    ['Re: Job OK (3 files)', 'success'],
    ['job ok', 'ign'],
    ['ERROR, yet Job OK', 'fail'],
    ['Job OK, Started', 'success'],
    ['Started', 'start'],
    ['nothing of that', 'ign'],
    ['=?utf-8?q?gr=C3=BCn?=', 'success'],
    ['=?ISO-8859-1?Q?gr=FCn?=', 'success'],
    ['=?utf-8?B?0L7RiNC40LHQutCw?=', 'fail'],
    ['=?windows-1251?B?7vjo4ergIQ==?=', 'fail'],
    ['=?shift_jis?B?g0eDiYFb?=', 'fail'],
    ['=?utf-8?B?0L7RiNC4?=\r\n =?utf-8?B?0LHQutCw?=', 'fail'],
    ['a line that\r\n goes on: Job\r\n OK', 'success'],
    ['=?utf-8?q?broken', 'ign'],
    ['=?nonsense?q?Job_OK?=', 'success'],
  ])('%j is a %s', async (subject, type) => {
    expect(await raw(subjectOnly, `Subject: ${subject}\r\n\r\nERROR in the body\r\n`)).toBe(type);
  });

  test('in raw UTF-8 is read as such', async () => {
    expect(await raw(subjectOnly, Buffer.from('Subject: alles grün\r\n\r\n\r\n'))).toBe('success');
  });

  test('may be missing', async () => {
    expect(await raw(subjectOnly, 'To: x\r\n\r\nJob OK\r\n')).toBe('ign');
    expect(await raw({ ...subjectOnly, filter_default_fail: true }, 'To: x\r\n\r\nJob OK\r\n')).toBe('fail');
  });
});

const part = (type: string, encoding: string, body: string): string =>
  `Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}\r\n`;
const mixed = (...parts: string[]): string =>
  `Content-Type: multipart/mixed; boundary="x"\r\n\r\n${parts.map((each) => `--x\r\n${each}`).join('')}--x--\r\n`;

describe('the body', () => {
  test.each<[string, string | Buffer, string]>([
    ['plain', '\r\nJob OK\r\n', 'success'],
    ['with the keyword in the subject alone', 'Subject: Job OK\r\n\r\nnothing\r\n', 'ign'],
    ['quoted-printable', part('text/plain', 'quoted-printable', 'Job=\r\n =4FK'), 'success'],
    ['base64', part('text/plain', 'base64', Buffer.from('all right: Job OK').toString('base64')), 'success'],
    ['8bit UTF-8', Buffer.from(part('text/plain; charset=utf-8', '8bit', 'alles grün')), 'success'],
    ['8bit ISO-8859-1', part('text/plain; charset=ISO-8859-1', '8bit', 'alles gr\xfcn'), 'success'],
    ['windows-1251', part('text/plain; charset=windows-1251', '8bit', '\xee\xf8\xe8\xe1\xea\xe0'), 'fail'],
    ['Shift_JIS', part('text/plain; charset=Shift_JIS', 'base64', 'g0eDiYFb'), 'fail'],
    ['of a charset nobody knows', part('text/plain; charset=x-nonsense', '8bit', 'Job OK \xff'), 'success'],
    ['HTML', part('text/html', '7bit', '<p>Job <b>O</b>K</p>'), 'success'],
    ['HTML broken over lines', part('text/html', '7bit', '<p>Job\r\nOK</p>'), 'success'],
    [
      'HTML with entities',
      part('text/html; charset=us-ascii', '7bit', '<h1>alles gr&uuml;n</h1>'),
      'success',
    ],
    [
      'HTML that only styles',
      part('text/html', '7bit', '<style>.ERROR{}</style><p class="ERROR">x</p>'),
      'ign',
    ],
    [
      'an attachment',
      mixed(part('application/pdf', 'base64', Buffer.from('ERROR').toString('base64'))),
      'ign',
    ],
    [
      'text after an attachment',
      mixed(part('image/png', 'base64', 'AAAA'), part('text/plain', '7bit', 'Started')),
      'start',
    ],
    [
      'of two texts',
      mixed(part('text/plain', '7bit', 'Job OK'), part('text/html', '7bit', '<i>ERROR</i>')),
      'fail',
    ],
  ])('%s', async (_, message, type) => {
    expect(await raw(bodyOnly, message)).toBe(type);
  });

  test('is searched in the plain and in the HTML alternative', async () => {
    expect(await composed(bodyOnly, { text: 'Job OK', html: '<p>nothing</p>' })).toBe('success');
    expect(await composed(bodyOnly, { text: 'nothing', html: '<p>Job OK</p>' })).toBe('success');
    expect(await composed(bodyOnly, { text: 'Job OK', html: '<p>ERROR</p>' })).toBe('fail');
  });

  test('is searched however deep its parts are nested', async () => {
    let nested = part('text/plain', '7bit', 'Job OK');
    for (let depth = 0; depth < 12; depth++) {
      nested = `Content-Type: multipart/mixed; boundary="b${depth}"\r\n\r\n--b${depth}\r\n${nested}--b${depth}--\r\n`;
    }
    expect(await raw(bodyOnly, nested)).toBe('success');
  });

  test('is searched beyond what is kept of it', async () => {
    const long = `Subject: x\r\n\r\n${'nothing here\r\n'.repeat(50_000)}Job OK\r\n`;
    expect(await raw(bodyOnly, long)).toBe('success');
  });
});

describe('both', () => {
  test.each([
    ['Job OK', 'nothing', 'success'],
    ['nothing', 'Job OK', 'success'],
    ['Job OK', 'ERROR', 'fail'],
    ['ERROR', 'Job OK', 'fail'],
    ['Started', 'Job OK', 'success'],
    ['nothing', 'nothing', 'ign'],
  ])('subject %j and body %j make a %s', async (subject, body, type) => {
    expect(await raw(both, `Subject: ${subject}\r\n\r\n${body}\r\n`)).toBe(type);
  });
});

test('a check that does not filter mail does not look at it', async () => {
  expect(await raw({ ...words, filter_http_body: true }, 'Subject: ERROR\r\n\r\nERROR\r\n')).toBe('success');
});

test('what is no message at all has no keywords, and is no error', async () => {
  for (const message of [
    '',
    'ERROR',
    Buffer.from([0, 255, 10, 13, 0, 200]),
    'Content-Type: multipart/mixed; boundary=\r\n\r\n--',
  ]) {
    expect(await raw(both, message)).toBe('ign');
    expect(await raw({ ...both, filter_default_fail: true }, message)).toBe('fail');
  }
});

test('one mail to several checks means to each what its own rules say', async () => {
  const filters = await knell.create(subjectOnly);
  const other = await knell.create({ ...subjectOnly, failure_kw: 'Job' });
  const plain = await knell.create();
  const client = await MailClient.greeted(knell.app.smtp);
  const to = [filters, other, plain].map(({ uuid }) => `${uuid}@${domain}`);
  expect(await client.send(to, 'Subject: Job OK\r\n\r\n')).toMatch(/^250/);
  client.vanish();
  expect([await meant(filters.uuid), await meant(other.uuid), await meant(plain.uuid)]).toEqual([
    'success',
    'fail',
    'success',
  ]);
});

test('a check that begins to filter while its mail comes in decides by the new rules, or has it sent again', async () => {
  for (const [padding, reply, type] of [
    [10, /^250/, 'fail'],
    [20_000, /^451/, undefined],
  ] as const) {
    const { uuid } = await knell.create();
    const client = await MailClient.greeted(knell.app.smtp);
    for (const command of ['MAIL FROM:<>', `RCPT TO:<${uuid}@${domain}>`, 'DATA']) await client.ask(command);
    client.write(`Subject: x\r\n\r\n${'nothing\r\n'.repeat(padding)}`);
    await knell.api('POST', `/api/v3/checks/${uuid}`, bodyOnly);
    expect(await client.ask('ERROR\r\n.')).toMatch(reply);
    client.vanish();
    expect((await knell.pings(uuid))[0]?.type).toBe(type);
  }
});
