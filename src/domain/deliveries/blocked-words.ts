/** Why nothing is sent to a private address, in words from which the page knows which one to allow. Pure. */

const variable = 'KNELL_WEBHOOK_ALLOW';
const byDefault = ' blocked by default; ';
const isBlocked = ` is private and${byDefault}`;

/** `host`: a name, or an address where `isAddress`. */
export function blockedWords(host: string, isAddress: boolean): string {
  return isAddress
    ? `${host}${isBlocked}add it to ${variable}`
    : `${host} has a private address, which is${byDefault}add that to ${variable}`;
}

/** Whether an error is that nothing is sent to a private address, by itself or by its name. */
export function isBlockedError(error: string): boolean {
  return error.includes(byDefault);
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
  // What is behind them was said in another way in errors that are stored.
  const end = text.indexOf(isBlocked);
  const host = text.slice(0, Math.max(0, end));
  return host.includes(' ') ? '' : host;
}
