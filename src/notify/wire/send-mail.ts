/**
 * The one mail client: the only file that touches nodemailer. Plain values in, an outcome out.
 * Invariant: a value of a message can become a header or another message by no means: line breaks are taken out here, and
 * addresses are handed over as such, not parsed out of text.
 */

import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { messageOf } from '../../lib/errors.ts';
import { delivered, type Outcome } from '../contract/channel.ts';
import type { MailLimits } from '../contract/limits.ts';
import { oneLine } from '../words/render.ts';
import { networkErrorText } from './network-error.ts';

export interface OutgoingMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The left part of the Message-ID. */
  readonly id: string;
  /** Likewise of the one that all mails of a thread refer to; null for none. */
  readonly thread: string | null;
  /** Epoch milliseconds. */
  readonly dateMs: number;
  /** Header fields under which mail programs file the message; null for none. */
  readonly list: MailList | null;
  readonly attachment: { readonly name: string; readonly bytes: Uint8Array } | null;
}

interface MailList {
  /** The left part of the List-Id. */
  readonly id: string;
  readonly name: string;
  /** Ends the messages: by a page that asks, or at once by a POST (RFC 8058). */
  readonly unsubscribeUrl: string;
}

export interface MailClient {
  /** `withWords`: an error has the words of the server, too. */
  send(mail: OutgoingMail, withWords?: boolean): Promise<Outcome>;
  close(): void;
}

/** Null when no mail server is set. */
export function createMailClient(url: string, from: string, limits: MailLimits): MailClient | null {
  if (url === '') return null;
  const transport = openTransport(url, limits);
  const domain = /@([^\s@>]+)/.exec(from)?.[1] ?? 'localhost';
  const post = async ({ to, subject, text, html, id, thread, dateMs, list, attachment }: OutgoingMail) =>
    (await transport).sendMail({
      from,
      to: { name: '', address: oneLine(to) },
      subject: oneLine(subject),
      text,
      html,
      date: new Date(dateMs),
      messageId: `<${id}@${domain}>`,
      ...(thread === null ? {} : { references: `<${thread}@${domain}>`, inReplyTo: `<${thread}@${domain}>` }),
      ...(list === null ? {} : { list: listOf(list, domain) }),
      ...(attachment === null ? {} : { attachments: [attached(attachment)] }),
      headers: {
        'Auto-Submitted': 'auto-generated',
        'X-Auto-Response-Suppress': 'All',
        ...(list?.unsubscribeUrl.startsWith('https:') ? oneClick : {}),
      },
    });
  return {
    send: (mail, withWords = false) =>
      within(limits.totalMs, post(mail)).then(
        () => delivered,
        (thrown: unknown) => {
          const outcome = outcomeOf(thrown);
          return withWords && 'error' in outcome
            ? { ...outcome, error: outcome.error + wordsOf(thrown, serverOf(url), limits.replyCharsMax) }
            : outcome;
        },
      ),
    close: () => void transport.then((opened) => opened.close()),
  };
}

/** Loaded only by a Knell that sends mail, and at its start: loading holds the event loop for longer than an alert may. */
async function openTransport(url: string, limits: MailLimits) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    ...serverOf(url),
    pool: true,
    maxConnections: limits.connectionsMax,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    dnsTimeout: limits.connectMs,
    socketTimeout: limits.totalMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/**
 * Not as message/rfc822, which may not be encoded (RFC 2046, 5.2.1): what others send holds lines and bytes that SMTP does
 * not carry as they are.
 */
function attached({ name, bytes }: NonNullable<OutgoingMail['attachment']>) {
  return { filename: name, content: Buffer.from(bytes), contentType: 'application/octet-stream' };
}

function listOf({ id, name, unsubscribeUrl }: MailList, domain: string) {
  return {
    id: { url: `${id}.${domain}`, comment: oneLine(name) },
    unsubscribe: { url: unsubscribeUrl },
  };
}

/** Header for HTTPS only: RFC 8058, section 3.1. */
const oneClick = { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

interface MailServer {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
}

function serverOf(url: string): MailServer {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    ...(username === '' ? {} : { auth }),
  };
}

/** Answers of a mail server, step by step, without a message. */
export interface MailProbe {
  /** `clear`: the server does not offer STARTTLS. */
  readonly encryption: 'from-the-start' | 'starttls' | 'clear' | { readonly error: string };
  /** Null: there is no user name, or it did not come so far. */
  readonly signIn: 'accepted' | 'not-offered' | { readonly error: string } | null;
}

/** Connects in the way in which messages are sent. Rejects if the server cannot be reached at all. */
export async function probeMailServer(url: string, timeoutMs: number): Promise<MailProbe> {
  const { auth, ...server } = serverOf(url);
  const times = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const connection = new Connection({ ...server, ...times, dnsTimeout: timeoutMs });
  try {
    const tlsError = await step(connection, (done) => connection.connect(done)).then(
      () => null,
      (thrown: unknown) => tlsErrorIn(thrown),
    );
    if (tlsError !== null) return { encryption: { error: tlsError }, signIn: null };
    const encryption = server.secure ? 'from-the-start' : connection.secure ? 'starttls' : 'clear';
    if (!auth) return { encryption, signIn: null };
    if (!connection.allowsAuth) return { encryption, signIn: 'not-offered' };
    const signIn = await step(connection, (done) => connection.login(auth, done)).then(
      () => 'accepted' as const,
      (thrown: unknown) => ({ error: replyOrError(thrown) }),
    );
    return { encryption, signIn };
  } finally {
    connection.close();
  }
}

/** Rejects with the error of the step, or of the connection. */
function step(connection: SMTPConnection, start: (done: (error?: unknown) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.once('error', reject);
    start((error) => (error ? reject(error) : resolve()));
  });
}

/** Error text for a certificate or STARTTLS; other errors are thrown on. */
function tlsErrorIn(thrown: unknown): string {
  const { code, command } = Object(thrown) as { readonly code?: unknown; readonly command?: unknown };
  const isTls = code === 'ETLS' || command === 'STARTTLS' || /certificate|SSL|TLS/.test(messageOf(thrown));
  if (!isTls) throw thrown;
  return replyOrError(thrown);
}

function replyOrError(thrown: unknown): string {
  return (outcomeOf(thrown) as Extract<Outcome, { error: string }>).error;
}

/** The transport's own timeouts are for silence between two bytes: a server that drips is ended here. */
function within(totalMs: number, work: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no response within ${totalMs / 1000} s`)), totalMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Errors about the sender, the recipient or the message: a reply that begins with 5 is final. For an error about us it is not.
 */
const aboutTheMail: readonly unknown[] = ['EENVELOPE', 'EMESSAGE'];

function outcomeOf(thrown: unknown): Outcome {
  const { code, responseCode } = Object(thrown) as {
    readonly code?: unknown;
    readonly responseCode?: unknown;
  };
  if (typeof responseCode !== 'number')
    return { kind: 'failed', error: networkErrorText(thrown) ?? oneLine(messageOf(thrown)).slice(0, 200) };
  const error = `the mail server replied ${responseText(thrown, responseCode)}`;
  if (responseCode < 500 || !aboutTheMail.includes(code)) return { kind: 'failed', error };
  return { kind: 'refused', error, gone: code === 'EENVELOPE' && noSuchAddress.test(error) };
}

/** No such mailbox, no such domain, mailbox disabled (RFC 3463, 3.2 and 3.3), a domain without mail (RFC 7505, 4.2). */
const noSuchAddress = /\b5\.(?:1\.1|1\.2|1\.10|2\.1)\b/;

/** The first words of the server's reply; empty if it gave none, or repeats the secret that it was sent. */
function wordsOf(thrown: unknown, { auth }: MailServer, charsMax: number): string {
  const { response } = Object(thrown) as { readonly response?: unknown };
  if (typeof response !== 'string') return '';
  const words = oneLine(response.replace(/^\d{3}[ -]?/gm, ''))
    .replace(/\b[245]\.\d{1,3}\.\d{1,3} ?/g, '')
    .trim();
  const secrets =
    auth && auth.pass !== '' ? [auth.pass, base64(auth.pass), base64(`\0${auth.user}\0${auth.pass}`)] : [];
  if (words === '' || secrets.some((secret) => response.includes(secret))) return '';
  return `: ${[...words].slice(0, charsMax).join('')}`;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** The server's code and, if it gave one, its enhanced code; not its words, which may repeat what was sent. */
function responseText(thrown: unknown, responseCode: number): string {
  const { response } = Object(thrown) as { readonly response?: unknown };
  const enhanced =
    typeof response === 'string' ? /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(response)?.[0] : undefined;
  return enhanced === undefined ? String(responseCode) : `${responseCode} ${enhanced}`;
}
