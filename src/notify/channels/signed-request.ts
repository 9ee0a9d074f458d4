/**
 * Signs a request as Standard Webhooks says (https://www.standardwebhooks.com, "Signature scheme"), so that its receiver can check
 * who sent it, and when.
 * Invariant: what is signed is what is sent; the id is that of the delivery on every attempt, the time is that of the attempt.
 */
import { createHmac } from 'node:crypto';
import { signingPrefix } from '../../integrations/contract/values.ts';
import { second } from '../../lib/units.ts';
import type { OutgoingRequest } from '../wire/send-http.ts';

interface Signing {
  /** One secret or several, with spaces between: all of them sign. They are valid (`forms.signing`). */
  readonly secrets: string;
  readonly id: string;
  /** When it is sent, epoch milliseconds. */
  readonly atMs: number;
}

/** The request with the three headers of the signature, in place of any of the same name. One without a body signs the empty text. */
export function signed(request: OutgoingRequest, { secrets, id, atMs }: Signing): OutgoingRequest {
  const timestamp = String(Math.floor(atMs / second));
  const content = `${id}.${timestamp}.${request.body ?? ''}`;
  const others = Object.entries(request.headers).filter(([name]) => !headers.includes(name.toLowerCase()));
  const signatures = secrets.split(' ').map((secret) => signature(secret, content));
  return {
    ...request,
    headers: {
      ...Object.fromEntries(others),
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    },
  };
}

const headers: readonly string[] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

function signature(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(signingPrefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}
