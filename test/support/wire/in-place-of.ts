/**
 * A server on this machine in the place of one on the internet, for what connects to it by its name: the name leads here, and the
 * certificate is taken for that of an authority. All else of the connection is as it is, what the certificate says too.
 */
import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import type { Certificate } from './certificate.ts';

interface Place {
  readonly host: string;
  readonly port: number;
  readonly certificate: Certificate;
}

/** Until the function that it returns is called. */
export function standInFor({ host, port, certificate }: Place): () => void {
  const ca = readFileSync(certificate.certFile);
  const original = Agent.prototype.createConnection;
  Agent.prototype.createConnection = function (options, callback) {
    const isThere = options.host === host;
    return original.call(this, isThere ? { ...options, host: '127.0.0.1', port, ca } : options, callback);
  };
  return () => {
    Agent.prototype.createConnection = original;
  };
}
