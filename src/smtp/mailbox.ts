/**
 * Parses the addresses `<uuid>@domain` and `<ping_key>+<slug>@domain` into the target of a ping. Whether there is such a check,
 * the engine decides.
 * Invariant: the case of an address never decides; providers lower-case what they pass on.
 */
import { domainToASCII } from 'node:url';
import type { PingTarget } from '../engine/contract/engine.ts';
import { uuidWordsOf } from '../lib/uuid-words.ts';

const pingKeyAndSlug = /^([A-Za-z0-9_-]+)\+([A-Za-z0-9_-]+)$/;

/** Returns null when the address cannot belong to a check: its domain is another one, or it is no address at all. */
export function parseMailbox(address: string, domain: string): PingTarget | null {
  const at = address.lastIndexOf('@');
  if (at < 0 || !sameDomain(address.slice(at + 1), domain)) return null;
  const local = address.slice(0, at);
  const uuid = uuidWordsOf(local.toLowerCase());
  if (uuid) return { by: 'uuid', uuid };
  const [, pingKey, slug] = pingKeyAndSlug.exec(local) ?? [];
  return pingKey && slug ? { by: 'mailbox', pingKey, slug } : null;
}

/** `domain` is in lower case. The listener passes an internationalized domain in Unicode, whichever form was sent. */
function sameDomain(written: string, domain: string): boolean {
  return written.toLowerCase() === domain || domainToASCII(written) === domain;
}
