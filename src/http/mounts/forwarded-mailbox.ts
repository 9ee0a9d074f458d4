/**
 * Asks the leader whether a mailbox exists, for a node that does not find it: the data of the node may be behind. The question
 * and its answer are a request that goes to the leader.
 * Invariant: the path does not begin with a slash, so no request of a listener can be taken for it.
 */
import type { ForwardedReply, ForwardedRequest } from '../../cluster/requests/forwarded-request.ts';
import type { HttpRefusal } from '../../cluster/requests/in-flight.ts';
import type { EngineRead, PingTarget } from '../../engine/contract/engine.ts';
import { UuidWords } from '../../lib/uuid-words.ts';
import { jsonReply } from '../wire/json-reply.ts';
import type { HttpReply } from '../wire/message.ts';

export const mailboxPath = 'mailbox';

type Mailbox = ReturnType<EngineRead['mailbox']>;

const mailboxes = ['open', 'filters', 'not-found', 'ambiguous'] as const satisfies readonly Mailbox[];

export function forwardedMailbox(target: PingTarget, nowMs: number): ForwardedRequest {
  return { ...ownRequest(mailboxPath, nowMs), body: Buffer.from(JSON.stringify(target)) };
}

/** Builds a request that the node itself sends to the leader, and may repeat. */
export function ownRequest(path: string, nowMs: number): ForwardedRequest {
  return {
    ...{ method: 'GET', path, query: '', apiKey: null, headers: {}, trusted: false },
    ...{ userAgent: '', scheme: 'http', remoteAddr: '', clientAddr: '', bodyCut: false },
    body: new Uint8Array(0),
    receivedAtMs: nowMs,
  };
}

/** Answers on the leader. */
export function answerMailbox(read: Pick<EngineRead, 'mailbox'>, { body }: ForwardedRequest): HttpReply {
  const target = JSON.parse(Buffer.from(body).toString()) as PingTarget;
  if (target.by !== 'uuid') return jsonReply({ mailbox: read.mailbox(target) });
  const uuid = Object.assign(new UuidWords(), target.uuid);
  return jsonReply({ mailbox: read.mailbox({ by: 'uuid', uuid }) });
}

/** Returns `unavailable` if no leader has answered. */
export function mailboxReply(reply: ForwardedReply | HttpRefusal): Mailbox | 'unavailable' {
  if (typeof reply === 'string' || reply.status !== 200) return 'unavailable';
  const { body } = reply;
  const text =
    typeof body === 'string' ? body : Buffer.concat('parts' in body ? body.parts : [body]).toString();
  const { mailbox } = JSON.parse(text) as { readonly mailbox?: unknown };
  return mailboxes.find((known) => known === mailbox) ?? 'unavailable';
}
