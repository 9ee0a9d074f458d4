/**
 * The one table that turns outcomes of the mail endpoint into replies. A code that begins with 4 makes the sender try again, one
 * with 5 makes it give up and inform its owner; the listener adds the enhanced codes (RFC 3463).
 */
import type { PingOutcome } from '../engine/contract/engine.ts';
import type { SmtpReply } from './message.ts';

const noMailbox: SmtpReply = { code: 550, text: 'no check has this address' };
const unreadable: SmtpReply = { code: 550, text: 'this address cannot be pinged by email' };

export const mailReplies: Readonly<Record<PingOutcome | 'unknown' | 'half-read' | 'failed', SmtpReply>> = {
  ok: { code: 250, text: 'OK: recorded' },
  created: { code: 250, text: 'OK: recorded' },
  'not-found': noMailbox,
  'unknown-key': noMailbox,
  'over-limit': noMailbox,
  'too-many-new': noMailbox,
  'slug-too-long': noMailbox,
  'bad-settings': noMailbox,
  ambiguous: { code: 550, text: 'several checks have this slug' },
  'bad-exit-status': unreadable,
  'bad-run-id': unreadable,
  'store-full': { code: 451, text: 'the disk is full, try again later' },
  'log-silent': { code: 451, text: 'the log of the cluster does not answer, try again in a moment' },
  unavailable: { code: 451, text: 'not recorded, try again in a moment' },
  /** Reply for a recipient that this node does not know, while no node can say whether there is such a check. */
  unknown: { code: 451, text: 'no node of the cluster can say now whether there is this address, try again' },
  /** Reply if the check began to filter while the mail came in, and the end of the mail was not kept. */
  'half-read': { code: 451, text: 'the filters of the check changed meanwhile, try again' },
  failed: { code: 451, text: 'internal error, try again later' },
};

/** Refusals by the listener itself; `code` 421 also closes the connection. */
export const listenerReplies = {
  busy: { code: 421, text: 'too many connections, try again in a moment' },
  ending: { code: 421, text: 'shutting down, try again in a moment' },
  endless: { code: 421, text: 'the message is too long' },
  overBudget: { code: 451, text: 'too much mail at once, try again in a moment' },
} as const satisfies Record<string, SmtpReply>;

/**
 * Returns the one reply for a mail to several checks. When some of its pings could not be recorded, the sender is asked to try
 * again, though that pings the others twice: a second ping a little later says the same thing again, whereas a lost one causes a
 * false alert. A check that was deleted meanwhile does not change the reply for the others.
 */
export function replyTo(outcomes: readonly PingOutcome[]): SmtpReply {
  if (outcomes.includes('store-full')) return mailReplies['store-full'];
  if (outcomes.includes('log-silent')) return mailReplies['log-silent'];
  if (outcomes.includes('unavailable')) return mailReplies.unavailable;
  return mailReplies[outcomes.includes('ok') ? 'ok' : (outcomes[0] ?? 'not-found')];
}
