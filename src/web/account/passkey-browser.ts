/**
 * The browser's half of passkeys. Only this file touches `@simplewebauthn/browser`, and it is loaded when somebody uses a
 * passkey.
 */
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';
import { send } from '../core/calls.ts';

export async function createPasskey(name: string, password: string): Promise<void> {
  const optionsJSON = await send<PublicKeyCredentialCreationOptionsJSON>(
    'POST',
    '/web/account/passkeys/new',
    {
      password,
    },
  );
  const response = await startRegistration({ optionsJSON }).catch(inWords);
  await send('POST', '/web/account/passkeys', { name, response });
}

export async function signInWithPasskey(): Promise<void> {
  const optionsJSON = await send<PublicKeyCredentialRequestOptionsJSON>('POST', '/web/sign-in/passkey/new');
  const response = await startAuthentication({ optionsJSON }).catch(inWords);
  await send('POST', '/web/sign-in/passkey', { response });
}

function inWords(error: unknown): never {
  if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    throw new Error('This device has a passkey of your account already.');
  if (error instanceof Error && error.name === 'NotAllowedError')
    throw new Error('No passkey was used: it was cancelled, or took too long.');
  throw error;
}
