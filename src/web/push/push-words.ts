/**
 * Whether this browser can be alerted, and in words why not.
 * Invariant: pure; each reason says what to do about it.
 */

/** What is known of the browser. */
export interface BrowserFacts {
  /** Whether the page came by HTTPS, or from this machine. */
  readonly isSecure: boolean;
  readonly hasPush: boolean;
  readonly userAgent: string;
  /** Points at which it can be touched at once. An iPad names itself a Mac. */
  readonly touchPoints: number;
}

/** Empty if it can be. */
export function unsupportedWords({ isSecure, hasPush, userAgent, touchPoints }: BrowserFacts): string {
  if (!isSecure)
    return 'Browsers take alerts only from a page that came by HTTPS, or from localhost. Open Knell at an address that begins with https://.';
  if (hasPush) return '';
  const isApple = /iPhone|iPad/.test(userAgent) || (userAgent.includes('Macintosh') && touchPoints > 1);
  return isApple
    ? 'Safari on an iPhone or iPad has no alerts in a tab: add Knell to the Home Screen (Share, Add to Home Screen), and open it from there.'
    : 'This browser has no push notifications. Some turn them off in private windows: use a normal one.';
}

/** Empty if it was granted. */
export function permissionWords(permission: 'granted' | 'denied' | 'default'): string {
  if (permission === 'granted') return '';
  if (permission === 'default')
    return 'The question whether to allow notifications was closed. Press the button again, and choose Allow.';
  return 'This browser blocks the notifications of this page, as it always does in a private window. Allow them in its settings for this site, beside the address, and try again.';
}

/** Of a service worker that the browser did not install. */
export function workerWords(reason: string): string {
  return `The browser did not install the service worker of this page, as with a certificate that it does not trust: ${reason}`;
}

/** Of a subscription that the browser's push service did not give. */
export function serviceWords(reason: string): string {
  return `The push service of this browser gave no subscription. A network may block it, some browsers turn it off (Brave: “Use Google services for push messaging”), and private windows have none: ${reason}`;
}
