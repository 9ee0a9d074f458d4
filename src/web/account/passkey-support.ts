/** Whether this browser has passkeys at this address. */

/** Whether the address is that of a machine: a passkey belongs to a name. Addresses of IPv6 are in brackets. */
function isAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host);
}

export function passkeysPossible(): boolean {
  return isSecureContext && 'PublicKeyCredential' in window && !isAddress(location.hostname);
}

/** Says what is to be another than it is for passkeys to work. */
export function passkeysNeed(): string {
  const { hostname } = location;
  if (!isAddress(hostname)) return 'Passkeys need HTTPS (or localhost) and a browser that knows them.';
  const https = isSecureContext ? '' : 'HTTPS and ';
  return `Passkeys need ${https}a host name such as knell.example.org; this page was opened at ${hostname}.`;
}
