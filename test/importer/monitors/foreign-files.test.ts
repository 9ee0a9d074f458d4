/**
 * Whatever a file of another program says: what it becomes can be applied as it is, what is shown controls no terminal, and a file
 * that is none is refused in one line that repeats nothing of it.
 */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planChanges } from '../../../src/apply/plan.ts';
import { problemText, readDesired } from '../../../src/apply/read-desired.ts';
import { yamlText } from '../../../src/apply/yaml-node.ts';
import { passwordsOfCommand } from '../../../src/commands/secrets/passwords.ts';
import { type ForeignProgram, foreignConfiguration } from '../../../src/importer/monitors/sources.ts';
import { KnellError } from '../../../src/lib/errors.ts';
import { isLong } from '../../support/long.ts';

const secrets = {
  env: (): string => {
    throw new Error('a text of the file was taken for a reference');
  },
  file: (): string => {
    throw new Error('a text of the file was taken for a reference');
  },
};

/** What `knell apply` says against it on an empty installation. */
const problemsOf = (document: object): readonly string[] => {
  const file = { name: 'x', text: yamlText(document), directory: '/' };
  const { desired, problems } = readDesired([file], secrets);
  const none = { projects: [], users: [] };
  const plan = planChanges(desired, none, {
    prune: false,
    fingerprint: (text) => text,
    passwords: passwordsOfCommand,
  });
  return [...problems, ...plan.problems].map(problemText);
};

const escaped = ['$', '{env:HOME}'].join('');
const hostile = fc.oneof(
  fc.constantFrom(
    ...['Backup', 'backup', '', ' ', '*', '__proto__', 'constructor', escaped, `$${escaped}`],
    ...['\u001b[2Jx', 'a\tb', 'a\nb', 'a\r\nb\u0085c\u2028d', '\ud800', '😀'.repeat(60), 'x'.repeat(300)],
    ...['ops@example.org', 'https://hooks.example.org/x', '- a: b', '"', "'", '#', '&a', '*a', '1e3', 'null'],
    ...['7a0c1f52-8b1e-4e0a-9d53-0d6f5a1c2b3e', 'true', '2030-01-01', '~', '[', '{', '\ufeffx', '\ufffe'],
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const odd = fc.oneof(
  { weight: 6, arbitrary: hostile },
  { weight: 1, arbitrary: fc.constantFrom(null, 0, 1, -1, 60, 1e99, true, false, [], {}) },
);
const either = <T>(...usual: readonly T[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...usual) }, odd);
const record = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] });
const listOf = (item: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 5, arbitrary: fc.array(item, { maxLength: 4 }) }, odd);

const ids = either(1, 2);
const monitors = listOf(record({ id: ids }));
const kumaConfig = record({
  type: either(
    ...[
      'slack',
      'smtp',
      'webhook',
      'ntfy',
      'gotify',
      'pushover',
      'Opsgenie',
      'PagerDuty',
      'SIGNL4',
      'alerta',
    ],
  ),
  ...Object.fromEntries(
    [
      ...[
        'slackwebhookURL',
        'smtpTo',
        'webhookURL',
        'ntfytopic',
        'ntfyserverurl',
        'ntfyaccesstoken',
        'gotifyserverurl',
        'alertaApiEndpoint',
      ],
      ...[
        'gotifyapplicationToken',
        'alertaApiKey',
        'alertaEnvironment',
        'pushoveruserkey',
        'opsgenieApiKey',
        'opsgenieRegion',
        'pagerdutyIntegrationKey',
      ],
    ].map((name) => [name, either('https://hooks.example.org/x', 'ops@example.org', 'abc')]),
  ),
});

const files: Readonly<Record<ForeignProgram, fc.Arbitrary<unknown>>> = {
  'uptime-kuma': fc.record({
    monitorList: fc.array(
      record({
        id: ids,
        name: odd,
        type: either('push'),
        interval: either(60, 3600, 20),
        maxretries: either(3),
        description: odd,
        pushToken: odd,
        active: odd,
        tags: listOf(record({ name: odd, value: odd })),
        notificationIDList: fc.oneof(fc.constant({ 1: true, 2: true }), odd),
      }),
      { maxLength: 4 },
    ),
    notificationList: listOf(
      record({
        id: ids,
        name: odd,
        config: fc.oneof(
          kumaConfig,
          kumaConfig.map((one) => JSON.stringify(one)),
          odd,
        ),
      }),
    ),
    statusPageList: listOf(
      record({
        slug: either('backups', 'mails'),
        title: odd,
        description: odd,
        publicGroupList: listOf(record({ name: odd, monitorList: monitors })),
      }),
    ),
    maintenanceList: listOf(
      record({
        title: odd,
        active: either(1),
        strategy: either('cron', 'single', 'recurring-interval'),
        intervalDay: either(1, 3),
        cron: either('0 2 * * 0', '* * * * *'),
        duration: either(3600),
        timezone: either('UTC', 'Europe/Riga'),
        start_date: either('2030-05-04 02:10:00'),
        end_date: either('2030-05-04 03:10:00', null),
        monitorList: monitors,
      }),
    ),
  }),
  cronitor: record({
    jobs: fc.dictionary(
      fc.constantFrom('a', 'b', '__proto__', '\u001b'),
      record({
        name: odd,
        schedule: either('0 3 * * *', 'every 5 minutes', 'every day'),
        schedules: listOf(odd),
        timezone: either('Europe/Riga'),
        grace_seconds: odd,
        tags: listOf(odd),
        group: odd,
        note: odd,
        assertions: listOf(odd),
        notify: listOf(odd),
      }),
    ),
    monitors: listOf(record({ type: either('job'), key: odd, schedule: either('0 3 * * *') })),
    checks: odd,
    heartbeats: odd,
  }),
  'dead-mans-snitch': fc.array(
    record({
      name: odd,
      interval: either('daily', '15_minute', '__proto__'),
      alert_email: listOf(either('ops@example.org', 'Ops@Example.org')),
      tags: listOf(odd),
      notes: odd,
      status: either('paused'),
      alert_type: either('smart'),
      check_in_url: odd,
      token: odd,
    }),
    { maxLength: 4 },
  ),
  'better-stack': fc.record({
    data: fc.array(
      record({
        attributes: record({ name: odd, period: either(60, 30), grace: odd, url: odd, paused_at: odd }),
      }),
    ),
  }),
  opsgenie: fc.record({
    data: fc.array(
      record({
        name: odd,
        interval: either(10),
        intervalUnit: either('minutes', 'constructor'),
        alertTags: listOf(odd),
        ownerTeam: record({ name: odd }),
        description: odd,
        enabled: odd,
      }),
    ),
  }),
  gatus: fc.record({
    'external-endpoints': listOf(
      record({
        name: odd,
        group: odd,
        heartbeat: record({ interval: either('1h30m', '30m') }),
        alerts: listOf(record({ type: either('slack', 'email', '__proto__'), enabled: odd })),
      }),
    ),
    alerting: record({
      slack: record({ 'webhook-url': either('https://hooks.example.org/x') }),
      email: record({ to: either('ops@example.org') }),
    }),
    maintenance: record({
      start: either('23:00', '99:99'),
      duration: either('1h', '900h'),
      timezone: either('Europe/Riga', 'Nowhere'),
      every: listOf(either('Monday', 'monday', 'noday')),
    }),
  }),
};
const programs = Object.keys(files) as ForeignProgram[];

describe.each(programs)('%s', (program) => {
  test('any file of it becomes what knell apply takes, and words that control nothing', () => {
    const runs = fc.property(files[program], (file) => {
      fc.pre(program !== 'cronitor' || Object.keys(file as object).length > 0);
      const text = JSON.stringify(file);
      const { document, leftOut, notes, pings } = foreignConfiguration(program, { name: 'x', text }, 'web');
      expect(problemsOf(document)).toEqual([]);
      const words = [...leftOut, ...notes].flatMap(({ what, name, why }) => [what, name, why]);
      for (const word of [...words, ...pings.map(({ from }) => from)])
        expect(word).not.toMatch(/\p{Cc}|\p{Cs}/u);
    });
    fc.assert(runs, { numRuns: isLong ? 100 : 25 });
  });

  test('as JSON and as YAML it is the same', () => {
    const runs = fc.property(files[program], (file) => {
      fc.pre(program !== 'cronitor' || Object.keys(file as object).length > 0);
      const plain = JSON.parse(JSON.stringify(file));
      const [json, yaml] = [JSON.stringify(plain), yamlText(plain)].map((text) =>
        foreignConfiguration(program, { name: 'x', text }, 'web'),
      );
      expect(yaml).toEqual(json);
    });
    fc.assert(runs, { numRuns: isLong ? 20 : 5 });
  });

  test.each([
    ['cut off', '{"monitorList":[{"pushToken":"s3cret",'],
    ['of aliases that have themselves', 'a: &a [s3cret, *a]'],
    ['nested deeply', '['.repeat(100_000)],
    ['nested deeply in YAML', `a: ${'['.repeat(2000)}s3cret`],
    ['of several documents', 'monitorList: []\n---\ns3cret: 1'],
    ['of NUL', '\u0000s3cret'],
  ])('a file %s is refused in one line, which repeats none of its secrets', (_what, text) => {
    const read = () => foreignConfiguration(program, { name: 'x', text }, 'web');
    expect(read).toThrow(KnellError);
    expect(read).toThrow(/^(?!.*s3cret)[^\n]+$/);
  });
});

test('more than can be read as one plan is refused, also where all have the same name', () => {
  const monitor = { type: 'push', name: 'Backup', interval: 60 };
  const text = JSON.stringify({ monitorList: Array.from({ length: 100_000 }, () => monitor) });
  expect(() => foreignConfiguration('uptime-kuma', { name: 'x', text }, 'web')).toThrow(
    /more than 5000 items/,
  );
});

test.runIf(isLong)('aliases of aliases are refused before they are all followed', () => {
  const lines = Array.from({ length: 25 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`);
  const text = ['a0: &a0 [s3cret]', ...lines].join('\n');
  expect(() => foreignConfiguration('gatus', { name: 'x', text }, 'web')).toThrow(
    /^x:\d+:\d+: .*its aliases are too many$/,
  );
});
