/**
 * Whether a certificate is of a server of the cluster. The client library names no host to TLS where servers are listed by their
 * addresses, and Node then compares the certificate with "localhost". Which of the servers a connection is to, it does not say.
 */
import { checkServerIdentity, type PeerCertificate } from 'node:tls';

/** For `tls.connect`: undefined for a certificate of any of the hosts, as KNELL_CLUSTER names them; else why it is of none. */
export function identityOf(
  hosts: readonly string[],
): (host: string, certificate: PeerCertificate) => Error | undefined {
  return (_, certificate) => {
    const errors = hosts.map((host) => checkServerIdentity(unbracketed(host), certificate));
    return errors.includes(undefined) ? undefined : errors[0];
  };
}

/** An IPv6 address without the brackets of a URL. */
function unbracketed(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
