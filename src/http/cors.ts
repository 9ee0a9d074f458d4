/**
 * What browsers of other origins may do: read every answer, errors too, as Healthchecks lets them.
 * Invariant: an answer that went through `answerAcrossOrigins` carries the four headers, whatever its status.
 */
import { errorReply, type Headers } from './json-reply.ts';
import type { HttpReply, HttpRequest } from './message.ts';

/** For how long a browser may remember the answer to its preflight. */
const preflightSeconds = '600';

function corsHeaders(methods: readonly string[]): Headers {
  return [
    ['Access-Control-Allow-Origin', '*'],
    ['Access-Control-Allow-Headers', 'X-Api-Key'],
    ['Access-Control-Allow-Methods', [...methods, 'OPTIONS'].join(', ')],
    ['Access-Control-Max-Age', preflightSeconds],
  ];
}

/** The reply with the headers; without its body for HEAD, which must not have one. */
export function withCors(request: HttpRequest, methods: readonly string[], reply: HttpReply): HttpReply {
  const headers = [...reply.headers, ...corsHeaders(methods)];
  return { status: reply.status, headers, body: request.method === 'HEAD' ? '' : reply.body };
}

/** Answers OPTIONS and methods that are not among `methods`; the rest is `answer`'s. */
export async function answerAcrossOrigins(
  request: HttpRequest,
  methods: readonly string[],
  answer: () => HttpReply | Promise<HttpReply>,
): Promise<HttpReply> {
  const { method } = request;
  if (method === 'OPTIONS') return withCors(request, methods, { status: 204, headers: [], body: '' });
  if (methods.includes(method)) return withCors(request, methods, await answer());
  const allow = ['Allow', [...methods, 'OPTIONS'].join(', ')] as const;
  return withCors(request, methods, errorReply(405, 'method not allowed', [allow]));
}
