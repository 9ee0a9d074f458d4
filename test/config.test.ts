import { describe, expect, test } from 'vitest';
import { basePathOf, baseUrlOf, limits, readConfig, settings } from '../src/config.ts';
import { KnellError } from '../src/lib/errors.ts';
import { flagOf } from '../src/lib/read-settings.ts';

test('without variables the defaults are those of the contract', () => {
  const { config, warnings } = readConfig({}, {});
  expect(warnings).toEqual([]);
  expect(config).toMatchObject({
    http: { host: '127.0.0.1', port: 8000 },
    smtp: { host: '127.0.0.1', port: 2525 },
    baseUrl: null,
    emailDomain: 'localhost',
    apiRateLimit: 100,
    bodyBudgetBytes: 10_000_000,
    outageCredit: true,
    durability: 'fsync',
    snapshots: { everyMs: 86_400_000, kept: 7 },
    bootstrap: true,
  });
  expect(config.dataDir).toMatch(/\/data$/);
  expect(config.trustProxy.contains('127.0.0.1')).toBe(true);
  expect(config.trustProxy.contains('10.0.0.1')).toBe(false);
});

test('flags win over variables', () => {
  const env = { KNELL_HTTP: '127.0.0.1:1' };
  expect(readConfig(env, { KNELL_HTTP: '[::1]:2' }).config.http).toEqual({ host: '::1', port: 2 });
  expect(readConfig(env, {}).config.http.port).toBe(1);
});

describe('a malformed value', () => {
  test.each([
    ['KNELL_HTTP', '8000'],
    ['KNELL_HTTP', '127.0.0.1:70000'],
    ['KNELL_HTTP', ''],
    ['KNELL_SMTP', 'on'],
    ['KNELL_BASE_URL', 'knell.example.org'],
    ['KNELL_BASE_URL', 'ftp://knell.example.org'],
    ['KNELL_EMAIL_DOMAIN', 'ex ample'],
    ['KNELL_API_RATE_LIMIT', '-1'],
    ['KNELL_API_RATE_LIMIT', '1.5'],
    ['KNELL_TRUST_PROXY', '127.0.0.0/40'],
    ['KNELL_BODY_BUDGET', '10 potatoes'],
    ['KNELL_OUTAGE_CREDIT', 'yes'],
    ['KNELL_ALERT_LINKS', 'no'],
    ['KNELL_DURABILITY', 'none'],
    ['KNELL_BOOTSTRAP', '1'],
    ['KNELL_LOG_LEVEL', 'loud'],
    ['KNELL_HEARTBEAT_URL', 'hc-ping.com/x'],
    ['KNELL_HEARTBEAT_URL', 'ftp://hc-ping.com/x'],
    ['KNELL_HEARTBEAT_EVERY', '60'],
    ['KNELL_HEARTBEAT_EVERY', '9s'],
    ['KNELL_HEARTBEAT_EVERY', '2d'],
    ['KNELL_METRICS', 'on'],
    ['KNELL_METRICS', ''],
    ['KNELL_METRICS', '9464'],
    ['KNELL_METRICS', 'key:'],
    ['KNELL_METRICS', 'key:fifteen-letters'],
    ['KNELL_METRICS', 'key:with a space in it'],
    ['KNELL_BASE_URL', 'https://example.org/api'],
    ['KNELL_BASE_URL', 'https://example.org/ping/knell'],
    ['KNELL_BASE_URL', 'https://example.org/a"b'],
    ['KNELL_BADGE_LABEL', ''],
    ['KNELL_BADGE_LABEL', 'x'.repeat(51)],
    ['KNELL_BADGE_LABEL', 'a\nb'],
    ['KNELL_HTTP_COMPAT', 'on'],
    ['KNELL_SNAPSHOTS', ''],
    ['KNELL_SNAPSHOTS', 'on'],
    ['KNELL_SNAPSHOTS', '7'],
    ['KNELL_SNAPSHOTS', '1d'],
    ['KNELL_SNAPSHOTS', '1d:'],
    ['KNELL_SNAPSHOTS', '1d:0'],
    ['KNELL_SNAPSHOTS', '0d:7'],
    ['KNELL_SNAPSHOTS', '1d:-1'],
    ['KNELL_SNAPSHOTS', '1.5d:7'],
    ['KNELL_SNAPSHOTS', '1w:7'],
    ['KNELL_SNAPSHOTS', '1d:7.5'],
    ['KNELL_SNAPSHOTS', '24:7'],
    ['KNELL_SNAPSHOTS', '367d:1'],
    ['KNELL_SNAPSHOTS', '1d:1001'],
    ['KNELL_SNAPSHOTS', '1D:7'],
    ['KNELL_SNAPSHOTS', ' 1d:7'],
    ['KNELL_SNAPSHOTS', '1d/7'],
    ['KNELL_SNAPSHOTS', '1d:7:1'],
  ])('of %s such as %j is named, with its flag when it came by flag', (variable, value) => {
    const byVariable = () => readConfig({ [variable]: value }, {});
    expect(byVariable).toThrow(KnellError);
    expect(byVariable).toThrow(variable);
    expect(() => readConfig({}, { [variable]: value })).toThrow(flagOf(variable));
  });
});

test('an unknown variable is refused, what Kubernetes injects is warned about, others are none of our business', () => {
  const refused = (name: string) => () => readConfig({ [name]: 'x' }, {});
  expect(refused('KNELL_DATADIR')).toThrow('unknown variable KNELL_DATADIR: did you mean KNELL_DATA_DIR?');
  expect(refused('KNELL_HTPP')).toThrow('unknown variable KNELL_HTPP: did you mean KNELL_HTTP?');
  expect(refused('KNELL_COLOUR_SCHEME')).toThrow(
    'unknown variable KNELL_COLOUR_SCHEME; see knell serve --help',
  );
  expect(readConfig({ KNELL_PORT_8000_TCP: 'x', KNELL_SERVICE_PORT: '1' }, {}).warnings).toHaveLength(2);
  expect(readConfig({ PATH: '/bin', KNELLER: 'x' }, {}).warnings).toEqual([]);
});

test('variables of commands do not end a server: those that look like settings are warned about', () => {
  const env = { KNELL_PING_URL: 'x', KNELL_PING_KEY: 'x', KNELL_SERVER: 'x', KNELL_API_KEY: 'x' };
  const { warnings } = readConfig({ ...env, KNELL_HC_SECRET_KEY: 'x' }, {});
  expect(warnings.map((line) => line.split(' ')[0])).toEqual(Object.keys(env));
});

test.each([
  'smtp://bob:p@ss#1@127.0.0.1:2526',
  'smtp://bob:se/cret@mail.example.org',
  'smtp://mail.example.org/inbox',
])('a mail server such as %j is refused, with how to write a password, and not shown', (value) => {
  const read = () => readConfig({ KNELL_MAIL_URL: value }, {});
  expect(read).toThrow(/KNELL_MAIL_URL.* write # as %23, \/ as %2F/);
  expect(read).not.toThrow(/ss#1|cret|inbox/);
  const written = 'smtps://bob:p%40ss%231@mail.example.org:465?pool=true';
  expect(readConfig({ KNELL_MAIL_URL: written }, {}).config.mailUrl).toBe(written);
});

test.each([
  ['1d:7', { everyMs: 86_400_000, kept: 7 }],
  ['6h:28', { everyMs: 21_600_000, kept: 28 }],
  ['15m:1', { everyMs: 900_000, kept: 1 }],
  ['1s:1000', { everyMs: 1000, kept: 1000 }],
  ['366d:2', { everyMs: 31_622_400_000, kept: 2 }],
  ['off', null],
])('snapshots %s are %j', (text, plan) => {
  expect(readConfig({ KNELL_SNAPSHOTS: text }, {}).config.snapshots).toEqual(plan);
});

test.each([
  ['off', null],
  ['127.0.0.1:9464', { listen: { host: '127.0.0.1', port: 9464 } }],
  ['[::]:0', { listen: { host: '::', port: 0 } }],
  ['key:sixteen-letters:', { key: 'sixteen-letters:' }],
])('the metrics %s are %j', (text, access) => {
  expect(readConfig({ KNELL_METRICS: text }, {}).config.metrics).toEqual(access);
});

test('a key of the metrics that is too short is not repeated', () => {
  expect(() => readConfig({ KNELL_METRICS: 'key:too-short' }, {})).toThrow(/^(?!.*too-short).*16 characters/);
});

test('a base URL loses the slash at its end', () => {
  expect(readConfig({ KNELL_BASE_URL: 'https://example.org/knell/' }, {}).config.baseUrl).toBe(
    'https://example.org/knell',
  );
});

test('an end that hangs is cut off within the five seconds that are promised', () => {
  // `cli/server/serve` waits half a second more than the app.
  expect(limits.shutdownMs + 500).toBeLessThan(5000);
});

test('the base URL follows the port of the HTTP listener until it is set', () => {
  const baseUrl = (env: Readonly<Record<string, string>>, port?: number): string =>
    baseUrlOf(readConfig(env, {}).config, port);
  expect(baseUrl({})).toBe('http://localhost:8000');
  expect(baseUrl({ KNELL_HTTP: '0.0.0.0:23000' })).toBe('http://localhost:23000');
  expect(baseUrl({ KNELL_HTTP: '127.0.0.1:0' }, 4711)).toBe('http://localhost:4711');
  const tls = { KNELL_HTTP_TLS_CERT: 'c.pem', KNELL_HTTP_TLS_KEY: 'k.pem' };
  expect(baseUrl(tls)).toBe('https://localhost:8000');
  expect(baseUrl({ KNELL_BASE_URL: 'https://a.example' }, 4711)).toBe('https://a.example');
});

test('the path of the base URL is what comes before all paths', () => {
  const pathOf = (baseUrl: string): string => basePathOf(readConfig({ KNELL_BASE_URL: baseUrl }, {}).config);
  expect(basePathOf(readConfig({}, {}).config)).toBe('');
  expect(pathOf('https://example.org')).toBe('');
  expect(pathOf('https://example.org/')).toBe('');
  expect(pathOf('https://example.org/tools/knell/')).toBe('/tools/knell');
});

test('every setting has a flag of its own', () => {
  const flags = Object.values(settings).map(({ variable }) => flagOf(variable));
  expect(new Set(flags).size).toBe(flags.length);
  expect(flags).toContain('--data-dir');
});
