/** Codes as the RFCs have them, and each of them once. */
import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  base32Of,
  bytesOfBase32,
  codeAt,
  type Hmac,
  otpauthUri,
  stepOf,
  totpStepMs,
} from '../../../src/domain/accounts/totp.ts';

const hmac: Hmac = (key, message) => createHmac('sha1', key).update(message).digest();
const secret = Buffer.from('12345678901234567890');

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('RFC 6238, appendix B: at %i s it is %s', (seconds, code) => {
  expect(codeAt(hmac, secret, Math.floor(seconds / 30), 8)).toBe(code);
});

test('RFC 4226, appendix D: the first ten', () => {
  const codes = Array.from({ length: 10 }, (_, step) => codeAt(hmac, secret, step));
  expect(codes).toEqual([
    ...['755224', '287082', '359152', '969429', '338314'],
    ...['254676', '287922', '162583', '399871', '520489'],
  ]);
});

test('RFC 4648: Base32 there and back', () => {
  const vectors = {
    f: 'MY',
    fo: 'MZXQ',
    foo: 'MZXW6',
    foob: 'MZXW6YQ',
    fooba: 'MZXW6YTB',
    foobar: 'MZXW6YTBOI',
  };
  for (const [text, coded] of Object.entries(vectors)) {
    expect(base32Of(Buffer.from(text))).toBe(coded);
    expect(Buffer.from(bytesOfBase32(coded) ?? []).toString()).toBe(text);
  }
  expect(bytesOfBase32('MZ1')).toBeNull();
  const bytes = randomBytes(20);
  expect(Buffer.from(bytesOfBase32(base32Of(bytes)) ?? [])).toEqual(bytes);
});

describe('a code', () => {
  const nowMs = 1_767_225_600_000;
  const step = nowMs / totpStepMs;
  const at = (offset: number) => codeAt(hmac, secret, step + offset);

  test('is good in its own step and the ones beside it', () => {
    const found = [-2, -1, 0, 1, 2].map((offset) => stepOf(hmac, { secret, lastStep: 0 }, at(offset), nowMs));
    expect(found).toEqual([null, step - 1, step, step + 1, null]);
  });

  test('is refused once its step, or a later one, was used', () => {
    expect(stepOf(hmac, { secret, lastStep: step }, at(0), nowMs)).toBeNull();
    expect(stepOf(hmac, { secret, lastStep: step + 1 }, at(0), nowMs)).toBeNull();
    expect(stepOf(hmac, { secret, lastStep: step }, at(1), nowMs)).toBe(step + 1);
  });
});

test('the URI has the account as text, and what apps need', () => {
  expect(otpauthUri('ada & co', 'MZXW6')).toBe(
    'otpauth://totp/Knell:ada%20%26%20co?secret=MZXW6&issuer=Knell&algorithm=SHA1&digits=6&period=30',
  );
});
