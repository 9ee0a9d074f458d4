/**
 * Replies that carry JSON, and the one shape of an error: `{"error": "…"}`.
 * Not here: who may read them from another origin (`cors`).
 * Invariant: whatever is refused says why, in one line fit for a terminal.
 */
import type { ErrorAnswer } from '../../domain/views/api-answers.ts';
import type { HttpReply } from './message.ts';
import { overBudgetWords } from './replies.ts';

export type Headers = HttpReply['headers'];

const jsonType = ['Content-Type', 'application/json'] as const;

export function jsonReply(value: unknown, status = 200, headers: Headers = []): HttpReply {
  return { status, headers: [jsonType, ...headers], body: JSON.stringify(value) };
}

/** Of JSON that is text, or even bytes, already. */
export function renderedReply(json: HttpReply['body'], status = 200): HttpReply {
  return { status, headers: [jsonType], body: json };
}

export function errorReply(status: number, error: string, headers: Headers = []): HttpReply {
  return { status, headers: [jsonType, ...headers], body: JSON.stringify({ error } satisfies ErrorAnswer) };
}

export const notFound = errorReply(404, 'not found');

/** When the bodies that others are sending leave no memory. Any page may read it, as all errors of the API. */
export const overBudget = errorReply(503, overBudgetWords, [
  ['Retry-After', '2'],
  ['Access-Control-Allow-Origin', '*'],
]);
