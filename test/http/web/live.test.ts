/** Which checks the open pages are told of, and what that costs those who ping them. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Touches } from '../../../src/http/web/live.ts';
import { checkOf, projectOf } from '../../support/store-facts.ts';

const opened: Touches[] = [];

afterEach(() => {
  vi.useRealTimers();
  for (const touches of opened.splice(0)) touches.stop();
});

function started(listening: boolean): Touches {
  const touches = new Touches();
  touches.listen(listening);
  opened.push(touches);
  return touches;
}

describe('touches', () => {
  test('are not noted while nobody listens, nor kept when the last has gone', () => {
    const touches = started(false);
    touches.touched(checkOf(1));
    expect(touches.take(10).size).toBe(0);
    touches.listen(true);
    touches.touched(checkOf(1));
    touches.listen(false);
    touches.listen(true);
    expect(touches.take(10).size).toBe(0);
  });

  test('are one a check, by project, those waiting longest first, no more than are asked for', () => {
    const touches = started(true);
    const other = projectOf(2).id;
    for (let n = 0; n < 1000; n++) touches.touched(checkOf(1 + (n % 3)));
    touches.touched(checkOf(4, { projectId: other }));
    expect([...touches.take(2)]).toEqual([[projectOf(1).id, [checkOf(1).id, checkOf(2).id]]]);
    expect([...touches.take(10)]).toEqual([
      [projectOf(1).id, [checkOf(3).id]],
      [other, [checkOf(4).id]],
    ]);
    expect(touches.take(10).size).toBe(0);
  });

  test('are told soon, once for many, and again while some are left', async () => {
    const touches = started(true);
    const told: number[] = [];
    await new Promise<void>((resolve) => {
      touches.tellBy(() => {
        told.push([...touches.take(2).values()].flat().length);
        if (told.length === 2) resolve();
      });
      for (let n = 0; n < 300; n++) touches.touched(checkOf(n % 3));
    });
    expect(told).toEqual([2, 1]);
  });

  test('of ten thousand checks at once are all told of within two seconds', () => {
    vi.useFakeTimers();
    const touches = started(true);
    let told = 0;
    touches.tellBy(() => {
      for (const ids of touches.take(300).values()) told += ids.length;
    });
    for (let n = 0; n < 10_000; n++) touches.touched(checkOf(n));
    vi.advanceTimersByTime(2000);
    expect(told).toBe(10_000);
  });

  test.each([
    { pages: 'no page', listening: false, nsMax: 100 },
    { pages: 'pages', listening: true, nsMax: 1000 },
  ])('cost a ping less than $nsMax ns of the processor with $pages open', ({ listening, nsMax }) => {
    const touches = started(listening);
    const checks = Array.from({ length: 10_000 }, (_, number) => checkOf(number));
    const round = (): number => {
      const before = process.cpuUsage();
      for (let n = 0; n < 20; n++) for (const check of checks) touches.touched(check);
      touches.take(checks.length);
      const { user, system } = process.cpuUsage(before);
      return ((user + system) * 1000) / (20 * checks.length);
    };
    // Ten and two hundred nanoseconds: the best of five leaves out what else the process did.
    expect(Math.min(...Array.from({ length: 5 }, round))).toBeLessThan(nsMax);
  });
});
