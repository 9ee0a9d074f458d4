/**
 * Asks the address of an email integration whether it wants alerts.
 * Invariant: an address, and those whom a project asks, get no more mails of this kind than the limits allow, by all users
 * together.
 */

import type { Channel } from '../../domain/accounts/project.ts';
import { channelFields } from '../../integrations/channel-value.ts';
import { KnellError } from '../../lib/errors.ts';
import { createRateLimit, type RateLimitOptions } from '../../lib/rate-limit.ts';
import type { Tokens } from '../secrets/tokens.ts';

/** Null: the mail server has taken the mail. Else why there is none. */
export type VerificationError = string | null;

export interface Verification {
  /** Sends the mail with the link. Never rejects. */
  request(channel: Channel, nowMs: number): Promise<VerificationError>;
}

interface VerificationOptions {
  send(channel: Channel, url: string): Promise<VerificationError>;
  readonly tokens: Pick<Tokens, 'mailLink'>;
  readonly baseUrl: () => string;
  readonly limits: { readonly perAddress: RateLimitOptions; readonly perProject: RateLimitOptions };
}

export function createVerification({ send, tokens, baseUrl, limits }: VerificationOptions): Verification {
  const perAddress = createRateLimit(limits.perAddress);
  const perProject = createRateLimit(limits.perProject);
  return {
    async request(channel, nowMs) {
      const address = String(channelFields(channel.kind, channel.value).value).toLowerCase();
      const waitSeconds = perAddress.take(address, nowMs) || perProject.take(channel.projectId, nowMs);
      if (waitSeconds > 0) return `too many verification emails: try again in ${waitText(waitSeconds)}`;
      return send(channel, baseUrl() + tokens.mailLink('verify', channel));
    },
  };
}

function waitText(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`;
}

/** Throws what is wrong as a refusal of the command. */
export function mustBeSent(error: VerificationError): void {
  if (error !== null) throw new KnellError('conflict', error);
}
