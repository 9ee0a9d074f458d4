/**
 * The link in the mail by which a new address of a member is confirmed.
 * Invariant: it is for that address and that request only: void once it was used, withdrawn or replaced, and after its time.
 */
import { type User, waitingAddress } from '../../domain/accounts/user.ts';
import { same } from './same.ts';

export interface AddressTokens {
  /** The path of the link; null if no address waits to be confirmed. */
  addressLink(user: User, nowMs: number): string | null;
  isAddressLink(user: User, signature: string, nowMs: number): boolean;
}

type Sign = (purpose: string, ...parts: readonly string[]) => string;

export function createAddressTokens(sign: Sign): AddressTokens {
  const signatureOf = (user: User, nowMs: number): string | null => {
    const waiting = waitingAddress(user, nowMs);
    return waiting && sign('new address', user.id, waiting.address, String(waiting.untilMs));
  };
  return {
    addressLink(user, nowMs) {
      const signature = signatureOf(user, nowMs);
      return signature && `/confirm-address/${user.id}.${signature}`;
    },
    isAddressLink(user, given, nowMs) {
      const signature = signatureOf(user, nowMs);
      return signature !== null && same(signature, given);
    },
  };
}
