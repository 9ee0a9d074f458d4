/**
 * Builds replies with JSON, and the one shape of an error: `{"error": "…"}`. `cors` decides who may read them from another
 * origin.
 * Invariant: every refusal says why, in one line fit for a terminal.
 */
import type { ErrorAnswer } from '../../domain/views/api-answers.ts';
import type { HttpReply } from './message.ts';
import { overBudgetWords } from './replies.ts';

export type Headers = HttpReply['headers'];

const jsonType = ['Content-Type', 'application/json'] as const;

export function jsonReply(value: unknown, status = 200, headers: Headers = []): HttpReply {
  return { status, headers: [jsonType, ...headers], body: JSON.stringify(value) };
}

/** Builds a reply from JSON that is already text or bytes. */
export function renderedReply(json: HttpReply['body'], status = 200): HttpReply {
  return { status, headers: [jsonType], body: json };
}

export function errorReply(status: number, error: string, headers: Headers = []): HttpReply {
  return { status, headers: [jsonType, ...headers], body: JSON.stringify({ error } satisfies ErrorAnswer) };
}

export const notFound = errorReply(404, 'not found');

/** Reply for when the bodies of other requests leave no memory. Any page may read it, like all errors of the API. */
export const overBudget = errorReply(503, overBudgetWords, [
  ['Retry-After', '2'],
  ['Access-Control-Allow-Origin', '*'],
]);
