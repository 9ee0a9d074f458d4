/** What is kept of passwords: right ones are distinguished from wrong ones, one at a time, and not too many wait. */

import { expect, test } from 'vitest';
import { createPasswords } from '../../../src/commands/secrets/passwords.ts';
import { scryptCost } from '../../../src/domain/accounts/password-hash.ts';

test('the right password is right and another is not, nor is any for an unknown user', async () => {
  const passwords = createPasswords();
  const hash = (await passwords.hash('correct horse battery')) ?? '';
  expect(await passwords.verify('correct horse battery', hash)).toBe(true);
  expect(await passwords.verify('correct horse batterz', hash)).toBe(false);
  expect(await passwords.verify('correct horse battery', '')).toBe(false);
});

test('what is kept has a salt of its own, its cost, and not the password', async () => {
  const passwords = createPasswords();
  const [one = '', other = ''] = await Promise.all([
    passwords.hash('the same one'),
    passwords.hash('the same one'),
  ]);
  expect(one).toMatch(/^scrypt\$\d+\$\d+\$\d+\$[\w-]{22}\$[\w-]{43}$/);
  expect(other).not.toBe(one);
  expect(one).not.toContain('same');
});

test('one that was kept at another cost is known all the same, at none that is higher', async () => {
  const cheap = createPasswords({ ...scryptCost, N: 2 ** 8 });
  const hash = (await cheap.hash('correct horse battery')) ?? '';
  expect(hash).toMatch(/^scrypt\$256\$8\$3\$/);
  const passwords = createPasswords();
  expect(await passwords.verify('correct horse battery', hash)).toBe(true);
  expect(await passwords.verify('correct horse batterz', hash)).toBe(false);
  expect(await passwords.verify('correct horse battery', hash.replace('$256$', '$1048576$'))).toBe(false);
  expect((await passwords.hash('x')) ?? '').toMatch(/^scrypt\$32768\$8\$3\$/);
});

test('a letter typed as one code point or as two is the same letter', async () => {
  const passwords = createPasswords();
  const hash = (await passwords.hash('caf\u00e9 au lait')) ?? '';
  expect(await passwords.verify('cafe\u0301 au lait', hash)).toBe(true);
});

test('of more than sixteen at once the rest are asked to come back, and places get free', async () => {
  const passwords = createPasswords();
  const all = await Promise.all(Array.from({ length: 18 }, () => passwords.verify('x', '')));
  expect(all).toEqual([...Array.from({ length: 16 }, () => false), null, null]);
  expect(await passwords.verify('x', '')).toBe(false);
});
