/** The grammar of rules of retention, and what is said of a text that is none. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noRules, readRetention, retentionError } from '../../../src/domain/retention/retention-rules.ts';
import { day, hour } from '../../../src/lib/units.ts';

test('rules are one per line or between commas, in any case, with any blanks', () => {
  const rules = readRetention(
    ' Pings  last 500\n\npings 90 DAYS, failures 1 year\nbodies of successes 3 days ',
  );
  expect(rules).toEqual({
    pings: { last: 500, ageMs: 90 * day },
    failures: { last: null, ageMs: 365 * day },
    successBodiesMs: 3 * day,
    failureBodiesMs: null,
  });
  expect(retentionError('')).toBe('');
  expect(readRetention('')).toEqual(noRules);
});

test('a rule of bodies is for all of them, and one of a kind takes its place for that kind', () => {
  expect(readRetention('bodies 36 hours')).toMatchObject({
    successBodiesMs: 36 * hour,
    failureBodiesMs: 36 * hour,
  });
  expect(readRetention('bodies of failures 2 weeks, bodies 1 day')).toMatchObject({
    successBodiesMs: day,
    failureBodiesMs: 14 * day,
  });
});

test.each([
  [
    'keep it',
    'rule 1: "keep it" is no rule; begin with pings, failures, bodies, bodies of successes, bodies of failures',
  ],
  ['pings 1 day, pings', 'rule 2: "pings" is no rule; write pings and then "last 500" or "90 days"'],
  [
    'bodies of failures',
    'rule 1: "bodies of failures" is no rule; write bodies of failures and then "30 days"',
  ],
  [
    'pings 90 days ago',
    'rule 1: "pings 90 days ago" is no rule; write pings and then "last 500" or "90 days"',
  ],
  ['pings lst 9', 'rule 1: "pings lst 9" is no rule; write pings and then "last 500" or "90 days"'],
  ['pings last 0', 'rule 1: "0" is no number of pings; write 1 to 1000'],
  ['pings last 1001', 'rule 1: "1001" is no number of pings; write 1 to 1000'],
  ['pings last -5', 'rule 1: "-5" is no number of pings; write 1 to 1000'],
  ['pings 90 fortnights', 'rule 1: "fortnights" is no unit of time; write hours, days, weeks or years'],
  ['pings 0 days', 'rule 1: "0 days" is no such time; write 1 hour to 10 years'],
  ['pings 11 years', 'rule 1: "11 years" is no such time; write 1 hour to 10 years'],
  ['pings 1.5 days', 'rule 1: "1.5 days" is no such time; write 1 hour to 10 years'],
  [
    'bodies last 5',
    'rule 1: bodies are kept for a time, such as "bodies 30 days"; a number of them is no rule',
  ],
  ['pings 1 day\npings 2 days', 'rule 2: "pings" has such a rule already; write one of each kind'],
  ['x'.repeat(501), 'these are 501 characters; write at most 500'],
])('%j is refused in words', (text, error) => {
  expect(retentionError(text)).toBe(error);
});

test('of any text there are rules or an error, and never a bound that is out of range', () => {
  const words = fc.constantFrom(
    'pings',
    'failures',
    'bodies',
    'of',
    'successes',
    'last',
    '5',
    '9e9',
    'days',
    ',',
    '\n',
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(words, { maxLength: 30 }).map((list) => list.join(' ')),
  );
  const property = fc.property(text, (given) => {
    const { pings, failures, successBodiesMs, failureBodiesMs } = readRetention(given);
    for (const last of [pings.last, failures?.last ?? null])
      if (last !== null) expect(last >= 1 && last <= 1000).toBe(true);
    for (const ms of [pings.ageMs, failures?.ageMs ?? null, successBodiesMs, failureBodiesMs])
      if (ms !== null) expect(ms >= hour && ms <= 3650 * day).toBe(true);
    expect(retentionError(given)).not.toMatch(/\n/);
  });
  fc.assert(property, { numRuns: 300 });
});
