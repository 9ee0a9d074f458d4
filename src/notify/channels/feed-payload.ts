/** The request of an event subscription: the payload of Standard Webhooks (type, timestamp, data), signed where it has a secret. */
import type { Channel } from '../../domain/accounts/project.ts';
import type { FeedEvent } from '../contract/feeds.ts';
import type { OutgoingRequest } from '../wire/send-http.ts';
import { signed } from './signed-request.ts';

/** The value of the integration is valid. `atMs`: when it is sent. */
export function feedPayload(
  { value }: Pick<Channel, 'value'>,
  { id, type, timestamp, data }: Omit<FeedEvent, 'about'>,
  atMs: number,
): OutgoingRequest {
  const { url, secret } = JSON.parse(value) as { readonly url: string; readonly secret?: string };
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': id };
  const body = JSON.stringify({ type, timestamp, data });
  const request: OutgoingRequest = { method: 'POST', url, headers, body };
  return secret ? signed(request, { secrets: secret, id, atMs }) : request;
}
