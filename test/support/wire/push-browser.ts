/**
 * A browser's side of Web Push, written down from RFC 8291 and RFC 8188 and not from what Knell encrypts with: its subscription, and
 * how it decrypts a message.
 */
import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';

interface PushKeys {
  /** The private key, 32 bytes. */
  readonly privateKey: Buffer;
  /** The authentication secret, 16 bytes. */
  readonly auth: Buffer;
}

/** The tests' subscription: always the same, so that goldens can be read. */
const fixed: PushKeys = { privateKey: Buffer.alloc(32, 7), auth: Buffer.alloc(16, 9) };

export class PushBrowser {
  readonly #keys: ECDH = createECDH('prime256v1');
  readonly #auth: Buffer;

  constructor({ privateKey, auth }: PushKeys = fixed) {
    this.#keys.setPrivateKey(privateKey);
    this.#auth = auth;
  }

  static random(): PushBrowser {
    const keys = createECDH('prime256v1');
    keys.generateKeys();
    return new PushBrowser({ privateKey: keys.getPrivateKey(), auth: randomBytes(16) });
  }

  /** What `PushSubscription.toJSON()` gives, as a text. */
  subscription(endpoint: string): string {
    const p256dh = this.#keys.getPublicKey('base64url');
    const auth = this.#auth.toString('base64url');
    return JSON.stringify({ endpoint, expirationTime: null, keys: { p256dh, auth } });
  }

  /** Fails unless it is one record of the coding `aes128gcm`, for this subscription. */
  decrypt(body: Uint8Array): string {
    const bytes = Buffer.from(body);
    const salt = bytes.subarray(0, 16);
    const idBytes = bytes.readUInt8(20);
    const sender = bytes.subarray(21, 21 + idBytes);
    const record = bytes.subarray(21 + idBytes);
    if (record.length > bytes.readUInt32BE(16)) throw new Error('more than one record');
    const both = Buffer.concat([this.#keys.getPublicKey(), sender]);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), both]);
    const input = hkdf(this.#keys.computeSecret(sender), { salt: this.#auth, info, bytes: 32 });
    const key = hkdf(input, { salt, info: Buffer.from('Content-Encoding: aes128gcm\0'), bytes: 16 });
    const nonce = hkdf(input, { salt, info: Buffer.from('Content-Encoding: nonce\0'), bytes: 12 });
    const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16));
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
    const end = padded.findLastIndex((byte) => byte !== 0);
    if (padded[end] !== 2) throw new Error('not the last record');
    return padded.subarray(0, end).toString();
  }
}

interface Derived {
  readonly salt: Buffer;
  readonly info: Buffer;
  readonly bytes: number;
}

function hkdf(input: Buffer, { salt, info, bytes }: Derived): Buffer {
  return Buffer.from(hkdfSync('sha256', input, salt, info, bytes));
}

/** The body of a request as its reader has it; empty for none. */
export function bodyText(body: string | Uint8Array | null | undefined): string {
  if (body === null || body === undefined || typeof body === 'string') return body ?? '';
  return new PushBrowser().decrypt(body);
}
