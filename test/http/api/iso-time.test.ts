import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoMicroseconds, isoSeconds } from '../../../src/http/api/iso-time.ts';

describe('instants', () => {
  it('are whole seconds, cut, in UTC', () => {
    expect(isoSeconds(Date.parse('2024-02-29T23:59:59.999Z'))).toBe('2024-02-29T23:59:59+00:00');
    expect(isoSeconds(0)).toBe('1970-01-01T00:00:00+00:00');
  });

  it('have six fraction digits as the date of a ping, even when they are zeros', () => {
    expect(isoMicroseconds(Date.parse('2024-01-02T03:04:05.000Z'))).toBe('2024-01-02T03:04:05.000000+00:00');
    expect(isoMicroseconds(Date.parse('2024-01-02T03:04:05.678Z'))).toBe('2024-01-02T03:04:05.678000+00:00');
  });

  it('are what ECMAScript makes of them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) }), (atMs) => {
        expect(Date.parse(isoSeconds(atMs))).toBe(Math.floor(atMs / 1000) * 1000);
        expect(isoSeconds(atMs).slice(0, 19)).toBe(new Date(atMs).toISOString().slice(0, 19));
      }),
    );
  });
});
