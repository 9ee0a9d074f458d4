/** Which servers can be reached: real sockets, of which some say nothing. */
import { createServer, type Server } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { unreachable } from '../../../src/store/replicated/reach.ts';
import { freePort } from '../../support/wire/free-port.ts';

const open: Server[] = [];

afterAll(() => {
  for (const server of open) server.close();
});

async function serverThat(greets: (send: (text: string) => void) => void): Promise<string> {
  const server = createServer((socket) => greets((text) => socket.write(text)));
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it has a port');
  return `127.0.0.1:${address.port}`;
}

test('those that refuse, say nothing, or have no address are out of reach; those that greet are not', async () => {
  const well = await serverThat((send) => send('INFO {}\r\n'));
  const silent = await serverThat(() => {});
  const closed = `127.0.0.1:${await freePort()}`;
  expect(await unreachable([well, silent, closed, 'no-such-host.invalid:4222'])).toEqual([
    silent,
    closed,
    'no-such-host.invalid:4222',
  ]);
  expect(await unreachable([])).toEqual([]);
});
