/** The table of a status page's values: what must not change once it was released. */
import { expect, test } from 'vitest';
import {
  givenPageFields,
  statusPageFieldNames,
  statusPageFields,
  typedPageFields,
} from '../../../src/domain/accounts/status-page-fields.ts';

test('are stored under names and in an order that stay', () => {
  const stored = statusPageFieldNames.map((name) => statusPageFields[name].stored);
  const released = ['slug', 'title', 'description', 'tz', 'password_hash', 'logo'];
  expect(stored.filter((key) => released.includes(key))).toEqual(released);
  expect(statusPageFields.timeZone.default).toBe('UTC');
  for (const name of statusPageFieldNames.filter((one) => one !== 'timeZone'))
    expect(statusPageFields[name].default ?? '', name).toBe('');
});

test('the hash of a password is never given, and a logo never shown', () => {
  expect(givenPageFields).not.toContain('passwordHash');
  expect(typedPageFields).toEqual(givenPageFields.filter((name) => name !== 'logo'));
  expect(typedPageFields).toContain('slug');
});
