/**
 * Says to push services which server a message is from (VAPID, RFC 8292): a key pair, and the tokens that it signs.
 * Invariant: the private key follows from the installation's secret, as the keys of links do. So there is one for all nodes of a
 * cluster, it survives a restart and a restore, nothing is stored, and it never leaves this file. Another one would end all
 * subscriptions: browsers bind them to the public key.
 */
import { createECDH, createPrivateKey, hkdfSync, type KeyObject, sign } from 'node:crypto';
import { hour, second } from '../../lib/units.ts';

export interface Vapid {
  /** What a browser subscribes with: an uncompressed point of P-256, base64url. */
  publicKey(): string;
  /** Value of `Authorization` for a request to the push service of `endpoint`. */
  authorization(endpoint: string, nowMs: number): string;
}

interface KeyPair {
  readonly secret: string;
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

/** A token may be valid for a day at most: https://www.rfc-editor.org/rfc/rfc8292#section-2. */
const tokenMs = 12 * hour;

/** `secret` and `baseUrl` are read when they are needed; the keys are derived when they are first used. */
export function createVapid(secret: () => string, baseUrl: () => string): Vapid {
  let known: KeyPair | null = null;
  const keys = (): KeyPair => {
    if (known?.secret !== secret()) known = keyPairOf(secret());
    return known;
  };
  return {
    publicKey: () => keys().publicKey,
    authorization(endpoint, nowMs) {
      const { publicKey, privateKey } = keys();
      const exp = Math.floor((nowMs + tokenMs) / second);
      const claims = { aud: new URL(endpoint).origin, exp, sub: contactOf(baseUrl()) };
      const content = `${encoded({ typ: 'JWT', alg: 'ES256' })}.${encoded(claims)}`;
      const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
      const signature = sign('sha256', Buffer.from(content), key).toString('base64url');
      return `vapid t=${content}.${signature}, k=${publicKey}`;
    },
  };
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** Whom a push service may ask about the messages: an `https:` address, or a mail address. Browsers subscribe without HTTPS only at localhost. */
function contactOf(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? baseUrl : 'mailto:knell@localhost';
}

/** Order of the group of points of P-256: https://nvlpubs.nist.gov/nistpubs/SpecialPublications/NIST.SP.800-186.pdf. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
/** With 64 bits more than the order has, the remainder is as good as even: FIPS 186-5, A.2.1. */
const seedBytes = 40;
const coordinateBytes = 32;

function keyPairOf(secret: string): KeyPair {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'web push', seedBytes));
  const scalar = (BigInt(`0x${seed.toString('hex')}`) % (order - 1n)) + 1n;
  const d = Buffer.from(scalar.toString(16).padStart(2 * coordinateBytes, '0'), 'hex');
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(d);
  const point = ecdh.getPublicKey();
  const jwk = {
    ...{ kty: 'EC', crv: 'P-256', d: d.toString('base64url') },
    x: point.subarray(1, 1 + coordinateBytes).toString('base64url'),
    y: point.subarray(1 + coordinateBytes).toString('base64url'),
  };
  return {
    secret,
    publicKey: point.toString('base64url'),
    privateKey: createPrivateKey({ format: 'jwk', key: jwk }),
  };
}
