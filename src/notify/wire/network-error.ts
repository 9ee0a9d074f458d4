/**
 * Errors of the network in words: what the page and `channel test` show to somebody who has never seen a system code.
 * Invariant: pure; names hosts and addresses, nothing else of a request.
 */
import { messageOf, systemCode } from '../../lib/errors.ts';

const words: Readonly<Record<string, (host: string) => string>> = {
  ENOTFOUND: (host) => `the host ${host} was not found`,
  EAI_AGAIN: (host) => `the host ${host} could not be looked up: the name server did not answer`,
  ECONNREFUSED: (host) => `${host} refused the connection`,
  ECONNRESET: () => 'the connection was reset',
  EPIPE: () => 'the connection was closed early',
  ETIMEDOUT: (host) => `${host} did not answer in time`,
  EHOSTUNREACH: (host) => `${host} cannot be reached from this server`,
  ENETUNREACH: (host) => `${host} cannot be reached from this server: it has no route to that network`,
  CERT_HAS_EXPIRED: () => 'the certificate of the server has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: () => 'the certificate of the server is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: () => 'the certificate of the server is from an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: () =>
    'the certificate of the server is from an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () => 'the certificate of the server comes without its chain',
  ERR_TLS_CERT_ALTNAME_INVALID: () => 'the certificate of the server is for another host',
};

/** Null for an error that is not of the network, or not known. */
export function networkErrorText(error: unknown): string | null {
  const message = messageOf(error);
  // A library may give it a code of its own, and keep the system's in the message.
  const inMessage = /\b(E[A-Z]+(?:_[A-Z]+)*)\b(?: (\S+))?/.exec(message);
  const code = [systemCode(error), inMessage?.[1] ?? ''].find((one) => one in words);
  if (code === undefined) return null;
  const { hostname, address } = Object(error) as { readonly hostname?: unknown; readonly address?: unknown };
  const found = [hostname, inMessage?.[2], address].find((one) => typeof one === 'string');
  return words[code]?.(String(found ?? 'the server')) ?? null;
}
