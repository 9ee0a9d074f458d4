/** Says whether this browser has passkeys at this address. */
export function passkeysPossible(): boolean {
  return isSecureContext && 'PublicKeyCredential' in window;
}
