/** Replies to refused owner's commands over HTTP: the same on the page and in the admin API. */

import { type ErrorCode, KnellError } from '../../lib/errors.ts';
import { errorReply, jsonReply } from './json-reply.ts';
import type { HttpReply } from './message.ts';

const statusOf: Partial<Readonly<Record<ErrorCode, number>>> = {
  usage: 400,
  'not-found': 404,
  conflict: 409,
  'snapshot-unwritable': 409,
  'store-full': 503,
};

/** A refusal of the engine already says what to do. Any other error is thrown. */
export function refusal(error: unknown): HttpReply {
  const status = error instanceof KnellError ? statusOf[error.code] : undefined;
  if (status === undefined || !(error instanceof KnellError)) throw error;
  if (error.field !== '') return jsonReply({ field: error.field, error: error.message }, status);
  return errorReply(status, error.message);
}
