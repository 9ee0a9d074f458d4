/**
 * Kinds and validity, refusals that say why, and bounds on time for hostile expressions.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectKind, parseSchedule } from '../../src/schedule/schedule.ts';

function errorOf(expr: string, tz = 'UTC'): string {
  const parsed = parseSchedule(expr, tz);
  return parsed.ok ? '' : parsed.error;
}

function firstAfter(expr: string, from: string, tz = 'UTC'): string | null {
  const parsed = parseSchedule(expr, tz);
  if (!parsed.ok) throw new Error(parsed.error);
  const next = parsed.schedule.next(Date.parse(from));
  return next === null ? null : new Date(next).toISOString();
}

describe('the kind of an expression', () => {
  it.each([
    ['* * * * *', 'cron'],
    ['  a b c d e  ', 'cron'],
    ['\t1 2\t3 4 5\n', 'cron'],
    ['* * * *', 'oncalendar'],
    ['* * * * * *', 'oncalendar'],
    ['1 2 3\n4 5', 'oncalendar'],
    ['', 'oncalendar'],
  ])('%j is %s', (expr, kind) => expect(detectKind(expr)).toBe(kind));
});

describe('validity', () => {
  it('keeps the expression verbatim and the zone under its present name', () => {
    const parsed = parseSchedule(' 0 0 * * * ', 'Asia/Calcutta');
    expect(parsed).toMatchObject({
      ok: true,
      schedule: { expr: ' 0 0 * * * ', tz: 'Asia/Kolkata', kind: 'cron' },
    });
  });

  it('takes 100 characters and refuses 101, counted in code points', () => {
    expect(errorOf(`* * * * *${' '.repeat(91)}`)).toBe('');
    expect(errorOf(`* * * * *${' '.repeat(92)}`)).toMatch(/longer than 100/);
    expect(errorOf('🕒'.repeat(100))).not.toMatch(/longer/);
  });

  it('says what is wrong', () => {
    expect(errorOf('61 * * * *')).toBe('invalid minute "61": use 0–59');
    expect(errorOf('0 0 * * MONL')).toBe('invalid weekday "MONL": use 0–7 or SUN–SAT');
    expect(errorOf('0 0 30 2 *')).toMatch(/no chosen month/);
    expect(errorOf('*-2-30')).toBe('never occurs after 2000-01-01');
    expect(errorOf('25:00')).toBe('invalid hour "25": use 0–23');
    expect(errorOf('0 0 * * *', 'Nowhere')).toBe('unknown time zone "Nowhere"');
  });

  it.each([
    ['*/5 * * *', '4 fields; cron has 5: minute, hour, day of month, month, weekday'],
    ['0 3 * * MON-FRI *', '6 fields; cron has 5'],
    ['0 *', '2 fields; cron has 5'],
    ['0 0 1,15 JAN', '4 fields; cron has 5'],
    ['Mon..Fri 25:00', 'invalid hour "25"'],
    ['Mon 2026-1-1 9:00 12:00', 'expected [weekdays] [date] [time] [zone]'],
    ['2026-1-1 12', 'unknown'],
    ['Fri 13 *', 'unknown word "13": a time is written as 15:00'],
    ['', 'expected [weekdays]'],
  ])('counts the fields of %j only where it is meant for cron', (expr, words) => {
    expect(errorOf(expr)).toContain(words);
  });

  it.each([
    ['Mon 3pm', 'unknown word "3pm": a time is written as 15:00'],
    ['3pm', 'unknown word "3pm": a time is written as 15:00'],
    ['Mon 15', 'unknown word "15": a time is written as 15:00'],
    ['Mon 15:00 Nowhere', 'unknown word "Nowhere"'],
    ['Mon..Fri 09:00 Europe/Nowhere', 'it ends in an unknown time zone: "Europe/Nowhere"'],
    ['Mon *-*-* 09:00 Europe/Nowhere', 'it ends in an unknown time zone: "Europe/Nowhere"'],
    ['daily Europe/Nowhere', 'it ends in an unknown time zone: "Europe/Nowhere"'],
    ['Monday 3pm', 'unknown word "3pm": a time is written as 15:00'],
    ['Monday foo', 'unknown word "foo"'],
    ['Mon Tue 15:00', 'weekdays are one word: "Mon,Tue"'],
    ['15:00 Mon', 'expected [weekdays] [date] [time] [zone], in this order'],
    [
      'Frobday',
      'unknown word "Frobday": write five fields of cron, as in 0 3 * * *, or OnCalendar, as in Mon 15:00',
    ],
    ['Frobday 15:00', 'unknown weekday "Frobday"'],
    ['OnCalendar=daily', 'leave out "OnCalendar=": the expression is what follows it'],
    ['OnCalendar = Mon *-*-* 10:00', 'leave out "OnCalendar=": the expression is what follows it'],
    [
      'OnCalendar=Mon..Fri 9:00\nOnCalendar=Sun 12:00',
      'leave out "OnCalendar=": the expression is what follows it',
    ],
  ])('names the word of %j that is wrong', (expr, words) => {
    expect(errorOf(expr)).toBe(words);
  });

  it('does not depend on the zone: validity is tried in UTC', () => {
    expect(errorOf('2000-1-1 0:0:1', 'Asia/Tokyo')).toBe('');
    expect(firstAfter('Sun *-3-8..14 2:30', '2026-01-01T00:00Z', 'America/New_York')).toBe(null);
  });

  it.each([
    '*-1~1..4/2 → 2026-01-28',
    '*-1~2..7/3 → 2026-01-25',
    '*-1~28/40 → 2026-01-04',
    '*-1~29..31/2 → 2026-01-03',
    '*-1-5..5/2 → 2026-01-05',
    '26-2-1 → 2026-02-01',
    '*-02-30\n12:00 → 2026-01-01',
  ])('reads corners of OnCalendar: %j', (text) => {
    const [expr = '', day = ''] = text.split(' → ');
    expect(firstAfter(expr, '2026-01-01T00:00Z')?.slice(0, 10)).toBe(day);
  });

  it.each([
    '126-1-1',
    '2026/0-1-1',
    '*:0/0',
    'Mon,,Tue',
    ',Mon',
    'daily,',
    'Mon/2',
    'Tues',
    '*-1~30/1',
    '*-1~0..5',
    '*-1~*,1',
    'UTC',
    '12:00 UTC UTC',
    'Mon daily',
    '12:00\r13:00',
  ])('refuses corners of OnCalendar: %j', (expr) => expect(errorOf(expr)).not.toBe(''));

  it.each([
    '5,,6 * * * *',
    '*/0 * * * *',
    '0 0 L/0 * *',
    '0 0 * * 5L/2',
    '0 0 * * 8L',
    '0 0 * * L',
    '1/2/3 * * * *',
  ])('refuses corners of cron: %j', (expr) => expect(errorOf(expr)).not.toBe(''));
});

describe('hostile input', () => {
  const alphabet = [...'0123456789*/-,.~:#LW \n\tMonSUJanfebUTC\u00a0\ufeff¹é'];
  const words = [
    '*',
    '*/2',
    'LW',
    '5L',
    '1#2',
    'Mon..Fri',
    '*-*-*',
    '~',
    '0/1',
    'Europe/Riga',
    'daily',
    '29',
    '2',
    '\n',
  ];

  it('never makes parseSchedule or next throw', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 40 }),
      fc.array(fc.constantFrom(...words), { maxLength: 7 }).map((list) => list.join(' ')),
      fc.array(fc.constantFrom(...words), { minLength: 5, maxLength: 5 }).map((list) => list.join(' ')),
    );
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: Date.UTC(9_999, 0) }), (expr, from) => {
        const parsed = parseSchedule(expr, 'Europe/Riga');
        if (parsed.ok) expect(parsed.schedule.next(from) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(from);
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    '0 0 29 2 1',
    '0 0 */29 2 1',
    'Mon 2199-2~1,3/2,5/2\nTue 2198/1-2-3',
    '2199-12-31 23:59:59',
    'Sun 3~7/1 1:*:* Portugal\nSun 3~7/1 2:*:* Poland\nSun 3~7/1 3:*:* Turkey',
    '*/5 2 8-14 3 */7',
    `${'1/1,'.repeat(20)}1/1-2-30`,
    Array(16).fill('*-2-30').join('\n'),
    `${Array.from({ length: 32 }, (_, index) => index).join()} 0 1 1 *`,
    `0 0 * * ${'1#1,'.repeat(20)}1`,
  ])('is judged and searched within milliseconds: %j', (expr) => {
    // Processor time, best of twenty: the machine's other work is not the expression's fault.
    const times = Array.from({ length: 20 }, () => {
      const started = process.cpuUsage();
      const parsed = parseSchedule(expr, 'America/New_York');
      if (parsed.ok) parsed.schedule.next(Date.UTC(2026, 0));
      const { user, system } = process.cpuUsage(started);
      return (user + system) / 1000;
    });
    expect(Math.min(...times)).toBeLessThan(10);
  });
});
