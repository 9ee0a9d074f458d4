import { describe, expect, test } from 'vitest';
import { createMeter, exponentialBounds } from '../../src/lib/meter.ts';

describe('a meter', () => {
  test('lists what was counted, by name, a series for each set of labels', () => {
    const meter = createMeter();
    const ok = meter.counter('pings_total', 'Pings.', { result: 'ok' });
    meter.counter('pings_total', 'Pings.', { result: 'not-found' }).add(2);
    meter.gauge('checks', 'Checks.').set(7);
    ok.add();
    ok.add();
    expect(meter.collect()).toEqual([
      { kind: 'gauge', name: 'checks', help: 'Checks.', series: [{ labels: {}, value: 7 }] },
      {
        kind: 'counter',
        name: 'pings_total',
        help: 'Pings.',
        series: [
          { labels: { result: 'ok' }, value: 2 },
          { labels: { result: 'not-found' }, value: 2 },
        ],
      },
    ]);
  });

  test('gives the same series for the same name and labels', () => {
    const meter = createMeter();
    meter.gauge('depth', 'Depth.', { of: 'a' }).add(3);
    meter.gauge('depth', 'Depth.', { of: 'a' }).add(-1);
    expect(meter.collect()).toMatchObject([{ series: [{ labels: { of: 'a' }, value: 2 }] }]);
  });

  test('reads an observable gauge when it is collected, the latest reader of a series', () => {
    const meter = createMeter();
    let size = 1;
    meter.observable('size', 'Size.', () => 99);
    meter.observable('size', 'Size.', () => size);
    size = 5;
    expect(meter.collect()).toMatchObject([{ kind: 'gauge', series: [{ value: 5 }] }]);
  });

  test('counts values into cumulative buckets, bounds included', () => {
    const meter = createMeter();
    const seconds = meter.histogram('took_seconds', 'Duration.', [0.1, 1]);
    for (const value of [0.05, 0.1, 0.5, 3]) seconds.observe(value);
    expect(meter.collect()).toMatchObject([
      {
        kind: 'histogram',
        series: [
          {
            buckets: [
              { bound: 0.1, count: 2 },
              { bound: 1, count: 3 },
              { bound: Number.POSITIVE_INFINITY, count: 4 },
            ],
            sum: 3.65,
            count: 4,
          },
        ],
      },
    ]);
  });

  test('refuses a name of two kinds or with two help texts, and a counter that is not called one', () => {
    const meter = createMeter();
    meter.counter('a_total', 'A.');
    expect(() => meter.gauge('a_total', 'A.')).toThrow('a_total');
    expect(() => meter.counter('a_total', 'B.')).toThrow('a_total');
    expect(() => meter.counter('a', 'A.')).toThrow('_total');
    expect(() => meter.histogram('h', 'H.', [2, 1])).toThrow('ascend');
  });

  test('has bounds that grow by a factor', () => {
    expect(exponentialBounds(0.001, 2, 4)).toEqual([0.001, 0.002, 0.004, 0.008]);
  });
});
