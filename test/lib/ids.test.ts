import { expect, test } from 'vitest';
import { asCheckId, isUuid, parseRunId, randomBase62, uniqueKeyOf } from '../../src/lib/ids.ts';
import { redactUrl } from '../../src/lib/logger.ts';

test('a unique key is the SHA-1 of the first half of the UUID, as clients know it', () => {
  expect(uniqueKeyOf(asCheckId('f618072a-7bde-4eee-af63-71a77c5723bc'))).toBe(
    '69ac51664c827e8f64a265bb001c5fc29512285c',
  );
});

test('random keys have their length and their alphabet, and differ', () => {
  const keys = new Set(Array.from({ length: 1000 }, () => randomBase62(22)));
  expect(keys.size).toBe(1000);
  for (const key of keys) expect(key).toMatch(/^[0-9A-Za-z]{22}$/);
});

test('a run id is a UUID of any version, in either case', () => {
  expect(parseRunId('9B1E1F0E-7A4D-1A51-8F1E-2F8F2A6A3C11')).toBe('9b1e1f0e-7a4d-1a51-8f1e-2f8f2a6a3c11');
  for (const text of [
    '',
    'x',
    '9b1e1f0e7a4d4a518f1e2f8f2a6a3c11',
    '{9b1e1f0e-7a4d-4a51-8f1e-2f8f2a6a3c11}',
  ]) {
    expect(parseRunId(text)).toBeNull();
  }
  expect(isUuid('9B1E1F0E-7A4D-1A51-8F1E-2F8F2A6A3C11')).toBe(false);
});

test('a path in the log shows neither whose check it is nor a key', () => {
  expect(redactUrl('/ping/9b1e1f0e-7a4d-4a51-8f1e-2f8f2a6a3c11/start?rid=x')).toBe('/ping/…');
  expect(redactUrl('/api/v3/checks/9b1e1f0e-7a4d-4a51-8f1e-2f8f2a6a3c11/pause')).toBe('/api/v3/checks/…');
  expect(redactUrl('/api/v3/status/')).toBe('/api/v3/status/');
});
