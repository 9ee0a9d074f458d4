/** Web addresses in what owners write and set. Pure. */
import { runbookCharsSearched } from '../limits.ts';

/** A web address in text. Punctuation that ends a sentence is not part of it. */
export const webAddress = /(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]}'])/;

/** Returns the first link of a description, which is its runbook in most of them; empty for none. */
export function runbookIn(desc: string): string {
  return webAddress.exec(desc.slice(0, runbookCharsSearched))?.[1] ?? '';
}

/** Whether a host, as in a URL or as a listener has it, is this machine and no other: RFC 6761 (section 6.3), RFC 5735. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '');
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127\.[\d.]+$/.test(name);
}
