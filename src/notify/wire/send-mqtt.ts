/**
 * Publishes one message to an MQTT broker (MQTT 3.1.1), as an HTTP request is sent: the path of the URL is the topic, the body the
 * payload, `Authorization: Basic …` the user, `Retain: true` the flag. The statuses of the outcome are those of HTTP.
 * Invariant: a message counts as delivered when the broker has acknowledged it (QoS 1), and not before.
 */
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { IConnectPacket, IPublishPacket, Packet } from 'mqtt-packet';

interface MqttMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

interface MqttOptions {
  readonly lookup: LookupFunction;
  readonly connectMs: number;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
}

const messageId = 1;
/** CONNACK: bad user name or password, not authorized (section 3.2.2.3). Any other one may pass. */
const refusedCodes: readonly number[] = [4, 5];
const ports = { plain: 1883, tls: 8883 } as const;

/** Resolves to a status as HTTP has them: 200 for a message that the broker has, 401 or 503 for a connection that it refuses. Rejects without an answer. */
export async function publish(message: MqttMessage, options: MqttOptions): Promise<number> {
  // Loaded when the first message is sent: hardly any Knell has one.
  const { generate, parser: createParser } = await import('mqtt-packet');
  // Before there is a connection: what cannot be written as a packet must not leave one open, nor throw in the handler of an answer.
  const [connecting, publishing] = [generate(connectionOf(message)), generate(packetOf(message))];
  const socket = connect(new URL(message.url), options);
  const parser = createParser();
  return new Promise((resolve, reject) => {
    const end = (status: number): void => {
      resolve(status);
      socket.end(generate({ cmd: 'disconnect' }));
    };
    const cut = (): void => {
      socket.destroy(new Error('cut short'));
    };
    options.signal.addEventListener('abort', cut, { once: true });
    socket.on('error', reject);
    socket.on('close', () => {
      options.signal.removeEventListener('abort', cut);
      reject(new Error('the broker closed the connection'));
    });
    socket.on('data', (bytes) => parser.parse(bytes));
    parser.on('error', (error) => socket.destroy(error));
    parser.on('packet', (packet: Packet) => {
      if (packet.cmd === 'connack') {
        if (packet.returnCode === 0) socket.write(publishing);
        else end(refusedCodes.includes(packet.returnCode ?? 0) ? 401 : 503);
      } else if (packet.cmd === 'puback' && packet.messageId === messageId) end(200);
    });
    socket.write(connecting);
  });
}

function connect(url: URL, { lookup, connectMs }: MqttOptions): Socket {
  const isTls = url.protocol === 'mqtts:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const to = { host, port: Number(url.port) || ports[isTls ? 'tls' : 'plain'], lookup };
  const socket = isTls
    ? connectTls({ ...to, ...(isIP(host) === 0 ? { servername: host } : {}) })
    : connectTcp(to);
  const timer = setTimeout(
    () => socket.destroy(new Error(`no connection within ${connectMs / 1000} s`)),
    connectMs,
  );
  const done = (): void => clearTimeout(timer);
  socket.once(isTls ? 'secureConnect' : 'connect', done);
  socket.once('close', done);
  return socket;
}

function connectionOf({ headers }: MqttMessage): IConnectPacket {
  const [, encoded = ''] = /^Basic (.+)$/.exec(headers.Authorization ?? '') ?? [];
  const [, username = '', password = ''] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return {
    cmd: 'connect',
    // At most 23 characters (section 3.1.3.1), and another one for each delivery: a broker ends the older of two of a name.
    clientId: `knell-${(headers['Idempotency-Key'] ?? '').replaceAll('-', '').slice(0, 17)}`,
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    keepalive: 0,
    ...(username === '' ? {} : { username, password: Buffer.from(password) }),
  };
}

function packetOf({ url, headers, body }: MqttMessage): IPublishPacket {
  return {
    cmd: 'publish',
    topic: new URL(url).pathname.slice(1).split('/').map(decodeURIComponent).join('/'),
    payload: typeof body === 'string' ? body : Buffer.from(body ?? ''),
    qos: 1,
    messageId,
    dup: false,
    retain: headers.Retain === 'true',
  };
}
