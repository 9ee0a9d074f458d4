/** Certificates of the servers of a cluster, listed by names and addresses. */
import type { PeerCertificate } from 'node:tls';
import { expect, test } from 'vitest';
import { identityOf } from '../../../src/store/replicated/server-identity.ts';

/** What Node shows of a certificate with these alternative names. */
const certificateOf = (subjectaltname: string) =>
  ({ subject: { CN: 'nats' }, subjectaltname }) as unknown as PeerCertificate;

const identity = identityOf(['10.0.0.1', 'b.example.org', '[fd00::3]']);

test.each(['IP Address:10.0.0.1', 'DNS:b.example.org', 'DNS:*.example.org', 'IP Address:FD00:0:0:0:0:0:0:3'])(
  'a certificate of %s is of a server of the cluster, whatever host the library names',
  (names) => {
    for (const host of ['localhost', 'b.example.org', ''])
      expect(identity(host, certificateOf(names))).toBeUndefined();
  },
);

test.each([
  'IP Address:10.0.0.2',
  'IP Address:FD00:0:0:0:0:0:0:4',
  'DNS:"x, IP Address:fd00::3"',
  'DNS:example.org',
  'DNS:localhost',
  '',
])('a certificate of %j is of none', (names) => {
  expect(identity('localhost', certificateOf(names))).toBeInstanceOf(Error);
});
