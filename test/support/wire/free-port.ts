/** Ports of loopback, for what has to know its own before it listens. */
import { createServer } from 'node:net';

/** Below those that systems give to connections that go out: a server that is away finds its port free again. */
const portMin = 12_000;
const portMax = 30_000;

const given = new Set<number>();

/** One that nobody listens on now, and that was not given before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = portMin + Math.floor(Math.random() * (portMax - portMin));
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
