/** The tokens for push services, verified as one of them does: by the key that is in the header. */
import { webcrypto } from 'node:crypto';
import { expect, test } from 'vitest';
import { createVapid } from '../../../src/commands/secrets/vapid.ts';
import { verifiedClaims } from '../../support/wire/push-service.ts';

const nowMs = Date.UTC(2026, 0, 1);
const endpoint = 'https://push.example.org:8443/send/abc';
const site = () => 'https://knell.example.org/knell';

test('a token is for the origin of the push service, valid for half a day, and names whom to ask', async () => {
  const vapid = createVapid(() => 'secret', site);
  const { claims, key } = await verifiedClaims(vapid.authorization(endpoint, nowMs));
  expect(key).toBe(vapid.publicKey());
  expect(claims).toEqual({
    aud: 'https://push.example.org:8443',
    exp: nowMs / 1000 + 43_200,
    sub: 'https://knell.example.org/knell',
  });
});

test('a server without HTTPS names a mail address', async () => {
  const vapid = createVapid(
    () => 'secret',
    () => 'http://localhost:8000',
  );
  const { claims } = await verifiedClaims(vapid.authorization(endpoint, nowMs));
  expect(claims.sub).toBe('mailto:knell@localhost');
});

test('a token with another claim is no longer valid', async () => {
  const vapid = createVapid(() => 'secret', site);
  const [before, after] = ['https://push.example.org:8443', 'https://other.example.org'].map((aud) =>
    vapid.authorization(aud, nowMs),
  );
  const [, content = ''] = /t=[^.]+\.([^.]+)/.exec(after ?? '') ?? [];
  const forged = (before ?? '').replace(/(t=[^.]+\.)[^.]+/, `$1${content}`);
  await expect(verifiedClaims(forged)).rejects.toThrow('not signed');
});

test('the same secret gives the same key, always; another one another key', async () => {
  const keyOf = (secret: string) => createVapid(() => secret, site).publicKey();
  // Browsers bind their subscriptions to it: another key would end them all.
  expect(keyOf('0123456789abcdef')).toBe(known);
  const keys = Array.from({ length: 200 }, (_, n) => keyOf(`secret ${n}`));
  expect(new Set(keys).size).toBe(200);
  for (const key of keys) {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
    await webcrypto.subtle.importKey('raw', Buffer.from(key, 'base64url'), algorithm, true, ['verify']);
  }
});

const known = 'BMzr14uG-Uc8QVJdTWH6fCveo5HCc16JBHuosNNjp41QbXLp8dIwrjGN6xVcC3KL4FaXowmyuV3TrfseQqcY3sM';
