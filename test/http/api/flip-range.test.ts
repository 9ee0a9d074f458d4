import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFlipRange } from '../../../src/http/api/flip-range.ts';

const now = 1_700_000_000_500;
const parse = (query: string) => parseFlipRange(new URLSearchParams(query), now);
const whole = { fromMs: 0, untilMs: 8_640_000_000_000_000 };

describe('the filters of a list of flips', () => {
  it.each([
    ['', whole],
    ['start=1600000000', { ...whole, fromMs: 1_600_000_000_000 }],
    ['end=1600000000', { ...whole, untilMs: 1_600_000_000_000 }],
    ['end=0', { ...whole, untilMs: 0 }],
    ['seconds=60', { ...whole, fromMs: now - 60_000 }],
    ['seconds=0', whole],
    ['seconds=', whole],
    ['seconds=60&start=1600000000', { ...whole, fromMs: now - 60_000 }],
    ['seconds=60&start=1699999999', { ...whole, fromMs: 1_699_999_999_000 }],
    ['start=5&start=6', { ...whole, fromMs: 6000 }],
    ['start=+6', { ...whole, fromMs: 6000 }],
    ['start=10000000000', { ...whole, fromMs: 10_000_000_000_000 }],
    ['unknown=x', whole],
  ])('take %j', (query, range) => {
    expect(parse(query)).toEqual({ ok: true, range });
  });

  it.each([
    'start=surprise',
    'start=',
    'start=-1',
    'start=1.5',
    'start=10000000001',
    'start=1600000000000',
    'end=surprise',
    'end=',
    'end=1e9',
    'seconds=surprise',
    'seconds=-1',
    'seconds=31536001',
    'seconds=0x10',
  ])('refuse %j and name the parameter', (query) => {
    const parsed = parse(query);
    expect(!parsed.ok && parsed.error).toContain(query.split('=')[0]);
  });

  it('answer anything', () => {
    fc.assert(
      fc.property(fc.webQueryParameters(), fc.string(), (query, value) => {
        parse(query);
        const parsed = parse(`start=${value}&seconds=${value}`);
        if (parsed.ok) expect(Number.isFinite(parsed.range.fromMs)).toBe(true);
      }),
    );
  });
});
