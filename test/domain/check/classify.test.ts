import { describe, expect, test } from 'vitest';
import { type CheckConfig, defaultConfig } from '../../../src/domain/check/check.ts';
import { classify, type PingFacts } from '../../../src/domain/check/classify.ts';

const encoder = new TextEncoder();

function ask(
  config: Partial<CheckConfig>,
  ping: Partial<PingFacts> & { body?: string | Uint8Array },
): string {
  const { body = '', ...rest } = ping;
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  return classify(
    { ...defaultConfig, ...config },
    {
      action: 'success',
      exitStatus: null,
      method: 'POST',
      searchable: { via: 'http', body: bytes },
      ...rest,
    },
  );
}

const mail = (subject: string, ...texts: string[]): Partial<PingFacts> => ({
  method: '',
  searchable: { via: 'mail', subject, texts },
});

describe('an address alone', () => {
  test('says what is meant', () => {
    expect(ask({}, {})).toBe('success');
    expect(ask({}, { action: 'start' })).toBe('start');
    expect(ask({}, { action: 'log' })).toBe('log');
  });

  test('with an exit status, succeeds on 0 and fails on anything else', () => {
    expect(ask({}, { exitStatus: 0 })).toBe('success');
    expect(ask({}, { exitStatus: 1 })).toBe('fail');
  });

  test('by another method than POST is ignored where only POST is allowed, keywords or not', () => {
    const config = { methods: 'POST', filterHttpBody: true, failureKw: 'bad' } as const;
    expect(ask(config, { method: 'GET', body: 'bad' })).toBe('ign');
    expect(ask({ methods: 'POST' }, { method: 'POST' })).toBe('success');
  });
});

describe('keywords in an HTTP body', () => {
  const config = { filterHttpBody: true, failureKw: 'error, Fehler', successKw: 'done', startKw: 'begin' };

  test('are tried in the order failure, success, start', () => {
    expect(ask(config, { body: 'begin done error' })).toBe('fail');
    expect(ask(config, { body: 'begin done' })).toBe('success');
    expect(ask(config, { body: 'begin' })).toBe('start');
  });

  test('override the address and the exit status', () => {
    expect(ask(config, { body: 'done', action: 'fail' })).toBe('success');
    expect(ask(config, { body: 'error', exitStatus: 0 })).toBe('fail');
  });

  test('lose space around them and keep their case', () => {
    expect(ask(config, { body: 'ein Fehler!' })).toBe('fail');
    expect(ask(config, { body: 'DONE' })).toBe('ign');
  });

  test('that do not match ignore the ping, or fail it where the check says so', () => {
    expect(ask(config, { body: 'nothing' })).toBe('ign');
    expect(ask({ ...config, filterDefaultFail: true }, { body: 'nothing' })).toBe('fail');
    expect(ask({ ...config, filterDefaultFail: true }, { body: '', method: 'GET' })).toBe('fail');
  });

  test('are looked for in the first 10,000 bytes alone', () => {
    expect(ask(config, { body: `${'x'.repeat(9_996)}done` })).toBe('success');
    expect(ask(config, { body: `${'x'.repeat(9_997)}done` })).toBe('ign');
  });

  test('do not match a character that the cut has split', () => {
    const replaced = { ...config, successKw: '\uFFFD' };
    expect(ask(replaced, { body: `${'x'.repeat(9_999)}é` })).toBe('ign');
  });

  test('are found beside bytes that are no UTF-8', () => {
    expect(ask(config, { body: Uint8Array.from([0xff, 0xfe, 0x64, 0x6f, 0x6e, 0x65]) })).toBe('success');
  });

  test('that are empty match nothing', () => {
    expect(ask({ filterHttpBody: true, successKw: ' , ,' }, { body: 'x' })).toBe('ign');
  });

  test('count for nothing where the check does not filter', () => {
    expect(ask({ failureKw: 'error' }, { body: 'error' })).toBe('success');
  });
});

describe('keywords in a mail', () => {
  test('are looked for in the subject, in the body, or in both', () => {
    const ping = mail('nightly backup', 'all done');
    expect(ask({ filterSubject: true, successKw: 'backup' }, ping)).toBe('success');
    expect(ask({ filterSubject: true, successKw: 'done' }, ping)).toBe('ign');
    expect(ask({ filterBody: true, successKw: 'done' }, ping)).toBe('success');
    expect(ask({ filterBody: true, filterSubject: true, failureKw: 'backup', successKw: 'done' }, ping)).toBe(
      'fail',
    );
  });

  test('are not looked for when only HTTP bodies are filtered, and methods do not matter', () => {
    expect(ask({ filterHttpBody: true, methods: 'POST', failureKw: 'x' }, mail('x', 'x'))).toBe('success');
  });
});

describe('a mail that nobody has read', () => {
  const unread: Partial<PingFacts> = { method: '', searchable: { via: 'mail-unread' } };

  test('is a success to a check that does not filter mail', () => {
    expect(ask({ filterHttpBody: true, filterDefaultFail: true, failureKw: 'x' }, unread)).toBe('success');
  });

  test('never comes to one that does', () => {
    expect(() => ask({ filterSubject: true }, unread)).toThrow(/invariant/);
    expect(() => ask({ filterBody: true }, unread)).toThrow(/invariant/);
  });
});
