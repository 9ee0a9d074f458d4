/**
 * The PROXY protocol, version 2: the binary header in which a proxy says for whom it connects. The library reads version 1, a
 * line of text; `server` decides whose header is believed.
 * Invariant: nothing behind the header is taken; a header that is not whole within its bound is refused.
 */
import type { Socket } from 'node:net';
import { addressText } from '../lib/addresses.ts';
import { proxyHeaderBytesMax } from './limits.ts';

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');

/** Looks at the first byte: neither version 1 nor any command begins with it. */
export function startsVersion2(bytes: Uint8Array): boolean {
  return bytes[0] === signature[0];
}

const headBytes = 16;

export type ProxyHeader =
  /** More bytes are needed to read the header. */
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'malformed' }
  /** `remoteAddr` is null when the proxy connects for itself, or for a client that has no IP address. */
  | { readonly kind: 'whole'; readonly bytes: number; readonly remoteAddr: string | null };

/** The commands, each with the version, 2, in the high half of the byte. */
const localCommand = 0x20;
const proxyCommand = 0x21;
/** Bytes of an address by its family, which is the high half of its byte. */
const addressBytesOf: Readonly<Record<number, number>> = { 1: 4, 2: 16 };
const familiesMax = 3;

export function parseProxyHeader(bytes: Buffer): ProxyHeader {
  const start = Math.min(bytes.length, signature.length);
  if (!bytes.subarray(0, start).equals(signature.subarray(0, start))) return { kind: 'malformed' };
  if (bytes.length < headBytes) return { kind: 'incomplete' };
  const [command = 0, familyAndTransport = 0] = bytes.subarray(signature.length);
  const family = familyAndTransport >> 4;
  const length = bytes.readUInt16BE(headBytes - 2);
  const isKnown = (command === localCommand || command === proxyCommand) && family <= familiesMax;
  const addressBytes = command === proxyCommand ? addressBytesOf[family] : undefined;
  // The header has two addresses and two ports.
  const lengthMin = addressBytes === undefined ? 0 : 2 * addressBytes + 4;
  if (!isKnown || length < lengthMin || headBytes + length > proxyHeaderBytesMax)
    return { kind: 'malformed' };
  if (bytes.length < headBytes + length) return { kind: 'incomplete' };
  const source = addressBytes === undefined ? null : bytes.subarray(headBytes, headBytes + addressBytes);
  return { kind: 'whole', bytes: headBytes + length, remoteAddr: source && addressText(source) };
}

/**
 * Reads the header off a new socket; what follows stays in it. Calls back once: with an error when the header is malformed
 * or the socket ends before. A socket that sends nothing is closed by its timeout.
 */
export function readProxyHeader(
  socket: Socket,
  done: (error: Error | null, remoteAddr: string | null) => void,
): void {
  let bytes: Buffer = Buffer.alloc(0);
  const finish = (error: Error | null, remoteAddr: string | null): void => {
    socket.off('readable', read);
    socket.off('end', ended);
    socket.off('close', ended);
    if (error) socket.destroy();
    done(error, remoteAddr);
  };
  const ended = (): void => finish(new Error('the connection ended before its PROXY header'), null);
  const read = (): void => {
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
      bytes = Buffer.concat([bytes, chunk]);
      const header = parseProxyHeader(bytes);
      if (header.kind === 'incomplete') continue;
      const rest = header.kind === 'whole' ? bytes.subarray(header.bytes) : bytes;
      if (rest.length > 0) socket.unshift(rest);
      if (header.kind === 'malformed') finish(new Error('the PROXY header is malformed'), null);
      else finish(null, header.remoteAddr);
      return;
    }
  };
  socket.on('readable', read);
  socket.once('end', ended);
  socket.once('close', ended);
}

/** Calls back with the first bytes of a new socket, which stay in it; with no bytes when the socket ends before. */
export function peekFirstBytes(socket: Socket, done: (bytes: Uint8Array) => void): void {
  const look = (): void => {
    const chunk: Buffer | null = socket.read();
    if (chunk === null && !socket.readableEnded && !socket.destroyed) return;
    socket.off('readable', look);
    socket.off('close', look);
    if (chunk !== null) socket.unshift(chunk);
    done(chunk ?? new Uint8Array(0));
  };
  socket.on('readable', look);
  socket.once('close', look);
}
