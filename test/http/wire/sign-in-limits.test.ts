/** Who may try a password, who is locked out, and that no stranger can lock out the owner of an account. */
import { beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../../src/config.ts';
import { SignInLimits } from '../../../src/http/wire/sign-in-limits.ts';
import { minute } from '../../../src/lib/units.ts';

const { signIn } = limits;
let tries: SignInLimits;

beforeEach(() => {
  tries = new SignInLimits(signIn);
});

/** How many of `count` tries from each of the addresses may go on. */
function allowed(addresses: readonly string[], count: number, account = 'ada', nowMs = 0): number {
  let passed = 0;
  for (let n = 0; n < count; n++) {
    for (const address of addresses) if (tries.take(address, account, nowMs) === 0) passed++;
  }
  return passed;
}

const botnet = Array.from({ length: 1000 }, (_, n) => `198.51.${n >> 8}.${n & 255}`);

describe('wrong passwords', () => {
  test('lock out their pair of account and address, and nobody else', () => {
    expect(allowed(['192.0.2.1'], 100)).toBe(signIn.perPair.burst);
    expect(tries.take('192.0.2.1', 'ada', 0)).toBeGreaterThan(0);
    expect(tries.take('192.0.2.2', 'ada', 0)).toBe(0);
    expect(tries.take('192.0.2.1', 'ben', 0)).toBe(0);
    expect(tries.take('192.0.2.1', 'ada', minute)).toBe(0);
  });

  test('from one address, however many, leave the account nearly all of its own bound', () => {
    allowed(['192.0.2.1'], 10_000);
    expect(allowed(botnet, 1)).toBe(signIn.perAccount.burst - signIn.perPair.burst);
  });

  test('from many addresses are few in all', () => {
    expect(allowed(botnet, 20)).toBe(signIn.perAccount.burst);
    expect(allowed(botnet, 20, 'ada', minute)).toBe(signIn.perAccount.perMinute);
  });

  test('from many addresses do not lock out an address from which the account has signed in', () => {
    tries.succeeded('192.0.2.1', 'ada');
    allowed(botnet, 20);
    expect(tries.take('192.0.2.2', 'ada', 0)).toBeGreaterThan(0);
    expect(allowed(['192.0.2.1'], 100)).toBe(signIn.perPair.burst);
  });

  test('for many accounts from one address are bounded by the address', () => {
    const accounts = Array.from({ length: 100 }, (_, n) => `user ${n}`);
    const passed = accounts.filter((account) => tries.take('192.0.2.1', account, 0) === 0);
    expect(passed.length).toBe(signIn.perAddress.burst);
  });
});

test('the addresses remembered have a bound; the oldest is forgotten first', () => {
  tries = new SignInLimits({ ...signIn, knownPairsMax: 2 });
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) tries.succeeded(address, 'ada');
  allowed(botnet, 20);
  const passing = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(
    (address) => tries.take(address, 'ada', 0) === 0,
  );
  expect(passing).toEqual([false, true, true]);
});
