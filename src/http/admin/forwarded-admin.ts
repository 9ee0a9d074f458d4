/**
 * The admin socket of a node that does not lead: it sends a command to the leader as a request, and passes the result back.
 * Invariant: the path does not begin with a slash, so no request of a listener can be taken for a command.
 */
import type { ForwardedReply, ForwardedRequest } from '../../cluster/requests/forwarded-request.ts';
import type { HttpRefusal } from '../../cluster/requests/in-flight.ts';
import { onlyReads } from '../../commands/table.ts';
import { type ErrorCode, errorCodes, KnellError, messageOf } from '../../lib/errors.ts';
import { jsonReply } from '../wire/json-reply.ts';
import type { HttpReply } from '../wire/message.ts';
import type { AdminCommands, AdminRequest } from './admin-routes.ts';

export const adminCommandPath = 'admin-command';

/** `idempotencyKey` belongs to a command that changes something. */
export function forwardedCommand(
  { idempotencyKey, ...request }: AdminRequest,
  nowMs: number,
): ForwardedRequest {
  return {
    method: onlyReads(request.command) ? 'GET' : 'POST',
    path: adminCommandPath,
    query: '',
    apiKey: null,
    headers: {},
    trusted: false,
    userAgent: '',
    scheme: 'http',
    remoteAddr: '',
    clientAddr: '',
    body: Buffer.from(JSON.stringify(request)),
    bodyCut: false,
    receivedAtMs: nowMs,
    idempotencyKey,
  };
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Runs a command on the leader. */
export async function answerAdminCommand(run: AdminCommands, request: ForwardedRequest): Promise<HttpReply> {
  try {
    const { idempotencyKey } = request;
    return jsonReply({ result: (await run({ ...requestIn(request), idempotencyKey }, () => {})) ?? null });
  } catch (error) {
    const code = error instanceof KnellError ? error.code : 'internal';
    return jsonReply({ error: { code, message: messageOf(error) } });
  }
}

/** Returns the name of the command in a request to `adminCommandPath`. */
export function commandIn(request: ForwardedRequest): string {
  return requestIn(request).command;
}

function requestIn({ body }: ForwardedRequest): AdminRequest {
  return JSON.parse(Buffer.from(body).toString()) as AdminRequest;
}

const refusals: Readonly<Record<HttpRefusal, string>> = {
  unavailable: 'no node leads of the cluster: nothing was done; try again',
  'in-doubt':
    'the leader of the cluster changed meanwhile: this may have been done; look before you try again',
  'too-large':
    'the answer of the leader is too large for one message: ask for less at once, or run this on the leader',
};

/** Returns the result that the leader sent. Throws the KnellError that it sent, or one that says why there is none. */
export function adminReply(reply: ForwardedReply | HttpRefusal): unknown {
  if (typeof reply === 'string') throw new KnellError('cluster-no-leader', refusals[reply]);
  if (reply.status !== 200) throw new KnellError('cluster-no-leader', textOf(reply));
  const { result, error } = JSON.parse(textOf(reply)) as Answer;
  if (error) throw isCode(error.code) ? new KnellError(error.code, error.message) : new Error(error.message);
  return result;
}

function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code);
}

function textOf({ body }: ForwardedReply): string {
  if (typeof body === 'string') return body;
  return Buffer.concat('parts' in body ? body.parts : [body]).toString();
}
