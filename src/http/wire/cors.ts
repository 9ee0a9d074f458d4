/**
 * Lets browsers of other origins read every answer, including errors, as Healthchecks does.
 * Invariant: an answer that went through `withCors` carries the four headers, whatever its status.
 */
import { errorReply, type Headers } from './json-reply.ts';
import type { HttpReply, HttpRequest } from './message.ts';

/** Seconds for which a browser may remember the answer to its preflight. */
const preflightSeconds = '600';

function corsHeaders(methods: readonly string[]): Headers {
  return [
    ['Access-Control-Allow-Origin', '*'],
    ['Access-Control-Allow-Headers', 'X-Api-Key'],
    ['Access-Control-Allow-Methods', [...methods, 'OPTIONS'].join(', ')],
    ['Access-Control-Max-Age', preflightSeconds],
  ];
}

export function withCors(methods: readonly string[], reply: HttpReply): HttpReply {
  return { ...reply, headers: [...reply.headers, ...corsHeaders(methods)] };
}

/** Answers OPTIONS, and methods that are not among `methods`; `answer` answers the rest. */
export async function answerAcrossOrigins(
  request: HttpRequest,
  methods: readonly string[],
  answer: () => HttpReply | Promise<HttpReply>,
): Promise<HttpReply> {
  const { method } = request;
  if (method === 'OPTIONS') return withCors(methods, { status: 204, headers: [], body: '' });
  if (methods.includes(method)) return withCors(methods, await answer());
  const allow = ['Allow', [...methods, 'OPTIONS'].join(', ')] as const;
  return withCors(methods, errorReply(405, 'method not allowed', [allow]));
}
