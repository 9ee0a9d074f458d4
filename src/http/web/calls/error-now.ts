/** Why a notification was not delivered, as the page says it: an address that was blocked may be allowed by now. */
import { allowedNowWords, blockedAddressIn } from '../../../domain/deliveries/blocked-words.ts';
import type { UserCall } from './call.ts';

/** The same error, unless the address that stopped it is allowed by now: then the page asks for nothing. */
export function errorNow({ context }: Pick<UserCall, 'context'>, error: string): string {
  const address = blockedAddressIn(error);
  return address !== '' && context.commands.outbox.mayReach(address) ? allowedNowWords(address) : error;
}
