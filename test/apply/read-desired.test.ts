/** Configuration files: what is wrong with them is found before anything is changed, with its place; and their JSON Schema. */

import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { jsonSchema } from '../../src/apply/format.ts';
import { type ConfigurationFile, problemText, readDesired } from '../../src/apply/read-desired.ts';
import { channelKinds } from '../../src/domain/accounts/project.ts';
import { checkFieldNames, checkFields } from '../../src/domain/check/check-fields.ts';
import { kinds } from '../../src/integrations/all.ts';
import { isLong } from '../support/long.ts';

const secrets = {
  env: (name: string) => (name === 'TOKEN' ? 's3cret' : undefined),
  file(path: string, from: string) {
    if (path === 'gone') throw new Error('cannot read gone (ENOENT)');
    return `${from}/${path}`;
  },
};

const fileOf = (text: string, name = 'k.yaml'): ConfigurationFile => ({
  name,
  text,
  directory: '/etc/knell',
});
const read = (...texts: string[]) =>
  readDesired(
    texts.map((text, at) => fileOf(text, at === 0 ? 'k.yaml' : `k${at}.yaml`)),
    secrets,
  );
const problemsOf = (...texts: string[]): readonly string[] => read(...texts).problems.map(problemText);

const within = (list: string, item: string): string =>
  `projects:\n  - name: web\n    ${list}:\n      - ${item.replaceAll('\n', '\n        ')}\n`;
const check = (item: string): string => within('checks', item);
const integration = (item: string): string => within('integrations', item);

const validator = new Ajv({ strict: false }).compile(jsonSchema());
const fitsSchema = (text: string): boolean => validator(parse(text)) === true;

/** Of one value: the JSON Schema refuses them too. */
const wrongValues: readonly (readonly [string, string, string])[] = [
  ['no map', '- a\n', 'k.yaml:1:1: must be a map with projects or users'],
  ['no projects', 'version: 1\n', 'k.yaml:1:1: projects or users is missing'],
  [
    'another version',
    'version: 2\nprojects: []\n',
    'k.yaml:1:10: version must be 1: is this file for a newer Knell?',
  ],
  ['a user without a role', 'users:\n  - name: a\n', 'k.yaml:2:5: role is missing'],
  [
    'a wrong role',
    'users:\n  - {name: a, role: king}\n',
    'k.yaml:2:21: role must be one of owner, editor, viewer',
  ],
  [
    'a password',
    'users: [{name: a, role: owner, password: x}]',
    'k.yaml:1:32: unknown field "password"; known: name, role',
  ],
  ['a project without a name', 'projects:\n  - plan: paid\n', 'k.yaml:2:5: name is missing'],
  ['a wrong plan', 'projects:\n  - name: a\n    plan: gold\n', 'k.yaml:3:11: plan must be one of free, paid'],
  ['an unknown field', check('slug: a\nslag: b'), 'k.yaml:5:9: unknown field "slag"; known: '],
  ['a list that is none', 'projects:\n  - name: a\n    checks: 7\n', 'k.yaml:3:13: must be a list'],
  ['a timeout that is too small', check('slug: a\ntimeout: 59'), 'k.yaml:5:18: timeout is too small'],
  ['a number that is none', check('slug: a\ngrace: "60"'), 'k.yaml:5:16: grace is not a number'],
  ['a bad slug', check('slug: A b'), 'k.yaml:4:15: slug does not match pattern'],
  ['a wrong method', check('slug: a\nmethods: GET'), 'k.yaml:5:18: methods has unexpected value'],
  ['no slug', check('name: a'), 'k.yaml:4:9: a check needs a slug, or an id'],
  [
    'both schedules',
    check('slug: a\ntimeout: 60\nschedule: "* * * * *"'),
    'k.yaml:4:9: a check has a timeout or a schedule',
  ],
  ['a bad id', check('id: 7'), 'k.yaml:4:13: id must be a text: put it in quotes'],
  [
    'a scope',
    within('keys', 'name: a\nscope: all'),
    'k.yaml:5:16: scope must be one of read-write, read-only, ping',
  ],
  ['a kind', integration('name: a\nkind: pigeon\nfields: {}'), 'k.yaml:5:15: kind must be one of '],
  [
    'neither fields nor value',
    integration('name: a\nkind: email'),
    'k.yaml:4:9: set one of fields and value',
  ],
  [
    'a foreign field',
    integration('name: a\nkind: email\nfields: {url: x}'),
    'k.yaml:6:18: email has no field "url"; its fields: value, ',
  ],
  [
    'a tick that is none',
    integration('name: a\nkind: email\nfields: {value: a@b.c, up: maybe}'),
    'k.yaml:6:36: up must be true or false',
  ],
  [
    'a delay',
    integration('name: a\nkind: email\nfields: {value: a@b.c}\ndelay: 0.5'),
    'k.yaml:7:16: delay must be 0, or',
  ],
];

/** Rules that JSON Schema does not know. */
const wrongTogether: readonly (readonly [string, string, string])[] = [
  ['a user of blanks', 'users: [{name: "  ", role: owner}]', 'k.yaml:1:9: name must not be empty'],
  [
    'a user twice',
    'users: [{name: A, role: owner}, {name: a, role: viewer}]',
    'k.yaml:1:33: user a is there already, at k.yaml:1:9',
  ],
  [
    'a bad schedule',
    check('slug: a\nschedule: "61 * * * *"'),
    'k.yaml:5:19: schedule is not a valid cron or OnCalendar',
  ],
  ['a bad zone', check('slug: a\ntz: Mars'), 'k.yaml:5:13: tz is not a valid timezone'],
  ['an empty field', integration('name: a\nkind: email\nfields: {value: ""}'), 'k.yaml:6:25: value: '],
  [
    'a bad value',
    integration('name: a\nkind: mattermost\nvalue: s3cret'),
    'k.yaml:6:16: the value of mattermost must be',
  ],
  [
    'a variable that is not set',
    integration(`name: a\nkind: mattermost\nfields: {value: "\${env:NONE}"}`),
    'k.yaml:6:25: the environment variable NONE is not set',
  ],
  [
    'a file that is not there',
    integration(`name: a\nkind: mattermost\nvalue: "\${file:gone}"`),
    'k.yaml:6:16: cannot read gone (ENOENT)',
  ],
  [
    'a hash of a ping key',
    within('keys', `name: a\nscope: ping\nhash: ${'ab'.repeat(32)}`),
    'k.yaml:4:9: hash is not for ping keys',
  ],
  [
    'one slug twice',
    `${check('slug: a')}      - slug: a\n`,
    'k.yaml:5:9: check a is there already, at k.yaml:4:9',
  ],
];

describe('it is a problem with its place:', () => {
  test.each([...wrongValues, ...wrongTogether])('%s', (_what, text, problem) => {
    const problems = problemsOf(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.startsWith(problem), problems[0]).toBe(true);
  });

  test.each([
    ['a: [1', 'k.yaml:1:'],
    ['projects: []\nprojects: []\n', 'k.yaml:2:1: '],
    ['projects: [\t{]\n', 'k.yaml:1:'],
  ])('YAML that is none: %j', (text, place) => {
    expect(problemsOf(text)[0]?.startsWith(place)).toBe(true);
  });

  test('all of them are found at once, and those of several files', () => {
    const two = `${check('slug: a\ntimeout: 1\ngrace: 1')}`;
    expect(problemsOf(two, two)).toHaveLength(4);
    expect(problemsOf(check('slug: a'), check('slug: a'))).toEqual([
      'k1.yaml:4:9: check a is there already, at k.yaml:4:9',
    ]);
  });

  test('no problem repeats a secret', () => {
    const texts = [
      integration(`name: a\nkind: mattermost\nfields: {value: "\${env:TOKEN}"}`),
      integration(`name: a\nkind: mattermost\nvalue: "\${env:TOKEN}"`),
      within('keys', `name: a\nscope: ping\nkey: "\${env:TOKEN}"`),
    ];
    for (const text of texts) {
      expect(problemsOf(text)).toHaveLength(1);
      expect(problemsOf(text).join()).not.toContain('s3cret');
    }
  });

  test('many aliases are read as fast as what they stand for', () => {
    const last = isLong ? 10_000 : 2000;
    const checks = Array.from({ length: last }, (_, n) => `      - { slug: job-${n}, desc: *words }`);
    const text = `projects:\n  - name: web\n    checks:\n      - { slug: first, desc: &words x }\n${checks.join('\n')}`;
    const { desired, problems } = read(text);
    expect(problems).toEqual([]);
    expect(desired.projects?.[0]?.checks?.[last]?.fields).toMatchObject({
      slug: `job-${last - 1}`,
      desc: 'x',
    });
  });

  test('aliases that grow without bound are refused', () => {
    const lines = ['a: &a [x, x, x, x, x, x, x, x, x, x]'];
    for (const [at, letter] of [...'bcdefgh'].entries())
      lines.push(`${letter}: &${letter} [${Array(10).fill(`*${'abcdefg'[at]}`).join(', ')}]`);
    expect(problemsOf(lines.join('\n')).join()).toContain('aliases are too many');
  });
});

test('secrets come from variables and files, also within a text, and can be written out', () => {
  const { desired, problems } = read(
    `${integration(`name: a\nkind: mattermost\nfields: {value: "https://example.org/\${env:TOKEN}/x"}`)}      - name: b
        kind: webhook
        fields: {url_down: "https://example.org/", body_down: "$\${env:TOKEN} \${file:cert}"}
`,
  );
  expect(problems).toEqual([]);
  const [a, b] = desired.projects?.[0]?.integrations ?? [];
  expect(a?.content.value).toBe('https://example.org/s3cret/x');
  expect(b?.content.body_down).toBe(`\${env:TOKEN} /etc/knell/cert`);
});

test('several files may each have a part of a project, and an empty document is none', () => {
  const { desired, problems } = read(
    check('slug: a'),
    `---\n${check('slug: b')}---\n`,
    '',
    integration('name: x\nkind: sms\nfields: {value: "+4912345678"}'),
  );
  expect(problems).toEqual([]);
  expect(desired.projects).toHaveLength(1);
  expect(desired.projects?.[0]?.checks?.map(({ fields }) => fields.slug)).toEqual(['a', 'b']);
  expect(desired.projects?.[0]?.integrations).toHaveLength(1);
  expect(problemsOf('projects: [{name: a, plan: free}]', 'projects: [{name: a, plan: paid}]')).toEqual([
    'k1.yaml:1:12: project a has another plan at k.yaml:1:12',
  ]);
});

test('rules of retention of a project are one per line or between commas, and what is wrong with them is said in words', () => {
  const { desired, problems } = read('projects: [{name: a, retention: "pings 9 days, failures 1 year"}]');
  expect(problems).toEqual([]);
  expect(desired.projects?.[0]?.retention).toBe('pings 9 days, failures 1 year');
  expect(problemsOf('projects: [{name: a, retention: pings 9 moons}]')).toEqual([
    'k.yaml:1:33: retention rule 1: "moons" is no unit of time; write hours, days, weeks or years',
  ]);
  expect(problemsOf('projects: [{name: a, retention: 9}]')).toEqual([
    'k.yaml:1:33: retention must be a text: put it in quotes',
  ]);
  expect(
    problemsOf(
      'projects: [{name: a, retention: pings 1 day}]',
      'projects: [{name: a, retention: pings 2 days}]',
    ),
  ).toEqual(['k1.yaml:1:12: project a has other rules of retention at k.yaml:1:12']);
});

test('users may be alone in a file, and several files may each have some', () => {
  const { desired, problems } = read('users:', 'users: [{name: " ann ", role: viewer}]');
  expect(problems).toEqual([]);
  expect(desired.projects).toBeNull();
  expect(desired.users?.list.map(({ name, role }) => [name, role])).toEqual([['ann', 'viewer']]);
  expect(read('projects: []').desired.users).toBeNull();
});

describe('the JSON Schema', () => {
  test('and the reader take the example of the manual', () => {
    const manual = readFileSync(new URL('../../src/docs/configuration-as-code.md', import.meta.url), 'utf8');
    const found = /^ {4}version: 1\n(?: {4}.*\n)+/m.exec(manual)?.[0].replace(/^ {4}/gm, '') ?? '';
    const example = found.replace(`\${env:STATUS_PASSWORD}`, 'a good password');
    expect(fitsSchema(example), JSON.stringify(validator.errors)).toBe(true);
    expect(problemsOf(example.replace('env:CHAT_URL', 'env:TOKEN'))).toEqual([
      expect.stringContaining('value: Enter a URL'),
    ]);
    expect(
      problemsOf(example.replace(/(?=\$.env:CHAT_URL)/, 'https://example.org/').replace('CHAT_URL', 'TOKEN')),
    ).toEqual([]);
  });

  test.each(wrongValues)('refuses %s', (_what, text) => {
    expect(fitsSchema(text)).toBe(false);
  });

  test('takes what the reader takes', () => {
    const text = `version: 1
projects:
  - name: web
    plan: paid
    keys: [{ name: deploy, scope: read-write, file: deploy.key }]
    integrations:
      - { name: mail, kind: email, fields: { value: a@example.org, up: false }, delay: 60, time_zone: Europe/Riga }
      - { name: hook, kind: webhook, fields: { url_down: "https://a.example/\${env:TOKEN}", headers_down: { X-A: b } } }
      - { name: push, kind: ntfy, fields: { topic: t, url: "https://ntfy.sh", priority: 3 } }
      - { name: both, kind: group, fields: { value: [mail, hook] } }
      - { name: chat, kind: mattermost, value: "https://example.org/" }
    checks:
      - { slug: a, timeout: 60, integrations: "*" }
      - { id: 00000000-0000-4000-8000-000000000000, schedule: "0 4 * * *", tz: Europe/Riga, integrations: [both] }
`;
    expect(problemsOf(text)).toEqual([]);
    expect(fitsSchema(text), JSON.stringify(validator.errors)).toBe(true);
  });

  test('has every field of every table', () => {
    const text = JSON.stringify(jsonSchema());
    for (const name of checkFieldNames)
      if (name !== 'kind' && name !== 'channels') expect(text).toContain(`"${checkFields[name].json}":`);
    for (const kind of channelKinds)
      for (const { name } of kinds[kind].form.fields) expect(text).toContain(`"${name}":`);
  });
});
