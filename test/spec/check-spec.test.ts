import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSpec, specErrors } from '../../src/spec/check-spec.ts';
import type { JsonObject } from '../../src/spec/field-reader.ts';

function errorOf(json: JsonObject): string | null {
  const parsed = parseSpec(json);
  return parsed.ok ? null : parsed.error.replace(/^json validation error: /, '');
}

const long = (length: number): string => 'x'.repeat(length);

const refused: readonly (readonly [json: JsonObject, error: string])[] = [
  [{ channels: 5 }, 'channels is not a string'],
  [{ channels: null }, 'channels is not a string'],
  [{ desc: null }, 'desc is not a string'],
  [{ desc: ['a'] }, 'desc is not a string'],
  [{ desc: long(100_001) }, 'desc is too long'],
  [{ failure_kw: 1 }, 'failure_kw is not a string'],
  [{ failure_kw: long(201) }, 'failure_kw is too long'],
  [{ filter_body: 'yes' }, 'filter_body is not a boolean'],
  [{ filter_body: 1 }, 'filter_body is not a boolean'],
  [{ filter_default_fail: null }, 'filter_default_fail is not a boolean'],
  [{ filter_http_body: 0 }, 'filter_http_body is not a boolean'],
  [{ filter_subject: {} }, 'filter_subject is not a boolean'],
  [{ grace: 59 }, 'grace is too small'],
  [{ grace: 31_536_001 }, 'grace is too large'],
  [{ grace: null }, 'grace is not a number'],
  [{ grace: 60.5 }, 'grace is not a number'],
  [{ manual_resume: 'true' }, 'manual_resume is not a boolean'],
  [{ methods: 'GET' }, 'methods has unexpected value'],
  [{ methods: null }, 'methods has unexpected value'],
  [{ methods: 5 }, 'methods has unexpected value'],
  [{ name: false }, 'name is not a string'],
  [{ name: null }, 'name is not a string'],
  [{ name: long(101) }, 'name is too long'],
  [{ name: '\ud800' }, 'name is not a string'],
  [{ schedule: 5 }, 'schedule is not a string'],
  [{ schedule: '' }, 'schedule is not a valid cron or OnCalendar expression'],
  [{ schedule: '* * *' }, 'schedule is not a valid cron or OnCalendar expression'],
  [{ schedule: '* * * * * *' }, 'schedule is not a valid cron or OnCalendar expression'],
  [{ schedule: '*\n* * * *' }, 'schedule is not a valid cron or OnCalendar expression'],
  [{ schedule: '0 0 31 2 *' }, 'schedule is not a valid cron or OnCalendar expression'],
  [{ schedule: `* * * * ${long(100)}` }, 'schedule is too long'],
  [{ slug: 'Foo' }, 'slug does not match pattern'],
  [{ slug: 'foo\n' }, 'slug does not match pattern'],
  [{ slug: long(101) }, 'slug is too long'],
  [{ slug: null }, 'slug is not a string'],
  [{ start_kw: long(201) }, 'start_kw is too long'],
  [{ subject: long(201) }, 'subject is too long'],
  [{ subject_fail: 7 }, 'subject_fail is not a string'],
  [{ success_kw: long(201) }, 'success_kw is too long'],
  [{ tags: ['a', 'b'] }, 'tags is not a string'],
  [{ tags: long(501) }, 'tags is too long'],
  [{ timeout: 0 }, 'timeout is too small'],
  [{ timeout: -0 }, 'timeout is too small'],
  [{ timeout: 59 }, 'timeout is too small'],
  [{ timeout: 31_536_001 }, 'timeout is too large'],
  [{ timeout: 1e300 }, 'timeout is too large'],
  [{ timeout: '60' }, 'timeout is not a number'],
  [{ timeout: 'oops' }, 'timeout is not a number'],
  [{ timeout: true }, 'timeout is not a number'],
  [{ timeout: [60] }, 'timeout is not a number'],
  [{ timeout: null }, 'timeout is not a number'],
  [{ tz: 5 }, 'tz is not a string'],
  [{ tz: 'not-a-timezone' }, 'tz is not a valid timezone'],
  [{ tz: 'europe/riga' }, 'tz is not a valid timezone'],
  [{ tz: '' }, 'tz is not a valid timezone'],
  [{ unique: 'name' }, 'unique is not an array'],
  [{ unique: null }, 'unique is not an array'],
  [{ unique: {} }, 'unique is not an array'],
  [{ unique: ['status'] }, "an item in 'unique' has unexpected value"],
  [{ unique: ['name', null] }, "an item in 'unique' has unexpected value"],
];

const taken: readonly JsonObject[] = [
  {},
  { api_key: 5, unknown: null },
  { name: '' },
  { name: long(100) },
  { name: '😀'.repeat(100) },
  { slug: 'a-z_0-9' },
  { tags: long(500) },
  { desc: long(100_000) },
  { success_kw: long(200), failure_kw: 'é'.repeat(200) },
  { timeout: 60, grace: 31_536_000 },
  { schedule: '*/5 * * * *' },
  { schedule: '  0 4  * * MON ' },
  { schedule: 'Mon..Fri 12:00' },
  { schedule: '12:00\n13:00' },
  { tz: 'Europe/Riga' },
  { methods: '' },
  { methods: 'POST' },
  { unique: [] },
  { unique: ['name', 'slug', 'tags', 'timeout', 'grace'] },
];

describe('the parameters of create and update', () => {
  it.each(refused)('refuses %j: %s', (json, error) => {
    expect(errorOf(json)).toBe(error);
  });

  it.each(taken)('takes %j', (json) => {
    expect(errorOf(json)).toBeNull();
  });

  it('counts code points, not what they are stored in', () => {
    expect(errorOf({ name: '😀'.repeat(101) })).toBe('name is too long');
  });

  it('reports only the first error, fields taken by alphabet', () => {
    expect(errorOf({ unique: 5, tz: 5, timeout: 1, name: 5 })).toBe('name is not a string');
    expect(errorOf({ unique: 5, tz: 'x', schedule: 'x' })).toContain('schedule');
    expect(errorOf({ channels: 5, desc: 5 })).toContain('channels');
  });

  it('reports each error where all are wanted, the first of them first', () => {
    expect(specErrors({ unique: 5, tz: 'x', timeout: 1, name: 5, desc: 'd' })).toEqual([
      'name is not a string',
      'timeout is too small',
      'tz is not a valid timezone',
      'unique is not an array',
    ]);
    for (const [json] of refused) expect(specErrors(json)[0]).toBe(errorOf(json));
    expect(specErrors({ name: 'a', timeout: 60 })).toEqual([]);
  });

  it('says which json it is about', () => {
    expect(parseSpec({ tz: 1 })).toEqual({ ok: false, error: 'json validation error: tz is not a string' });
  });

  it('replaces retired zone names by their present ones', () => {
    const parsed = parseSpec({ tz: 'Europe/Kiev' });
    expect(parsed.ok && parsed.spec.tz).toBe('Europe/Kyiv');
  });

  it('leaves what is absent undefined', () => {
    const parsed = parseSpec({ name: 'a' });
    expect(parsed.ok && JSON.parse(JSON.stringify(parsed.spec))).toEqual({ name: 'a' });
  });

  it('does not take inherited properties for fields', () => {
    const json: JsonObject = Object.create({ name: 5 });
    expect(errorOf(json)).toBeNull();
  });

  it('answers every object, and never throws', () => {
    const fields = refused.flatMap(([json]) => Object.keys(json));
    const anything = fc.dictionary(fc.oneof(fc.constantFrom(...fields), fc.string()), fc.jsonValue());
    fc.assert(
      fc.property(anything, (json) => {
        const parsed = parseSpec(json);
        expect(parsed.ok || parsed.error.startsWith('json validation error: ')).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
