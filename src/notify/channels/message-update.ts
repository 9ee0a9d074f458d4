/**
 * Updates a message that a vendor has: what an incident comes to is read in one place, and an update makes no noise.
 * Invariant: what cannot be updated is sent as a new message; no notification is lost for it.
 */
import type { MessageUpdate, RequestTemplate } from '../../integrations/contract/request.ts';
import type { Outcome } from '../contract/channel.ts';
import { messageIdCharsMax } from '../contract/limits.ts';
import type { HttpResponse, SendHttp } from '../wire/send-http.ts';
import { fieldOf, matches } from './http-response.ts';

/** The request that updates the message of `template`. */
export function updatingRequest(template: RequestTemplate, { request }: MessageUpdate): RequestTemplate {
  return { ...template, ...request };
}

/** Sends by `send`; null where the vendor does not update that message, which may be deleted, and a new one is needed. */
export async function tryUpdate(
  update: MessageUpdate,
  { http, send }: { readonly http: SendHttp; readonly send: (http: SendHttp) => Promise<Outcome> },
): Promise<Outcome | null> {
  let response: HttpResponse | null = null;
  const outcome = await send(async (request, signal) => {
    response = await http(request, signal);
    return response;
  });
  return outcomeOf(update, outcome, response);
}

function outcomeOf(
  { unchanged }: MessageUpdate,
  outcome: Outcome,
  response: HttpResponse | null,
): Outcome | null {
  if (outcome.kind === 'delivered' || response === null) return outcome;
  if (unchanged && matches(response, unchanged)) return { kind: 'delivered' };
  if (outcome.kind === 'refused') return outcome.gone ? outcome : null;
  return isRefusal(response) ? null : outcome;
}

/** 408 and 429 are no refusals: the same request may work later. */
function isRefusal({ status }: HttpResponse): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** The vendor's id of a new message, out of its response; undefined for none. */
export function messageIdOf({ id }: MessageUpdate, { body }: HttpResponse): string | undefined {
  const found = fieldOf(body, id);
  if (typeof found !== 'string' && typeof found !== 'number') return undefined;
  const text = String(found);
  return text !== '' && text.length <= messageIdCharsMax ? text : undefined;
}
