import { describe, expect, it } from 'vitest';
import { type CheckConfig, defaultConfig } from '../../src/domain/check/check.ts';
import type { ApiVersion } from '../../src/spec/apply-spec.ts';
import { configAfter, matchesUnique } from '../../src/spec/apply-spec.ts';
import { type CheckSpec, parseSpec } from '../../src/spec/check-spec.ts';
import type { JsonObject } from '../../src/spec/field-reader.ts';

function spec(json: JsonObject): CheckSpec {
  const parsed = parseSpec(json);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.spec;
}

function changed(
  json: JsonObject,
  before: Partial<CheckConfig> = {},
  version: ApiVersion = 3,
): Partial<CheckConfig> {
  const from: CheckConfig = { ...defaultConfig, ...before };
  const after = configAfter(from, spec(json), version, undefined);
  const entries = Object.entries(after).filter(
    ([field, value]) => !Object.is(Reflect.get(from, field), value),
  );
  return Object.fromEntries(entries);
}

describe('what a request makes of a check', () => {
  it('changes nothing that it leaves out', () => {
    expect(changed({})).toEqual({});
    expect(changed({ unique: ['name'] }, { name: 'a', kind: 'cron' })).toEqual({});
  });

  it('takes every parameter', () => {
    const json = {
      name: 'Backup',
      slug: 'b',
      tags: 'a b',
      desc: 'nightly',
      grace: 120,
      timeout: 180,
      tz: 'Europe/Riga',
      manual_resume: true,
      methods: 'POST',
      start_kw: 'S',
      success_kw: 'O',
      failure_kw: 'F',
      filter_subject: true,
      filter_body: true,
      filter_http_body: true,
      filter_default_fail: true,
    };
    expect(changed(json)).toEqual({
      name: 'Backup',
      slug: 'b',
      tags: 'a b',
      desc: 'nightly',
      graceS: 120,
      timeoutS: 180,
      tz: 'Europe/Riga',
      manualResume: true,
      methods: 'POST',
      startKw: 'S',
      successKw: 'O',
      failureKw: 'F',
      filterSubject: true,
      filterBody: true,
      filterHttpBody: true,
      filterDefaultFail: true,
    });
  });

  it('can empty every text', () => {
    expect(changed({ name: '', desc: '', methods: '' }, { name: 'a', desc: 'b', methods: 'POST' })).toEqual({
      name: '',
      desc: '',
      methods: '',
    });
  });

  it('saves the schedule and ignores the timeout when both are sent', () => {
    expect(changed({ schedule: '5 * * * *', timeout: 60 })).toEqual({ kind: 'cron', schedule: '5 * * * *' });
  });

  it('distinguishes cron and OnCalendar by itself', () => {
    expect(changed({ schedule: '12:00' })).toEqual({ kind: 'oncalendar', schedule: '12:00' });
  });

  it('makes a simple check of a cron check by a timeout', () => {
    expect(changed({ timeout: 60 }, { kind: 'cron', schedule: '5 * * * *' })).toEqual({
      kind: 'simple',
      timeoutS: 60,
    });
  });

  it('keeps the schedule of a cron check whose zone changes', () => {
    expect(changed({ tz: 'Europe/Riga' }, { kind: 'cron' })).toEqual({ tz: 'Europe/Riga' });
  });
});

describe('the slug', () => {
  it.each([1, 2] as const)('comes from a new name in v%i', (version) => {
    expect(changed({ name: 'My Backup' }, {}, version)).toEqual({ name: 'My Backup', slug: 'my-backup' });
  });

  it('stays in v2 when the name does', () => {
    expect(changed({ name: 'a b' }, { name: 'a b', slug: 'own' }, 2)).toEqual({});
  });

  it('is the one that is given, in every version', () => {
    expect(changed({ name: 'a b', slug: 'own' }, {}, 1)).toEqual({ name: 'a b', slug: 'own' });
  });

  it('does not come from the name in v3', () => {
    expect(changed({ name: 'My Backup' })).toEqual({ name: 'My Backup' });
  });
});

describe('the older names of keywords', () => {
  it('turn on the search of mail subjects', () => {
    expect(changed({ subject: 'OK' })).toEqual({ successKw: 'OK', filterSubject: true });
    expect(changed({ subject_fail: 'ERR' })).toEqual({ failureKw: 'ERR', filterSubject: true });
  });

  it('turn it off when no keyword is left', () => {
    const before = { successKw: 'OK', filterSubject: true };
    expect(changed({ subject: '' }, before)).toEqual({ successKw: '', filterSubject: false });
    expect(changed({ subject: '' }, { ...before, failureKw: 'ERR' })).toEqual({ successKw: '' });
  });

  it('give way to the newer ones', () => {
    expect(changed({ subject: 'OLD', success_kw: 'NEW', filter_subject: false })).toEqual({
      successKw: 'NEW',
    });
  });
});

describe('an upsert', () => {
  const before: CheckConfig = { ...defaultConfig, name: 'a', tags: 't', slug: 's', timeoutS: 60, graceS: 60 };

  it('means a check that is the same in all fields named', () => {
    const json = { name: 'a', tags: 't', slug: 's', timeout: 60, grace: 60 };
    expect(matchesUnique(before, spec({ ...json, unique: Object.keys(json) }))).toBe(true);
    for (const field of Object.keys(json)) {
      const other = { ...json, [field]: field === 'timeout' || field === 'grace' ? 61 : 'x' };
      expect(matchesUnique(before, spec({ ...other, unique: Object.keys(json) }))).toBe(false);
    }
  });

  it('does not look at fields that are not named', () => {
    expect(matchesUnique(before, spec({ name: 'a', tags: 'other', unique: ['name'] }))).toBe(true);
  });

  it('means none when a named field is absent from the request', () => {
    expect(matchesUnique(defaultConfig, spec({ unique: ['name'] }))).toBe(false);
    expect(matchesUnique(before, spec({ name: 'a', unique: ['name', 'slug'] }))).toBe(false);
  });

  it('means none when nothing is named', () => {
    expect(matchesUnique(before, spec({ name: 'a', unique: [] }))).toBe(false);
    expect(matchesUnique(before, spec({ name: 'a' }))).toBe(false);
  });
});
