/** What a refused owner's command is answered with over HTTP, on the page and by the admin API alike. */

import { InvalidField } from '../../commands/contract/command.ts';
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

/** What the engine refuses says by itself what to do. Throws what is no refusal. */
export function refusal(error: unknown): HttpReply {
  const status = error instanceof KnellError ? statusOf[error.code] : undefined;
  if (status === undefined || !(error instanceof KnellError)) throw error;
  if (error instanceof InvalidField) return jsonReply({ field: error.field, error: error.message }, status);
  return errorReply(status, error.message);
}
