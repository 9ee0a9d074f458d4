/**
 * Whether a certificate is of a server of the cluster. The client library names no host to TLS where servers are listed by their
 * addresses, and Node then compares the certificate with "localhost". Which of the servers a connection is to, it does not say.
 */
import { isIPv6 } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';

/**
 * Checks a certificate for `tls.connect`: undefined if it is of any of the hosts, as KNELL_CLUSTER names them; else why it is of
 * none.
 */
export function identityOf(
  hosts: readonly string[],
): (host: string, certificate: PeerCertificate) => Error | undefined {
  return (_, certificate) => {
    const errors = hosts.map((host) => identityError(unbracketed(host), certificate));
    return errors.includes(undefined) ? undefined : errors[0];
  };
}

/** Some versions of Node 22 take no IPv6 address for one: those are compared here. */
function identityError(host: string, certificate: PeerCertificate): Error | undefined {
  const error = checkServerIdentity(host, certificate);
  return error && isIPv6(host) && ipv6Names(certificate).includes(canonical(host)) ? undefined : error;
}

/** None where a name is quoted: it may contain what looks like another one. */
function ipv6Names({ subjectaltname = '' }: PeerCertificate): readonly string[] {
  if (subjectaltname.includes('"')) return [];
  const prefix = 'IP Address:';
  return subjectaltname
    .split(', ')
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter(isIPv6)
    .map(canonical);
}

/** The one way to write it (RFC 5952). */
function canonical(address: string): string {
  return new URL(`http://[${address}]`).hostname;
}

/** An IPv6 address without the brackets of a URL. */
function unbracketed(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
