/** What rules keep, how those of a check and its project combine, and what others would free. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formerOfCheck, withFormer } from '../../../src/domain/retention/former-rules.ts';
import {
  KeptPings,
  keptByItself,
  type Retention,
  retentionInForce,
} from '../../../src/domain/retention/kept-pings.ts';
import { droppedWords, previewWords } from '../../../src/domain/retention/retention-words.ts';
import { wouldFree } from '../../../src/domain/retention/would-free.ts';
import { day, hour } from '../../../src/lib/units.ts';

const aliveMs = 1000 * day;

/** One ping a day, the newest an hour old; every fourth failed. */
function pingsOf(count: number) {
  return Array.from({ length: count }, (_, back) => {
    const n = count - back;
    return { n, atMs: aliveMs - back * day - hour, signal: n % 4 === 0 ? 'fail' : 'success', bodyBytes: 100 };
  });
}

function retention(rules: string, facts: Partial<Retention> = {}): Retention {
  return { rules, former: [], aliveMs, nPings: 12, pingsMax: 1000, ...facts };
}

function keptBy(given: Retention, count = given.nPings): readonly number[] {
  const kept = new KeptPings(given);
  return pingsOf(count).flatMap((ping) => (kept.next(ping) ? [ping.n] : []));
}

describe('of twelve daily pings, of which 4, 8 and 12 failed', () => {
  test.each([
    ['', [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]],
    ['pings last 3', [12, 11, 10]],
    ['pings 2 days', [12, 11]],
    ['pings 5 days, pings last 3', [12, 11, 10]],
    ['pings 2 days, failures 9 days', [12, 11, 8, 4]],
    ['pings last 2, failures last 2', [12, 11, 8]],
    ['failures last 1', [12, 11, 10, 9, 7, 6, 5, 3, 2, 1]],
  ])('%j keeps %j', (rules, kept) => {
    expect(keptBy(retention(rules))).toEqual(kept);
  });
});

test('the limit of the plan is the outer bound: of failures with a rule so many, of others those among the last so many', () => {
  const given = { pingsMax: 3 };
  expect(keptBy(retention('', given))).toEqual([12, 11, 10]);
  expect(keptBy(retention('pings 1 year', given))).toEqual([12, 11, 10]);
  expect(keptBy(retention('failures 1 year', { pingsMax: 2 }))).toEqual([12, 11, 8]);
});

const ruleTexts = fc.constantFrom(
  ...['', 'pings last 3', 'pings 4 days', 'pings 9 days, failures 2 days', 'failures last 2'],
  ...['bodies 3 days', 'bodies of failures 5 days, pings last 8', 'failures 1 year, bodies 2 days'],
);
const formerRules = fc.array(
  fc.record({ rules: ruleTexts, untilMs: fc.nat(14).map((back) => aliveMs - back * day) }),
  { maxLength: 3 },
);

test('one ping by itself is kept as among all of them, whatever the rules, or it is not certain', () => {
  const clocks = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(
      ruleTexts,
      formerRules,
      fc.constantFrom(5, 1000),
      clocks,
      (rules, former, pingsMax, clock) => {
        const given = retention(rules, { former, pingsMax });
        const kept = new KeptPings(given);
        for (const [at, ping] of pingsOf(12).entries()) {
          const seen = { ...ping, atMs: ping.atMs + (clock[at] ?? 0) * day };
          const all = kept.next(seen);
          const itself = keptByItself(given, seen);
          if (itself !== undefined) expect(itself).toEqual(all);
          else expect(former.length > 0 || rules.includes('failures')).toBe(true);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test('rules of a check replace all of those of its project', () => {
  const project = { retention: 'pings 2 days, failures 9 days' };
  expect(retentionInForce({ retention: 'pings last 5' }, project)).toMatchObject({ rules: 'pings last 5' });
  expect(retentionInForce({ retention: '' }, project)).toMatchObject({ rules: project.retention });
  expect(retentionInForce({ retention: '' }, {})).toBeNull();
});

test('what rules have dropped stays dropped when they are replaced, and no more than that', () => {
  const before = { check: { retention: 'pings last 3' }, project: {} };
  const after = { check: { retention: '' }, project: before.project };
  const former = formerOfCheck(before, after, aliveMs);
  expect(former).toEqual([{ rules: 'pings last 3', untilMs: aliveMs }]);
  // Of twelve pings then, three were left; three more have come since.
  const later = pingsOf(12).map((ping) => ({ ...ping, n: ping.n }));
  const newer = [15, 14, 13].map((n) => ({ n, atMs: aliveMs + n, signal: 'success', bodyBytes: 0 }));
  const kept = new KeptPings(retention('', { former: former ?? [], nPings: 15 }));
  const left = [...newer, ...later].flatMap((ping) => (kept.next(ping) ? [ping.n] : []));
  expect(left).toEqual([15, 14, 13, 12, 11, 10]);
});

test('what a project dropped is carried on by a check that leaves for rules of its own, and not by one that has them', () => {
  const project = { retention: 'pings 5 days', formerRetention: [{ rules: 'pings 1 day', untilMs: 7 }] };
  const own = formerOfCheck(
    { check: { retention: '' }, project },
    { check: { retention: 'pings 1 year' }, project },
    9,
  );
  expect(own).toEqual([
    { rules: 'pings 1 day', untilMs: 7 },
    { rules: 'pings 5 days', untilMs: 9 },
  ]);
  const check = { retention: 'pings 1 year' };
  expect(formerOfCheck({ check, project }, { check, project: {} }, 9)).toBeUndefined();
});

test('of former rules the latest are carried on, and the same ones once', () => {
  let former = withFormer([], { rules: 'a', untilMs: 1 });
  former = withFormer(former, { rules: 'a', untilMs: 2 });
  expect(former).toEqual([{ rules: 'a', untilMs: 2 }]);
  for (let at = 0; at < 20; at++) former = withFormer(former, { rules: `b${at}`, untilMs: at });
  expect(former).toHaveLength(8);
  expect(former.at(-1)?.rules).toBe('b19');
});

test('a preview counts pings and bodies, each once, and says so', () => {
  expect(wouldFree(pingsOf(12), retention(''), 'pings last 10, bodies 2 days')).toEqual({
    pings: 2,
    bodies: 10,
    bytes: 1000,
  });
  expect(wouldFree(pingsOf(12), retention(''), 'pings last 1000')).toEqual({ pings: 0, bodies: 0, bytes: 0 });
  const figures = { pings: 1204, bodies: 312, bytes: 48_200_000, checks: 1, checksLeftOut: 0 };
  expect(previewWords(figures)).toBe('Would drop 1,204 pings and 312 outputs, 48 MB.');
  expect(previewWords({ ...figures, pings: 1, bodies: 0 })).toBe('Would drop 1 ping.');
  expect(previewWords({ ...figures, pings: 0, bodies: 0, checks: 2000, checksLeftOut: 5 })).toBe(
    'Would drop nothing that is there now. Of 2,000 checks; 5 more were not looked at.',
  );
  expect(droppedWords(3 * day)).toBe('Output dropped by the retention rule after 3 days.');
});
