/**
 * The findings of `knell doctor` about the mail server, step by step: its greeting, encryption, sign-in, and with `--send-test`
 * one message. The outbox is not involved (`notify/`).
 * Invariant: no mail is sent unless an address was given; no password is in a finding.
 */
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type Config, limits } from '../../config.ts';
import { systemClock } from '../../lib/clock.ts';
import { messageOf, systemCode } from '../../lib/errors.ts';
import { newUuid } from '../../lib/ids.ts';
import { createMailClient, type MailProbe, probeMailServer } from '../../notify/wire/send-mail.ts';
import { doctorLimits } from '../io/limits.ts';
import { type Finding, failed, ok, warning } from './doctor-finding.ts';

const urlAdvice = 'check KNELL_MAIL_URL and the firewall';
const serverAdvice = 'check the mail server in the settings of the server, and the firewall';

/** What the running server says of its mail server: no user, no password. */
export interface MailServerThere {
  readonly host: string;
  readonly port: string;
  readonly encryption: 'starttls' | 'tls';
}

/**
 * Resolves to a finding per step, up to the first that failed. `testAddress` is null for no message; `there`: the mail server of the
 * running server, which is greeted if this shell has none. Signing in to that one needs what only the server knows.
 */
export async function mailFindings(
  { mailUrl, mailFrom }: Pick<Config, 'mailUrl' | 'mailFrom'>,
  testAddress: string | null,
  there: MailServerThere | null,
): Promise<readonly Finding[]> {
  if (mailUrl === '' && there !== null) return [await greetingFinding(addressOf(there), serverAdvice)];
  if (mailUrl === '')
    return [warning('mail', 'KNELL_MAIL_URL is not set', 'set it to send email, or ignore this')];
  const greeted = await greetingFinding(mailUrl, urlAdvice);
  if (greeted.state === 'failed') return [greeted];
  const probed = await probeMailServer(mailUrl, doctorLimits.waitMs).then(
    (probe) => stepFindings(new URL(mailUrl), probe),
    (error: unknown) => [failed('mail encryption', messageOf(error), urlAdvice)],
  );
  const found = [greeted, ...probed];
  const isBroken = found.some(({ state }) => state === 'failed');
  if (testAddress === null || isBroken) return found;
  return [...found, await testFinding({ mailUrl, mailFrom }, testAddress)];
}

function stepFindings({ hostname, username }: URL, { encryption, signIn }: MailProbe): readonly Finding[] {
  return [
    encryptionFinding(hostname, encryption),
    ...(signIn === null ? [] : [signInFinding(username, signIn)]),
  ];
}

function encryptionFinding(host: string, encryption: MailProbe['encryption']): Finding {
  const what = 'mail encryption';
  if (typeof encryption === 'object')
    return failed(what, encryption.error, 'give the mail server a valid certificate');
  if (encryption === 'from-the-start') return ok(what, 'TLS from the start');
  if (encryption === 'starttls') return ok(what, 'STARTTLS');
  if (['127.0.0.1', 'localhost', '[::1]'].includes(host)) return ok(what, 'none, on this machine');
  return warning(
    what,
    'none: STARTTLS is not offered',
    'messages, and the password, go in clear: use another port',
  );
}

function signInFinding(username: string, signIn: NonNullable<MailProbe['signIn']>): Finding {
  const what = 'mail sign-in';
  const user = decodeURIComponent(username);
  if (signIn === 'accepted') return ok(what, `accepted as ${user}`);
  if (signIn === 'not-offered')
    return warning(
      what,
      `not offered, so ${user} is not used`,
      'take the user out of KNELL_MAIL_URL, or use another port',
    );
  return failed(
    what,
    `refused for ${user}: ${signIn.error}`,
    'check the user and the password in KNELL_MAIL_URL',
  );
}

async function testFinding(
  { mailUrl, mailFrom }: Pick<Config, 'mailUrl' | 'mailFrom'>,
  to: string,
): Promise<Finding> {
  const what = 'mail test';
  const client = createMailClient(mailUrl, mailFrom, limits.notify.mail);
  if (client === null) return failed(what, 'no mail server is set', urlAdvice);
  try {
    const text = 'This is a test message of "knell doctor": Knell can send email to this address.';
    const outcome = await client.send({
      to,
      subject: 'Test message of Knell',
      text: `${text}\n`,
      html: `<p>${text}</p>`,
      id: newUuid(),
      thread: null,
      dateMs: systemClock.nowMs(),
      list: null,
      attachment: null,
    });
    if (outcome.kind === 'delivered') return ok(what, `the mail server has taken a message to ${to}`);
    return failed(what, `${to}: ${outcome.error}`, 'check KNELL_MAIL_FROM and the address');
  } finally {
    client.close();
  }
}

function addressOf({ host, port, encryption }: MailServerThere): string {
  return `${encryption === 'tls' ? 'smtps' : 'smtp'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function greetingFinding(mailUrl: string, advice: string): Promise<Finding> {
  const { hostname, port, protocol } = new URL(mailUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isTls = protocol === 'smtps:';
  const target = { host, port: Number(port) || (isTls ? 465 : 587) };
  try {
    const socket = isTls ? connectTls({ ...target, servername: host }) : connect(target);
    const banner = await greeting(socket);
    return ok('mail', `${target.host}:${target.port} greets: ${banner.slice(4, 64)}`);
  } catch (error) {
    const code = systemCode(error);
    const why = code === 'ECONNREFUSED' ? ' refused the connection' : `: ${code || messageOf(error)}`;
    return failed('mail', `${target.host}:${target.port}${why}`, advice);
  }
}

/** Resolves to the first line of the server, once the server has answered an EHLO too. */
function greeting(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    let banner: string | null = null;
    const end = (settle: () => void): void => {
      socket.destroy();
      settle();
    };
    socket.setTimeout(doctorLimits.waitMs, () => end(() => reject(new Error('no answer'))));
    socket.once('error', (error) => end(() => reject(error)));
    socket.once('close', () => reject(new Error('closed the connection')));
    socket.on('data', (part) => {
      text += part.toString('latin1');
      if (!/^\d{3} [^\n]*\n$/m.test(text)) return;
      const [first = ''] = text.split('\r\n');
      if (!first.startsWith('2')) end(() => reject(new Error(first)));
      else if (banner !== null) end(() => resolve(banner ?? ''));
      else {
        banner = first;
        text = '';
        socket.write('EHLO knell-doctor.invalid\r\n');
      }
    });
  });
}
