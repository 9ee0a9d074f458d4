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
  expect(stored.slice(0, released.length)).toEqual(released);
  expect(statusPageFields.timeZone.default).toBe('UTC');
  for (const name of statusPageFieldNames.filter((one) => one !== 'timeZone'))
    expect(statusPageFields[name].default ?? '', name).toBe('');
});

test('the hash of a password is never given, and a logo never shown', () => {
  expect(givenPageFields).toEqual(['slug', 'title', 'description', 'timeZone', 'logo']);
  expect(typedPageFields).toEqual(['slug', 'title', 'description', 'timeZone']);
});
