/**
 * Alerts by MQTT: through a whole Knell to a real broker, with users and encryption, where there is one; and to sockets that are no
 * broker, do not answer, or refuse.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { Knell } from '../support/knell.ts';
import { eventually } from '../support/patience.ts';
import { tempDir } from '../support/temp-dirs.ts';
import { hasMosquitto, Mosquitto, password, user } from '../support/wire/mosquitto.ts';

let knell: Knell;
beforeAll(async () => {
  knell = await Knell.start({ env: { KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' } });
});
afterAll(() => knell.stop());

async function integration(name: string, value: object): Promise<void> {
  const args = { project: 'default', kind: 'mqtt', name, value: JSON.stringify(value) };
  await knell.app.admin({ command: 'channel create', args }, () => {});
}

/** What became of a test notification. */
function tested(name: string): Promise<unknown> {
  const args = { project: 'default', channel: name };
  return knell.app.admin({ command: 'channel test', args }, () => {});
}

const signedIn = { user, password };

describe.skipIf(!hasMosquitto)('Mosquitto', () => {
  let broker: Mosquitto;
  beforeAll(async () => {
    broker = await Mosquitto.start(tempDir());
  });
  afterAll(() => broker.stop());

  test('has the last message of each check, which it keeps', async () => {
    await integration('home', { url: broker.url, topic: 'knell/home', user, password, retain: true });
    const check: Json = await knell.create({ name: 'Nightly backup', slug: 'backup', channels: '*' });
    const ping = `/ping/${String(check.ping_url).split('/').at(-1)}`;
    await knell.request(`${ping}/fail`, { method: 'POST', body: 'disk full' });
    const last = (status: string) =>
      eventually(async () => {
        expect(await broker.retained()).toEqual([
          {
            topic: 'knell/home/backup',
            payload: expect.objectContaining({ status, name: 'Nightly backup' }),
          },
        ]);
      });
    await last('down');
    expect((await broker.retained())[0]?.payload).toMatchObject({
      title: 'Nightly backup is DOWN',
      output: 'disk full',
      url: expect.stringContaining('/checks/'),
    });
    await knell.request(ping);
    await last('up');
  });

  test.each([
    ['a wrong password', { password: 'wrong' }, 'status 401'],
    ['nobody', { user: '', password: '' }, 'status 401'],
  ])('refuses %s', async (name, more, error) => {
    await integration(name, { url: broker.url, topic: 'knell', ...signedIn, ...more });
    expect(await tested(name)).toMatchObject([{ ok: false, error }]);
  });

  test('is not believed with a certificate that nobody has signed', async () => {
    await integration('tls', { url: broker.tlsUrl, topic: 'knell', user, password });
    expect(await tested('tls')).toMatchObject([
      { ok: false, error: 'the certificate of the server is self-signed' },
    ]);
  });
});

describe('what is no broker', () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    behave(socket);
  });
  let behave: (socket: Socket) => void = () => {};
  let url = '';
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  });
  afterAll(() => server.close());

  test.each<[string, (socket: Socket) => void, string]>([
    ['hangs up', (socket) => socket.end(), 'the broker closed the connection'],
    ['speaks HTTP', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), ''],
    ['is not available', (socket) => socket.write(Buffer.of(0x20, 2, 0, 3)), 'status 503'],
    [
      'accepts the connection and no message',
      (socket) =>
        socket.once('data', () => {
          socket.write(Buffer.of(0x20, 2, 0, 0));
          socket.once('data', () => socket.end());
        }),
      'the broker closed the connection',
    ],
    [
      'acknowledges another message',
      (socket) =>
        socket.once('data', () => {
          socket.write(Buffer.of(0x20, 2, 0, 0));
          socket.once('data', () => socket.end(Buffer.of(0x40, 2, 0, 9)));
        }),
      'the broker closed the connection',
    ],
  ])('and %s has not got it', async (name, doing, error) => {
    behave = doing;
    await integration(name, { url, topic: 'knell' });
    expect(await tested(name)).toMatchObject([{ ok: false, error: expect.stringContaining(error) }]);
  });
});

test.each([
  [{ url: 'https://broker.example.org', topic: 'a' }, 'the address of a broker'],
  [{ url: 'mqtt://me:secret@broker.example.org', topic: 'a' }, 'the address of a broker'],
  [{ url: 'mqtt://broker.example.org/topic', topic: 'a' }, 'the address of a broker'],
  [{ url: 'mqtt://broker.example.org', topic: 'a/#' }, 'a topic without + and #'],
  [{ url: 'mqtt://broker.example.org', topic: '+/a' }, 'a topic without + and #'],
  [{ url: 'mqtt://broker.example.org', topic: '$SYS/a' }, 'a topic without + and #'],
  [{ url: 'mqtt://broker.example.org', topic: 'a/\ud800' }, 'a topic without + and #'],
  [{ url: 'mqtt://broker.example.org', topic: '' }, 'a topic without + and #'],
])('%j is refused, with what it must be', async (value, words) => {
  await expect(integration('bad', value)).rejects.toThrow(words);
});
