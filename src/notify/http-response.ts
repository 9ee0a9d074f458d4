/**
 * What an HTTP response means for a delivery. The same for every kind that does not say otherwise.
 * Invariant: what is not understood is tried again; only what will never change is given up.
 */

import { messageOf } from '../lib/errors.ts';
import type { Outcome } from './channel.ts';
import { delivered } from './channel.ts';
import { parseRetryAfter } from './retry.ts';
import { BlockedAddress, type HttpResponse, type OutgoingRequest, type SendHttp } from './send-http.ts';

/** How a kind's responses differ from the usual. */
export interface ResponseRules {
  /** These too will never work: the vendor says so in its documentation. */
  readonly refused?: readonly number[];
  /** A response with this status whose body contains this text. */
  readonly refusedText?: { readonly status: number; readonly text: string };
  /** Where a JSON response names the pause, in seconds: `parameters.retry_after`. */
  readonly retryAfter?: string;
  /** A success only when the JSON response has this value there. */
  readonly successField?: { readonly path: string; readonly value: unknown };
}

/** Gone for good, for every vendor. */
const goneForGood: readonly number[] = [404, 410];

export function readResponse(response: HttpResponse, rules: ResponseRules, nowMs: number): Outcome {
  const { status, body } = response;
  const error = `status ${status}`;
  if (status >= 200 && status < 300) return readSuccess(response, rules);
  const { refusedText } = rules;
  const says = refusedText?.status === status && body.includes(refusedText.text);
  if (goneForGood.includes(status) || rules.refused?.includes(status) || says)
    return { kind: 'refused', error };
  const asked = rules.retryAfter === undefined ? undefined : fieldOf(body, rules.retryAfter);
  const retryAfterMs =
    typeof asked === 'number' ? asked * 1000 : parseRetryAfter(response.headers['retry-after'], nowMs);
  return { kind: 'failed', error, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

function readSuccess({ body }: HttpResponse, { successField }: ResponseRules): Outcome {
  if (!successField || fieldOf(body, successField.path) === successField.value) return delivered;
  return { kind: 'failed', error: 'the response does not report success' };
}

/** The value at a dotted path of a JSON text; undefined when there is none. */
function fieldOf(text: string, path: string): unknown {
  let at: unknown;
  try {
    at = JSON.parse(text);
  } catch {
    return undefined;
  }
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Object.entries(at).find(([key]) => key === name)?.[1];
  }
  return at;
}

export interface Attempt {
  readonly request: OutgoingRequest;
  readonly rules: ResponseRules;
  readonly signal: AbortSignal;
}

export interface RequestOptions {
  readonly send: SendHttp;
  /** Wall time, epoch milliseconds. */
  readonly nowMs: () => number;
}

/** Sends one request and says what became of it. */
export async function tryRequest(
  { send, nowMs }: RequestOptions,
  { request, rules, signal }: Attempt,
): Promise<Outcome> {
  try {
    return readResponse(await send(request, signal), rules, nowMs());
  } catch (error) {
    return { kind: error instanceof BlockedAddress ? 'refused' : 'failed', error: messageOf(error) };
  }
}
