/**
 * Tests whether an address can be listened on, before a data directory is created or keys are printed: a server that does all
 * that and then cannot open its listener would be worse than a late answer. `server` opens the listener itself; the address is
 * free again when this resolves.
 */
import { createServer } from 'node:net';
import type { ListenAddress } from '../../lib/addresses.ts';
import { KnellError, systemCode } from '../../lib/errors.ts';

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'permission denied (ports below 1024 need a capability)',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'unknown host',
};

/** Rejects with a KnellError `port-in-use` that says why. */
export function probePort({ host, port }: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (cause) => reject(cannotListen({ host, port }, cause)));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });
}

export function cannotListen({ host, port }: ListenAddress, cause?: unknown): KnellError {
  const code = systemCode(cause);
  const reason = reasons[code] ?? (code === '' ? 'is the port in use?' : code);
  return new KnellError('port-in-use', `cannot listen on ${host}:${port}: ${reason}`, { cause });
}
