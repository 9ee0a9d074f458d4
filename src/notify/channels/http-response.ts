/**
 * Outcome of a delivery by its HTTP response. The same for every kind that does not say otherwise.
 * Invariant: a response that is not understood is tried again; a delivery is given up only for a reason that will never change.
 */

import type { Proof, ResponseRules } from '../../integrations/contract/request.ts';
import { messageOf } from '../../lib/errors.ts';
import type { Outcome } from '../contract/channel.ts';
import { delivered } from '../contract/channel.ts';
import { parseRetryAfter } from '../contract/retry.ts';
import { BlockedAddress, type HttpResponse, type OutgoingRequest, type SendHttp } from '../wire/send-http.ts';

const notFound = 404;
/** Says that it is permanent, from whatever server it comes. */
const goneForEver = 410;

interface Reading {
  readonly rules: ResponseRules;
  /** The address is the integration's, not that of a vendor's API or of a server that this Knell's settings name. */
  readonly ownAddress: boolean;
  readonly nowMs: number;
}

/** What is said of a response that is not a success. */
export function statusError(status: number): string {
  return `status ${status}`;
}

export function readResponse(response: HttpResponse, reading: Reading): Outcome {
  const { status, body, headers } = response;
  const { rules, ownAddress, nowMs } = reading;
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && isAccepted(body, rules)) return delivered;
  const error = errorIn(response, rules);
  const isGone = isProven(response, rules) || (ownAddress && status === goneForEver);
  if (isGone) return { kind: 'refused', error, status, gone: true };
  if (isFinal(response, rules)) return { kind: 'refused', error, status };
  const asked = rules.retryAfter && fieldOf(body, rules.retryAfter.path);
  const retryAfterMs =
    rules.retryAfter && typeof asked === 'number'
      ? asked * rules.retryAfter.unitMs
      : parseRetryAfter(headers['retry-after'], nowMs);
  return {
    kind: 'failed',
    error,
    ...(ownAddress && status === notFound ? { missing: true } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function isAccepted(body: string, { accepted }: ResponseRules): boolean {
  return accepted === undefined || fieldOf(body, accepted.path) === accepted.value;
}

function errorIn({ status, body }: HttpResponse, { error }: ResponseRules): string {
  const word = error === undefined ? null : errorWordIn(body, error);
  return word === null ? statusError(status) : `${statusError(status)}: ${word}`;
}

/** A word of a vendor's list of errors; null for anything else, which could repeat what was sent. */
export function errorWordIn(body: string, path: string): string | null {
  const word = fieldOf(body, path);
  return typeof word === 'string' && /^[a-z][a-z_]{1,60}$/.test(word) ? word : null;
}

function isFinal(response: HttpResponse, { refused = [] }: ResponseRules): boolean {
  return refused.some((one) => (typeof one === 'number' ? one === response.status : matches(response, one)));
}

function isProven(response: HttpResponse, { gone = [] }: ResponseRules): boolean {
  return gone.some((proof) => matches(response, proof));
}

/** Whether the response is the one that `proof` describes. */
export function matches({ status, body }: HttpResponse, proof: Proof): boolean {
  if (proof.status !== status || (proof.text && !proof.text.test(body))) return false;
  if (!proof.field) return true;
  const found = fieldOf(body, proof.field.path);
  if (typeof found !== 'string' && typeof found !== 'number') return false;
  return proof.field.text ? proof.field.text.test(String(found)) : !!proof.field.values?.includes(found);
}

/** The value at a dotted path of a JSON text; undefined when there is none. */
export function fieldOf(text: string, path: string): unknown {
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
  readonly ownAddress: boolean;
}

export interface RequestOptions {
  readonly send: SendHttp;
  /** Wall time, epoch milliseconds. */
  readonly nowMs: () => number;
}

/** Sends one request and says what became of it. */
export async function tryRequest(
  { send, nowMs }: RequestOptions,
  { request, rules, signal, ownAddress }: Attempt,
): Promise<Outcome> {
  try {
    return readResponse(await send(request, signal), { rules, ownAddress, nowMs: nowMs() });
  } catch (error) {
    return { kind: error instanceof BlockedAddress ? 'refused' : 'failed', error: messageOf(error) };
  }
}
