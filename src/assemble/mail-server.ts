/**
 * What an owner may see of the mail server that is set, and how its password is kept while something else of it changes.
 * Invariant: pure. The password goes only from one address of the server to the next, for the same user of the same host.
 */
import type { MailServerView } from '../domain/views/page-view.ts';

/** Null where none is set. */
export function mailServerOf(address: string): MailServerView | null {
  if (address === '') return null;
  const { protocol, hostname, port, username, password } = new URL(address);
  const encryption = protocol === 'smtps:' ? 'tls' : 'starttls';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port || (encryption === 'tls' ? '465' : '587'),
    encryption,
    user: decoded(username),
    hasPassword: password !== '',
  };
}

/** What is encoded by no rule is shown as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns `wanted`, which has no password, with that of `stored`; null where that has none, or is for another user or host. */
export function withPasswordOf(stored: string, wanted: string): string | null {
  const [before, after] = [mailServerOf(stored), mailServerOf(wanted)];
  const isSame = before?.host.toLowerCase() === after?.host.toLowerCase() && before?.user === after?.user;
  if (!before?.hasPassword || !isSame) return null;
  const address = new URL(wanted);
  address.password = new URL(stored).password;
  return String(address);
}
