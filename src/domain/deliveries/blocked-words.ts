/** Why nothing is sent to a private address, in words from which the page knows which one to allow. Pure. */

const allow = 'allow it with KNELL_WEBHOOK_ALLOW';

/** `host`: a name, or an address where `isAddress`. */
export function blockedWords(host: string, isAddress: boolean): string {
  return isAddress
    ? `${host} is private and blocked by default; ${allow}=${host}`
    : `${host} has a private address, which is blocked by default; ${allow}`;
}

/** In short, beside a button that allows them. */
export function privateWords(addresses: readonly string[]): string {
  const are = addresses.length === 1 ? 'is a private address' : 'are private addresses';
  return `${addresses.join(' and ')} ${are}`;
}

/** Why nothing is sent to the address, beside a button that allows it. */
export function whyBlocked(address: string): string {
  return `${privateWords([address])}, which is blocked`;
}

/** Instead of those words, once the address is allowed. */
export function allowedNowWords(address: string): string {
  return `${address} was blocked; it is allowed now`;
}

/** Returns the address that such words are about; empty for a name, whose address they do not have, and for any other text. */
export function blockedAddressIn(text: string): string {
  const host = text.slice(0, text.indexOf(' '));
  return text === blockedWords(host, true) ? host : '';
}
