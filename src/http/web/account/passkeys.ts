/**
 * Passkeys (WebAuthn): adds one to the user's account, and signs in with one, without a name or a password.
 * `@simplewebauthn/server` verifies what a browser signs.
 * Invariants: the library is loaded only when somebody uses a passkey. The authenticator has verified its user, so a passkey is
 * two factors by itself. A challenge is valid once, and the changes of a sign-in are on disk before anybody is signed in.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Passkey, User } from '../../../domain/accounts/user.ts';
import { KnellError } from '../../../lib/errors.ts';
import { newUuid } from '../../../lib/ids.ts';
import { passkeyNameCharsMax, passkeysMax } from '../../limits.ts';
import { errorReply, jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import { type PublicCall, textIn, type UserCall, type WebContext } from '../calls/call.ts';
import { originOf } from '../calls/principal.ts';
import { beginSession, throttled, unlessChanged, wrongPassword } from './credentials.ts';

/** A passkey belongs to the host name of the page. Browsers accept none for an address such as 127.0.0.1. */
function partyOf({ baseUrl }: WebContext): { readonly rpID: string; readonly origin: string } {
  const { hostname: rpID, origin } = new URL(baseUrl());
  return { rpID, origin };
}

/** Returns the options of `navigator.credentials.create`. It needs the current password. */
export async function offerPasskey(call: UserCall): Promise<HttpReply> {
  const { context, nowMs } = call;
  const { user } = call.principal;
  const refused = await wrongPassword(call);
  if (refused) return refused;
  const passkeys = user.passkeys ?? [];
  if (passkeys.length >= passkeysMax)
    throw new KnellError('conflict', `an account has at most ${passkeysMax} passkeys: remove one first`);
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const options = await generateRegistrationOptions({
    rpName: 'Knell',
    rpID: partyOf(context).rpID,
    userName: user.name,
    userID: new Uint8Array(Buffer.from(user.id)),
    challenge: context.passkeyChallenges.create(user.id, nowMs),
    attestationType: 'none',
    excludeCredentials: passkeys.map(({ credentialId: id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return jsonReply(options);
}

export async function addPasskey(call: UserCall): Promise<HttpReply> {
  const { context, change, json, nowMs } = call;
  const { user } = call.principal;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { rpID, origin } = partyOf(context);
  const verified = await verifyRegistrationResponse({
    // The library checks its shape.
    response: json.response as RegistrationResponseJSON,
    expectedChallenge: (challenge) => context.passkeyChallenges.take(challenge, user.id, nowMs),
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch(() => null);
  if (!verified?.registrationInfo) return errorReply(400, 'this passkey could not be verified: try again');
  const { id: credentialId, publicKey, counter } = verified.registrationInfo.credential;
  const passkey: Passkey = {
    id: newUuid(),
    name: textIn(json, 'name').slice(0, passkeyNameCharsMax) || 'Passkey',
    credentialId,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    createdAtMs: nowMs,
    usedAtMs: null,
  };
  const known = context.engine.read.users().some((one) => passkeyOf(one, credentialId) !== undefined);
  if (known) throw new KnellError('conflict', 'this passkey belongs to an account already');
  await change.updateUser(user.id, (now) =>
    unlessChanged(now, user, { passkeys: [...(now.passkeys ?? []), passkey] }),
  );
  return jsonReply({});
}

export async function removePasskey({ change, principal, path }: UserCall): Promise<HttpReply> {
  await change.updateUser(principal.user.id, (now) => {
    const passkeys = (now.passkeys ?? []).filter(({ id }) => id !== path.id);
    if (passkeys.length === now.passkeys?.length)
      throw new KnellError('not-found', 'this passkey was removed already');
    return { ...now, passkeys };
  });
  return jsonReply({});
}

/** Returns the options of `navigator.credentials.get`: any passkey of this host. */
export async function offerSignIn(call: PublicCall): Promise<HttpReply> {
  const { context, nowMs } = call;
  const refused = throttled(call, '');
  if (refused) return refused;
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const options = await generateAuthenticationOptions({
    rpID: partyOf(context).rpID,
    challenge: context.passkeyChallenges.create(null, nowMs),
    userVerification: 'required',
  });
  return jsonReply(options);
}

export async function signInByPasskey(call: PublicCall): Promise<HttpReply> {
  const { context, request, json, nowMs } = call;
  const refused = throttled(call, '');
  if (refused) return refused;
  // The library checks its shape.
  const response = json.response as AuthenticationResponseJSON | undefined;
  const credentialId = typeof response?.id === 'string' ? response.id : '';
  const user = context.engine.read.users().find((one) => passkeyOf(one, credentialId) !== undefined);
  const passkey = user && passkeyOf(user, credentialId);
  const counter = user && passkey && response ? await verifiedCounter(call, passkey, response) : null;
  if (!user || !passkey || counter === null) {
    context.signIns.failed(user, request, 'passkey');
    return errorReply(401, 'this passkey is not known here: sign in with your password');
  }
  const signedIn = await context.engine.changeBy(originOf(user, request)).updateUser(user.id, (now) => {
    if (!passkeyOf(now, credentialId)) throw new KnellError('conflict', 'this passkey was removed');
    return { ...now, passkeys: now.passkeys?.map((one) => used(one, { credentialId, counter, nowMs })) };
  });
  context.tries.succeeded(request.clientAddr, user.name.toLowerCase());
  context.signIns.succeeded(user, request, 'with a passkey');
  return beginSession(call, signedIn);
}

function passkeyOf({ passkeys }: User, credentialId: string): Passkey | undefined {
  return credentialId === '' ? undefined : passkeys?.find((one) => one.credentialId === credentialId);
}

/** Returns null if the signature is wrong, or if the authenticator's counter has not grown: it may have been copied. */
async function verifiedCounter(
  { context, nowMs }: PublicCall,
  { credentialId: id, publicKey, counter }: Passkey,
  response: AuthenticationResponseJSON,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { rpID, origin } = partyOf(context);
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (challenge) => context.passkeyChallenges.take(challenge, null, nowMs),
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
    requireUserVerification: true,
  }).catch(() => null);
  return verified?.verified ? verified.authenticationInfo.newCounter : null;
}

function used(
  passkey: Passkey,
  now: { readonly credentialId: string; readonly counter: number; readonly nowMs: number },
): Passkey {
  if (passkey.credentialId !== now.credentialId) return passkey;
  return { ...passkey, counter: now.counter, usedAtMs: now.nowMs };
}
