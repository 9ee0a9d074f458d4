/** Whatever is sent as an envelope is read, or refused in words. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { envelopeCheckInsMax } from '../../../../src/http/limits.ts';
import { checkInsIn } from '../../../../src/http/pings/compat/sentry-envelope.ts';

const line = fc.oneof(
  fc.json({ maxDepth: 2 }),
  fc
    .record({ type: fc.constantFrom('check_in', 'event', 5), length: fc.oneof(fc.integer(), fc.double()) })
    .map((header) => JSON.stringify(header)),
  fc.constantFrom('{}', '', '{"type":"check_in"}', '{"monitor_slug":"a","status":"ok"}'),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.array(line, { maxLength: 30 }).map((lines) => Buffer.from(`{}\n${lines.join('\n')}`)),
);

describe('any bytes', () => {
  test('are read or refused, packed or not', () => {
    fc.assert(
      fc.property(bytes, fc.constantFrom('', 'gzip', 'br', 'deflate', 'x'), (body, encoding) => {
        const found = checkInsIn(body, encoding);
        if ('status' in found) expect([400, 415]).toContain(found.status);
        else expect(found.checkIns.length).toBeLessThanOrEqual(envelopeCheckInsMax);
      }),
      { numRuns: 2000 },
    );
  });

  test('mean the same packed', () => {
    fc.assert(
      fc.property(bytes, (body) => {
        expect(checkInsIn(gzipSync(body), 'gzip')).toEqual(checkInsIn(body, ''));
      }),
    );
  });
});

test('an item ends where its header says, or with its line', () => {
  const payload = '{"monitor_slug":\n"a"}';
  const withLength = `{}\n{"type":"check_in","length":${payload.length}}\n${payload}\n{"type":"check_in"}\n{"b":1}`;
  expect(checkInsIn(Buffer.from(withLength), '')).toEqual({
    key: '',
    checkIns: [{ monitor_slug: 'a' }, { b: 1 }],
  });
  expect(checkInsIn(Buffer.from('{}\n{"type":"check_in","length":1e9}\n{"a":1}'), '')).toMatchObject({
    checkIns: [{ a: 1 }],
  });
});
