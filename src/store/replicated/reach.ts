/**
 * Which servers of a cluster can be reached from this machine: each greets those who connect, before TLS too. A server that
 * is reached may still refuse writes.
 */
import { connect } from 'node:net';
import { greetsWithinMs } from './limits.ts';

/** Returns the `host:port` addresses that do not greet within a second. Never rejects. */
export async function unreachable(servers: readonly string[]): Promise<readonly string[]> {
  const greeted = await Promise.all(servers.map(greets));
  return servers.filter((_, at) => !greeted[at]);
}

function greets(server: string): Promise<boolean> {
  const { hostname, port } = new URL(`nats://${server}`);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) });
    const end = (isGreeted: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isGreeted);
    };
    const timer = setTimeout(() => end(false), greetsWithinMs);
    socket.once('data', () => end(true));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
  });
}
