/**
 * Another email address as the name of a user: asked for on the account page. `settings/address-links` has what the link in the mail
 * to it does.
 * Invariants: the name stays what it was. Who asks does not learn from the answer whether another user has the address: only owners
 * of the installation do, who see all users anyway.
 */
import { linkMs } from '../../../commands/secrets/limits.ts';
import { isMailAddress, type User } from '../../../domain/accounts/user.ts';
import { nameCharsMax } from '../../../domain/limits.ts';
import type { SavedAccountView } from '../../../domain/views/account-view.ts';
import { KnellError } from '../../../lib/errors.ts';
import { jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { UserCall } from '../calls/call.ts';
import { passwordForLinks, unlessChanged, wrongUser } from './credentials.ts';

/** Whether a name takes effect only once its mail was read. */
export function isConfirmedFirst({ context }: UserCall, name: string): boolean {
  return context.commands.accounts.canSend && isMailAddress(name);
}

/** Keeps the address, in place of an earlier one, and sends the link. `also` is what else the request changes. */
export async function askForAddress(
  call: UserCall,
  address: string,
  also: (user: User) => User,
): Promise<HttpReply> {
  const { context, change, principal, nowMs } = call;
  if (address.length > nameCharsMax)
    throw new KnellError('usage', `a name has 1 to ${nameCharsMax} characters`, { field: 'name' });
  const refused = await wrongUser(call, passwordForLinks);
  if (refused) return refused;
  const isTaken = hasOther(context, principal.user, address);
  if (isTaken && principal.user.role === 'owner') return nameTaken(address);
  const user = await change.updateUser(principal.user.id, (now) =>
    unlessChanged(now, principal.user, { ...also(now), newAddress: { address, untilMs: nowMs + linkMs } }),
  );
  const error = await context.commands.accounts.askNewAddress(user, isTaken, nowMs);
  return jsonReply({ asked: { to: address, error } } satisfies SavedAccountView);
}

export function nameTaken(name: string): HttpReply {
  return jsonReply({ error: `a user named ${name} exists already`, field: 'name' }, 409);
}

export function hasOther({ engine }: UserCall['context'], { id }: User, name: string): boolean {
  const wanted = name.toLowerCase();
  return engine.read.users().some((user) => user.id !== id && user.name.toLowerCase() === wanted);
}

/** Makes the link void. */
export async function withdrawAddress({ change, principal }: UserCall): Promise<HttpReply> {
  await change.updateUser(principal.user.id, (now) => ({ ...now, newAddress: undefined }));
  return jsonReply({});
}
