import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Check } from '../../../src/domain/check/check.ts';
import { type CheckView, checkRenderer } from '../../../src/http/api/check-json.ts';
import { asChannelId } from '../../../src/lib/ids.ts';
import { makeCheck, uuid } from '../../support/engine/api-engine.ts';

const at = Date.parse('2024-01-02T03:04:05.678Z');
const view: CheckView = { baseUrl: 'https://knell.example', version: 3, readOnly: false, nowMs: at };

const checkText = (check: Check, as: CheckView = view): string => checkRenderer(as)(check);
const checkJson = (check: Check, as: CheckView = view) => JSON.parse(checkText(check, as));

const fresh = {
  name: '',
  slug: '',
  tags: '',
  desc: '',
  grace: 3600,
  n_pings: 0,
  status: 'new',
  started: false,
  last_ping: null,
  next_ping: null,
  manual_resume: false,
  methods: '',
  subject: '',
  subject_fail: '',
  start_kw: '',
  success_kw: '',
  failure_kw: '',
  filter_subject: false,
  filter_body: false,
  filter_http_body: false,
  filter_default_fail: false,
  max_runtime: 0,
  min_runtime: 0,
  start_grace: 0,
  unusual_runtime: 'off',
  unusual_factor: 6,
  overlap: 'allow',
  exit_codes: '',
  hosts: '',
  expected_runs: 0,
  early_tolerance: 0,
  alert_after: 1,
  alert_of_last: 0,
  recover_after: 1,
  unstable_changes: 0,
  unstable_window: 1800,
  depends_on: '',
  hold: 0,
  badge_url: `https://knell.example/b/2/${uuid(0xb007)}.svg`,
};

const addresses = {
  uuid: uuid(7),
  ping_url: `https://knell.example/ping/${uuid(7)}`,
  update_url: `https://knell.example/api/v3/checks/${uuid(7)}`,
  pause_url: `https://knell.example/api/v3/checks/${uuid(7)}/pause`,
  resume_url: `https://knell.example/api/v3/checks/${uuid(7)}/resume`,
  channels: '',
};

describe('a check in JSON', () => {
  it("has every field, in Healthchecks' order", () => {
    expect(checkText(makeCheck(7))).toBe(JSON.stringify({ ...fresh, ...addresses, timeout: 86_400 }));
  });

  it('names neither UUID nor integrations to a read-only key', () => {
    const check = makeCheck(7, { channels: [asChannelId(uuid(1))] });
    const json = checkJson(check, { ...view, readOnly: true });
    const uniqueKey = '650c00471e5c53b133a0ba0db10b0e5310b5b0cd';
    expect(json).toEqual({ ...fresh, unique_key: uniqueKey, timeout: 86_400 });
    expect(JSON.stringify(json)).not.toContain(uuid(7));
  });

  it('has a schedule and a zone instead of a timeout when it is a cron check', () => {
    const json = checkJson(makeCheck(7, { kind: 'cron', schedule: '5 4 * * *', tz: 'Europe/Riga' }));
    expect(json).toEqual({ ...fresh, ...addresses, schedule: '5 4 * * *', tz: 'Europe/Riga' });
  });

  it('cuts times to whole seconds in UTC', () => {
    const expectedAtMs = at + 60_000;
    const json = checkJson(makeCheck(7, {}, { status: 'up', lastPingMs: at, expectedAtMs }));
    expect(json.last_ping).toBe('2024-01-02T03:04:05+00:00');
    expect(json.next_ping).toBe('2024-01-02T03:05:05+00:00');
  });

  it('expects no ping of a check that is down', () => {
    const json = checkJson(makeCheck(7, {}, { status: 'down', lastPingMs: at }));
    expect(json.next_ping).toBeNull();
  });

  it('expects the end of a run from its start on', () => {
    const json = checkJson(makeCheck(7, {}, { startedMs: at - 1000 }));
    expect([json.started, json.next_ping]).toEqual([true, '2024-01-02T03:04:04+00:00']);
  });

  it('shows the last duration in whole seconds once it is known', () => {
    const known = checkJson(makeCheck(7, {}, { lastDurationMs: 1999 }));
    expect(known.last_duration).toBe(1);
    expect(checkJson(makeCheck(7))).not.toHaveProperty('last_duration');
  });

  it('shows keywords as subject and subject_fail while mail subjects are searched', () => {
    const keywords = { successKw: 'OK', failureKw: 'ERROR' };
    const on = checkJson(makeCheck(7, { ...keywords, filterSubject: true }));
    expect([on.subject, on.subject_fail]).toEqual(['OK', 'ERROR']);
    const off = checkJson(makeCheck(7, { ...keywords, filterBody: true }));
    expect([off.subject, off.subject_fail]).toEqual(['', '']);
  });

  it('joins the integrations with commas', () => {
    const json = checkJson(makeCheck(7, { channels: [asChannelId('a'), asChannelId('b')] }));
    expect(json.channels).toBe('a,b');
  });
});

describe('the text of a check', () => {
  it('is JSON whatever the owner has written', () => {
    const text = fc.string({ unit: 'binary' });
    const texts = fc.record({
      name: text,
      tags: text,
      desc: text,
      startKw: text,
      successKw: text,
      failureKw: text,
    });
    fc.assert(
      fc.property(texts, fc.boolean(), (config, filterSubject) => {
        const json = checkJson(makeCheck(7, { ...config, filterSubject }));
        expect(json).toMatchObject({
          name: config.name,
          tags: config.tags,
          desc: config.desc,
          start_kw: config.startKw,
          success_kw: config.successKw,
          subject: filterSubject ? config.successKw : '',
          subject_fail: filterSubject ? config.failureKw : '',
        });
      }),
    );
  });

  it('is the same in a list as alone, whatever came before', () => {
    const settings = fc.record({
      manualResume: fc.boolean(),
      methods: fc.constantFrom('' as const, 'POST' as const),
      startKw: fc.constantFrom('', 'a'),
      successKw: fc.constantFrom('', 'a'),
      failureKw: fc.constantFrom('', 'a'),
      filterSubject: fc.boolean(),
      filterBody: fc.boolean(),
      filterHttpBody: fc.boolean(),
      filterDefaultFail: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(settings), (configs) => {
        const checks = configs.map((config) => makeCheck(7, config));
        expect(checks.map(checkRenderer(view))).toEqual(checks.map((check) => checkText(check)));
      }),
    );
  });
});

describe('the versions of a check in JSON', () => {
  it.each([1, 2, 3] as const)('gives URLs of version %i to those who asked in it', (version) => {
    const json = checkJson(makeCheck(7), { ...view, version });
    expect(json.update_url).toBe(`https://knell.example/api/v${version}/checks/${uuid(7)}`);
    expect(json.resume_url).toBe(`https://knell.example/api/v${version}/checks/${uuid(7)}/resume`);
  });

  it('calls a running check started in v1 and nowhere else', () => {
    const running = makeCheck(7, {}, { status: 'up', startedMs: at - 1000, lastPingMs: at - 5000 });
    expect(checkJson(running, { ...view, version: 1 }).status).toBe('started');
    expect(checkJson(running, { ...view, version: 2 }).status).toBe('up');
    expect(checkJson(running, view)).toMatchObject({ status: 'up', started: true });
  });

  it('leaves a check down in v1 whose run has had its time', () => {
    const overrun = makeCheck(7, { graceS: 60 }, { status: 'down', startedMs: at - 60_000 });
    expect(checkJson(overrun, { ...view, version: 1 }).status).toBe('down');
    const startedAgain = makeCheck(7, { graceS: 60 }, { status: 'down', startedMs: at - 59_999 });
    expect(checkJson(startedAgain, { ...view, version: 1 }).status).toBe('started');
  });
});
