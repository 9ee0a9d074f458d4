import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRateLimit, rateLimitOptions } from '../../src/lib/rate-limit.ts';

const small = { perMinute: 60, burst: 3, clientsMax: 100 };

describe('the rate limit', () => {
  it('lets a burst through, then says after how many seconds the next one may come', () => {
    const limit = createRateLimit(small);
    expect([1, 2, 3, 4].map(() => limit.take('a', 0))).toEqual([0, 0, 0, 1]);
    expect(limit.take('a', 999)).toBe(1);
    expect(limit.take('a', 1000)).toBe(0);
    expect(limit.take('a', 1000)).toBe(1);
  });

  it('takes back a token that was of no use, and no more than a bucket holds', () => {
    const limit = createRateLimit(small);
    for (let i = 0; i < 3; i += 1) limit.take('a', 0);
    limit.giveBack('a');
    expect([limit.take('a', 0), limit.take('a', 0)]).toEqual([0, 1]);
    for (let i = 0; i < 9; i += 1) limit.giveBack('a');
    limit.giveBack('unknown');
    expect([1, 2, 3, 4].map(() => limit.take('a', 0))).toEqual([0, 0, 0, 1]);
  });

  it('counts each client by itself', () => {
    const limit = createRateLimit({ ...small, burst: 1 });
    expect([limit.take('a', 0), limit.take('b', 0), limit.take('a', 0)]).toEqual([0, 0, 1]);
  });

  it('has a burst of ten minutes by default', () => {
    const limit = createRateLimit(rateLimitOptions(100));
    const answers = Array.from({ length: 1001 }, () => limit.take('a', 0));
    expect(answers.filter((seconds) => seconds === 0)).toHaveLength(1000);
    expect(answers.at(-1)).toBe(1);
  });

  it('gives long waits in whole seconds', () => {
    const limit = createRateLimit({ perMinute: 1, burst: 1, clientsMax: 10 });
    limit.take('a', 0);
    expect(limit.take('a', 500)).toBe(60);
    expect(limit.take('a', 59_999)).toBe(1);
  });

  it('goes on when the clock is set back', () => {
    const limit = createRateLimit(small);
    for (let i = 0; i < 4; i += 1) limit.take('a', 1_000_000);
    expect(limit.take('a', 0)).toBe(1);
    expect(limit.take('a', 1000)).toBe(0);
  });

  it('forgets clients whose bucket is full again', () => {
    const limit = createRateLimit(small);
    for (let i = 0; i < 50; i += 1) limit.take(`client ${i}`, 0);
    expect(limit.size).toBe(50);
    for (let i = 0; i < 50; i += 1) limit.take('a', 3000 + i);
    expect(limit.size).toBe(1);
  });

  it('forgets the client unheard of for longest when there are too many', () => {
    const limit = createRateLimit({ ...small, burst: 1, clientsMax: 2 });
    for (const client of ['a', 'b', 'a', 'c']) limit.take(client, 0);
    expect(limit.size).toBe(2);
    expect(limit.take('a', 0)).toBe(1);
    expect(limit.take('b', 0)).toBe(0);
  });

  const calls = fc.array(
    fc.record({ client: fc.constantFrom('a', 'b', 'c'), afterMs: fc.nat({ max: 5000 }) }),
    { maxLength: 200 },
  );
  const options = fc.record({
    perMinute: fc.integer({ min: 1, max: 600 }),
    burst: fc.integer({ min: 1, max: 20 }),
  });

  it('never gives more than the burst and what has come back since', () => {
    fc.assert(
      fc.property(options, calls, ({ perMinute, burst }, sequence) => {
        const limit = createRateLimit({ perMinute, burst, clientsMax: 100 });
        let nowMs = 0;
        const givenAt: number[] = [];
        for (const { client, afterMs } of sequence) {
          nowMs += afterMs;
          if (limit.take(client, nowMs) === 0 && client === 'a') givenAt.push(nowMs);
        }
        givenAt.forEach((fromMs, index) => {
          const span = givenAt.slice(index);
          const minutes = ((span.at(-1) ?? fromMs) - fromMs) / 60_000;
          expect(span.length).toBeLessThanOrEqual(burst + minutes * perMinute + 1e-6);
        });
      }),
    );
  });

  it('keeps its word: a client that waits as long as it said is let through', () => {
    fc.assert(
      fc.property(options, calls, ({ perMinute, burst }, sequence) => {
        const limit = createRateLimit({ perMinute, burst, clientsMax: 100 });
        let nowMs = 0;
        for (const { client, afterMs } of sequence) {
          nowMs += afterMs;
          const waitSeconds = limit.take(client, nowMs);
          if (waitSeconds === 0) continue;
          nowMs += waitSeconds * 1000;
          expect(limit.take(client, nowMs)).toBe(0);
        }
      }),
    );
  });

  it('remembers a bounded number of clients, however many come', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.nat(100_000))), (sequence) => {
        const limit = createRateLimit({ ...small, clientsMax: 5 });
        for (const [client, nowMs] of sequence) {
          limit.take(client, nowMs);
          expect(limit.size).toBeLessThanOrEqual(5);
        }
      }),
    );
  });
});
