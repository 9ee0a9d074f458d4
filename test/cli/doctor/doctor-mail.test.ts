/** What `knell doctor` finds out about mail servers: real ones, and some that break off. */
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { mailFindings } from '../../../src/cli/doctor/doctor-mail.ts';
import { CommandRunner } from '../../support/process/commands.ts';
import { tempDir } from '../../support/temp-dirs.ts';
import { selfSigned } from '../../support/wire/certificate.ts';
import { MailReceiver } from '../../support/wire/receivers.ts';

const servers: (Server | SMTPServer)[] = [];
let certFile = '';
let keyFile = '';
/** Trusts the certificate. */
let runner: CommandRunner;

beforeAll(() => {
  ({ certFile, keyFile } = selfSigned(tempDir(), 1, 'localhost'));
  runner = CommandRunner.start({ NODE_EXTRA_CA_CERTS: certFile });
});

afterAll(() => runner.stop());

afterEach(() => {
  for (const server of servers.splice(0)) server.close(() => {});
});

/** A port of a server that answers a connection with `lines`, one per line that it gets. */
async function smtpServer(...lines: readonly string[]): Promise<number> {
  const server = createServer((socket) => {
    let at = 0;
    const say = (): void => {
      const line = lines[at++];
      if (line === undefined) socket.destroy();
      else socket.write(`${line}\r\n`);
    };
    socket.on('error', () => {}).on('data', say);
    say();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The port of a server on which `ann` can sign in with `right`, and which takes no message. */
async function realServer(options: ConstructorParameters<typeof SMTPServer>[0] = {}): Promise<number> {
  const server = new SMTPServer({
    key: readFileSync(keyFile),
    cert: readFileSync(certFile),
    logger: false,
    onAuth({ username, password }, _session, done) {
      if (username === 'ann' && password === 'right') done(null, { user: username });
      else done(Object.assign(new Error('who are you, s3cret?'), { responseCode: 535 }));
    },
    onMailFrom(_address, _session, done) {
      done(new Error('no message should come'));
    },
    ...options,
  });
  server.on('error', () => {});
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return (server.server.address() as AddressInfo).port;
}

/** The lines about mail of the command, run by a process that trusts the certificate if no other is given. */
async function doctor(mailUrl: string, args: readonly string[] = [], by = runner) {
  const { stdout, stderr } = await by.run(['doctor', '--json', ...args], {
    KNELL_DATA_DIR: tempDir(),
    KNELL_HTTP: '127.0.0.1:0',
    KNELL_SMTP: 'off',
    KNELL_MAIL_URL: mailUrl,
    KNELL_MAIL_FROM: 'knell@example.org',
  });
  expect(stdout + stderr).not.toMatch(/s3cret|right/);
  const lines: readonly Line[] = JSON.parse(stdout);
  return lines
    .filter(({ what }) => what.startsWith('mail'))
    .map(({ what, state, text }) => [what, state, text]);
}

interface Line {
  readonly what: string;
  readonly state: string;
  readonly text: string;
}

const find = async (url: string) => (await mailFindings({ mailUrl: url, mailFrom: '' }, null, null))[0];

test('a mail server that only the running server has is greeted, without signing in', async () => {
  const at = async (port: number) =>
    await mailFindings({ mailUrl: '', mailFrom: '' }, null, {
      ...{ host: '127.0.0.1', port: String(port), encryption: 'starttls' },
    });
  const port = await smtpServer('220 mail.example ESMTP', '250 hello');
  expect(await at(port)).toMatchObject([
    { what: 'mail', state: 'ok', text: `127.0.0.1:${port} greets: mail.example ESMTP` },
  ]);
  expect(await at(9)).toMatchObject([
    { what: 'mail', state: 'failed', text: '127.0.0.1:9 refused the connection' },
  ]);
  expect(await find('')).toMatchObject({ state: 'warning', text: 'KNELL_MAIL_URL is not set' });
});

test('mail is greeted, refused, or not there', async () => {
  const mail = (port: number) => find(`smtp://user:secret@127.0.0.1:${port}`);
  const greets = await mail(await smtpServer('220 mail.example ESMTP', '250 hello'));
  expect(greets).toMatchObject({ state: 'ok', text: expect.stringContaining('mail.example ESMTP') });
  expect(await mail(await smtpServer('554 go away'))).toMatchObject({
    state: 'failed',
    text: expect.stringContaining('554'),
  });
  expect(await mail(await smtpServer())).toMatchObject({ state: 'failed' });
  const gone = await mail(1);
  expect(gone).toMatchObject({ state: 'failed', text: expect.stringContaining('refused the connection') });
  expect(JSON.stringify([greets, gone])).not.toContain('secret');
  expect(await find('')).toMatchObject({ state: 'warning' });
});

test('STARTTLS and sign-in are tried, and no message is sent', async () => {
  const port = await realServer();
  expect(await doctor(`smtp://ann:right@localhost:${port}`)).toEqual([
    ['mail', 'ok', expect.stringMatching(/ greets: /)],
    ['mail encryption', 'ok', 'STARTTLS'],
    ['mail sign-in', 'ok', 'accepted as ann'],
  ]);
  expect((await doctor(`smtp://ann:s3cret@localhost:${port}`)).slice(1)).toEqual([
    ['mail encryption', 'ok', 'STARTTLS'],
    ['mail sign-in', 'failed', 'refused for ann: the mail server replied 535'],
  ]);
});

test('TLS from the start, and none', async () => {
  const secure = await realServer({ secure: true, authOptional: true });
  expect((await doctor(`smtps://localhost:${secure}`)).slice(1)).toEqual([
    ['mail encryption', 'ok', 'TLS from the start'],
  ]);
  const plain = await realServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
  expect((await doctor(`smtp://ann:right@localhost:${plain}`)).slice(1)).toEqual([
    ['mail encryption', 'ok', 'none, on this machine'],
    ['mail sign-in', 'ok', 'accepted as ann'],
  ]);
  const open = await realServer({ disabledCommands: ['STARTTLS', 'AUTH'], authOptional: true });
  expect((await doctor(`smtp://ann:right@localhost:${open}`)).at(-1)).toEqual([
    'mail sign-in',
    'warning',
    'not offered, so ann is not used',
  ]);
});

test('a certificate that is not trusted ends it there', async () => {
  const port = await realServer();
  const stranger = CommandRunner.start();
  const found = await doctor(`smtp://ann:right@localhost:${port}`, [], stranger);
  await stranger.stop();
  expect(found.slice(1)).toEqual([
    ['mail encryption', 'failed', expect.stringMatching(/self-signed certificate|is self-signed/)],
  ]);
});

test('with --send-test one message is sent, and what the server says of it is shown', async () => {
  const receiver = await MailReceiver.start();
  try {
    const found = await doctor(receiver.url, ['--send-test', 'ops@example.org']);
    expect(found.at(-1)).toEqual([
      'mail test',
      'ok',
      'the mail server has taken a message to ops@example.org',
    ]);
    expect(receiver.all).toMatchObject([
      {
        from: 'knell@example.org',
        to: ['ops@example.org'],
        text: expect.stringContaining('Test message of Knell'),
      },
    ]);
    receiver.refuse = () => ({ code: 550, message: 'no such user' });
    const refused = await doctor(receiver.url, ['--send-test', 'ops@example.org']);
    expect(refused.at(-1)).toEqual(['mail test', 'failed', 'ops@example.org: the mail server replied 550']);
    expect(receiver.all).toHaveLength(1);
  } finally {
    await receiver.stop();
  }
});
