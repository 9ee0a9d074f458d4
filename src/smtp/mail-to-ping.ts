/**
 * The rules of the mail endpoint: they turn recipients into pings and outcomes into one reply. The endpoint takes plain values
 * from the listener and hands them to the engine, which decides what a ping means.
 * Invariant: a mail is read for keywords only where a check asks for it, and between that question and the ping there
 * is no await, so that a check which begins to filter meanwhile is never answered by a mail that was not read.
 */
import type { Searchable } from '../domain/check/classify.ts';
import { noResults } from '../domain/results/result.ts';
import type {
  Mailbox,
  PingAcceptor,
  PingOutcome,
  PingRequest,
  PingTarget,
} from '../engine/contract/engine.ts';
import { bothEnds } from '../lib/both-ends.ts';
import { messageOf } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import type { MailText } from './mail-text.ts';
import { parseMailbox } from './mailbox.ts';
import type { MailEndpoint, ReceivedMail, SmtpReply } from './message.ts';
import { mailReplies, replyTo } from './replies.ts';

interface MailEndpointOptions {
  readonly engine: PingAcceptor;
  /** The domain in lower case. */
  readonly domain: string;
  readonly readMail: (message: Uint8Array) => Promise<MailText>;
  /** Bytes that are kept of a mail as its ping's body. */
  readonly pingBodyBytesMax: number;
  /** Bytes that are kept of a mail that has to be read. */
  readonly mailBytesMax: number;
  readonly userAgentCharsMax: number;
  readonly logger: Logger;
}

type SendReply = (reply: SmtpReply) => void;

export function createMailEndpoint(options: MailEndpointOptions): MailEndpoint {
  const { engine, domain, pingBodyBytesMax, mailBytesMax } = options;
  const targetsOf = (recipients: readonly string[]): PingTarget[] =>
    recipients.map((recipient) => parseMailbox(recipient, domain)).filter((target) => target !== null);
  const filters = (targets: readonly PingTarget[]): boolean =>
    targets.some((target) => engine.read.mailbox(target) === 'filters');
  return {
    refusal(recipient) {
      const target = parseMailbox(recipient, domain);
      if (target === null) return mailReplies['not-found'];
      const refusal = refusalOf(engine.read.mailbox(target));
      if (refusal === null || !engine.certainMailbox) return refusal;
      return engine.certainMailbox(target).then(refusalOf);
    },
    bytesWanted: (recipients) => (filters(targetsOf(recipients)) ? mailBytesMax : pingBodyBytesMax),
    deliver(mail, answer) {
      const targets = targetsOf(mail.recipients);
      if (!filters(targets)) ping(options, mail, targets, { searchable: { via: 'mail-unread' }, answer });
      else if (mail.cut) answer(mailReplies['half-read']);
      else readThenPing(options, mail, targets, answer);
    },
  };
}

function refusalOf(mailbox: Mailbox | 'unavailable'): SmtpReply | null {
  if (mailbox === 'unavailable') return mailReplies.unknown;
  return mailbox === 'open' || mailbox === 'filters' ? null : mailReplies[mailbox];
}

function readThenPing(
  options: MailEndpointOptions,
  mail: ReceivedMail,
  targets: readonly PingTarget[],
  answer: SendReply,
): void {
  options
    .readMail(mail.bytes)
    .then((text) => ping(options, mail, targets, { searchable: { via: 'mail', ...text }, answer }))
    .catch((error: unknown) => {
      options.logger.error({ error: messageOf(error) }, 'a mail failed');
      answer(mailReplies.failed);
    });
}

interface PingOptions {
  readonly searchable: Searchable;
  readonly answer: SendReply;
}

/** Pings each recipient; the reply waits for the last of them. */
function ping(
  options: MailEndpointOptions,
  mail: ReceivedMail,
  targets: readonly PingTarget[],
  { searchable, answer }: PingOptions,
): void {
  const outcomes: PingOutcome[] = [];
  if (targets.length === 0) answer(replyTo(outcomes));
  const toEach = pingRequestOf(options, mail, searchable);
  for (const target of targets) {
    const answered = (outcome: PingOutcome): void => {
      outcomes.push(outcome);
      if (outcomes.length === targets.length) answer(replyTo(outcomes));
    };
    options.engine.acceptPing({ ...toEach, target }, answered, null);
  }
}

function pingRequestOf(
  options: MailEndpointOptions,
  mail: ReceivedMail,
  searchable: Searchable,
): Omit<PingRequest, 'target'> {
  return {
    error: null,
    action: 'success',
    exitStatus: null,
    rid: null,
    host: '',
    results: noResults,
    scheme: 'email',
    method: '',
    remoteAddr: mail.remoteAddr,
    ua: `Email from ${mail.sender || '<>'}`.slice(0, options.userAgentCharsMax),
    body: bothEnds(mail.bytes, options.pingBodyBytesMax),
    searchable,
    receivedAtMs: mail.receivedAtMs,
  };
}
