/**
 * Every route of the page, asked with what no page sends: of wrong types, huge, of other alphabets, with markup, dates that there are
 * not. Each is answered, by a sentence where it is refused; nothing is thrown past the listener, and Knell goes on.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { webRoutes } from '../../../src/http/web/web.ts';
import { silentLogger } from '../../../src/lib/logger.ts';
import { Knell } from '../../support/knell.ts';
import { ownerPage, type PageClient } from '../../support/page/page-client.ts';

/** These end what the others need. */
const left = new Set(['POST /web/sign-out', 'POST /web/in/<project>/delete', 'POST /web/account/password']);
const seed = Number(process.env.KNELL_SEED ?? 20261123);
const roundsOfEach = Number(process.env.KNELL_ROUNDS ?? 12);

let knell: Knell;
let page: PageClient;
let logged = '';
let known: Readonly<Record<string, readonly string[]>> = {};

beforeAll(async () => {
  const note = (...said: readonly unknown[]): void => {
    logged += `${JSON.stringify(said)}
`;
  };
  knell = await Knell.start({ logger: { ...silentLogger, error: note, fatal: note } });
  page = await ownerPage(knell);
  known = await fill();
});
afterAll(() => knell?.stop());

/** Something of each kind that a path can name. */
async function fill(): Promise<Readonly<Record<string, readonly string[]>>> {
  const project: string = (await page.get('/web/state')).json().projects[0].id;
  const check = await knell.create({ name: 'Nightly backup', slug: 'backup', tags: 'prod db' });
  await knell.request(`/ping/${check.uuid}`, { method: 'POST', body: 'done' });
  await knell.request(`/ping/${check.uuid}/fail`);
  const of = (path: string) => `/web/in/${project}/${path}`;
  const channel = (
    await page.post(of('channels'), {
      kind: 'ntfy',
      name: 'Push',
      value: '{"topic":"knell","url":"http://127.0.0.1:9"}',
    })
  ).json();
  const user = (await page.post('/web/users', { name: 'grace', role: 'viewer' })).json();
  const services = [{ name: 'Backups', checks: [check.uuid] }];
  const status = (await page.post(of('status-pages'), { title: 'Status', slug: 'status', services })).json();
  const written = await page.post(of(`status-pages/${status.id}/notices`), {
    title: 'Upgrade',
    text: 'At ten.',
    stage: 'investigating',
    services: [],
  });
  const ids = [check.uuid, channel.id, user.id, status.id];
  const [notice] = written.json().notices;
  expect([project, ...ids, notice.id]).not.toContain(undefined);
  return {
    project: [project],
    id: ids,
    notice: [notice.id],
    rest: [
      'v3/checks/',
      `v3/checks/${check.uuid}`,
      `v3/checks/${check.uuid}/snooze`,
      `v3/checks/${check.uuid}/pings/`,
    ],
    form: ['csv', 'jsonl'],
  };
}

const names = [
  ...[
    'name',
    'slug',
    'title',
    'text',
    'description',
    'value',
    'kind',
    'role',
    'id',
    'ids',
    'checks',
    'check',
    'services',
  ],
  ...[
    'tag',
    'tags',
    'logo',
    'password',
    'timeZone',
    'clock',
    'theme',
    'frequency',
    'address',
    'email',
    'code',
    'link',
  ],
  ...[
    'until',
    'untilMs',
    'from',
    'fromMs',
    'seconds',
    'limit',
    'before',
    'after',
    'at',
    'tz',
    'range',
    'q',
    'filter',
    'order',
  ],
  ...[
    'group',
    'sort',
    'status',
    'known',
    'project',
    'projects',
    'plan',
    'user',
    'member',
    'action',
    'csrf',
    'state',
    'form',
  ],
  ...[
    'response',
    'rawId',
    'type',
    'clientExtensionResults',
    'secret',
    'secrets',
    'delayS',
    'repeatS',
    'late',
    'disabled',
  ],
  ...[
    'schedule',
    'timeout',
    'grace',
    'expr',
    'channels',
    'all',
    'on',
    'hash',
    'key',
    'body',
    'variable',
    '__proto__',
  ],
];
const words = [
  ...[
    '',
    ' ',
    'true',
    'null',
    'NaN',
    '-1',
    '0',
    '1e999',
    '9007199254740993',
    '2026-02-30',
    '2026-13-01T25:61:00Z',
  ],
  ...[
    '+275760-09-13T00:00:00.001Z',
    '-271821-04-19',
    'Europe/Nowhere',
    'Etc/GMT+99',
    '* * * * *',
    'owner',
    'viewer',
    'all',
  ],
  ...[
    'daily',
    'data:image/png;base64,AAAA',
    'data:image/svg+xml;base64,PHN2Zy8+',
    'http://[::1',
    'javascript:alert(1)',
  ],
  ...[
    '<img src=x onerror=alert(1)>',
    '"\'`;--',
    '../../etc/passwd',
    '%00',
    '\u0000',
    '\ud800',
    '\u202e\u0661\u0662',
    'ａ́́́',
  ],
  ...[
    'x'.repeat(300),
    '🦭'.repeat(5000),
    'a,'.repeat(20_000),
    '[[[[[[[[',
    '{"a":'.repeat(50),
    '00000000-0000-0000-0000-000000000000',
  ],
];
const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...words) },
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const scalar = fc.oneof(
  word,
  fc.constantFrom(null, true, false, 0, -0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, -1e308, Date.UTC(2027, 0)),
);
const { value: garbage } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 5, arbitrary: scalar },
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 5 }),
  ),
}));
const body = fc.oneof(
  { weight: 9, arbitrary: fc.dictionary(fc.constantFrom(...names), garbage, { minKeys: 1, maxKeys: 12 }) },
  { weight: 1, arbitrary: garbage },
);
const query = fc.dictionary(fc.constantFrom(...names), word, { maxKeys: 4 });
const segment = fc.constantFrom(
  'none',
  '0',
  '-',
  'x'.repeat(64),
  '00000000-0000-0000-0000-000000000000',
  '__proto__',
);

/** What the page sends: all of it is right but for what is replaced. */
const valid: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  account: { name: 'ada', timeZone: 'Europe/Berlin', clock: '24', theme: 'dark' },
  reports: { frequency: 'weekly', address: 'ada@example.org' },
  users: { name: 'linus', role: 'editor' },
  members: { name: 'linus', role: 'editor', installation: 'none' },
  channels: {
    kind: 'webhook',
    name: 'hook',
    value: '{"url_down":"http://127.0.0.1:9"}',
    delayS: 60,
    repeatS: 0,
  },
  'status-pages': {
    title: 'Status',
    slug: 'other',
    description: 'What works',
    timeZone: 'UTC',
    services: [{ name: 'Backups', tag: 'prod' }],
  },
  notices: { title: 'Upgrade', text: 'At ten.', stage: 'resolved', services: [] },
  crontab: { text: '0 3 * * * root /usr/bin/backup', tz: 'UTC', hasUsers: true },
  'server-settings': { name: 'KNELL_BADGE_LABEL', value: 'Checks' },
  api: {
    name: 'Backup',
    tags: 'prod',
    schedule: '0 3 * * *',
    tz: 'Europe/Berlin',
    grace: 3600,
    channels: '*',
  },
};

function mutated(path: string, garbled: unknown): unknown {
  const base = Object.entries(valid).findLast(([part]) => path.split('/').includes(part))?.[1];
  if (!base || typeof garbled !== 'object' || garbled === null) return garbled;
  const values = Object.values(garbled);
  const fields = Object.keys(base);
  // Which field is replaced follows from what comes: so a failure can be repeated.
  const at = JSON.stringify(values[0] ?? null).length % fields.length;
  return { ...base, [fields[at] ?? '']: values[0] };
}

function pathOf(pattern: string, pick: (name: string) => string): string {
  return pattern.replace(/<(\w+)>/g, (_, name: string) => encodeURI(pick(name)));
}

const asked = webRoutes.filter(({ method, path }) => !left.has(`${method} ${path}`));
const isDelete = ({ method }: { readonly method: string }): boolean => method === 'DELETE';

// What deletes comes last.
test.each([...asked.filter((one) => !isDelete(one)), ...asked.filter(isDelete)])(
  '$method $path answers whatever comes',
  async ({ method, path }) => {
    const anything = fc.record({
      body,
      query,
      segment,
      real: fc.nat({ max: 4 }),
      isMostlyRight: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(anything, async ({ body, query, segment, real, isMostlyRight }) => {
        const pick = (name: string): string =>
          known[name]?.[real] ?? (name === 'project' ? known.project?.[0] : null) ?? segment;
        // A half of a character is none in an address.
        const whole = (text: string): string => text.replace(/\p{Surrogate}/gu, '');
        const search = Object.entries(query).map(
          ([name, text]) => `${name}=${encodeURIComponent(whole(text))}`,
        );
        const address = `${pathOf(path, pick)}?${search.join('&').slice(0, 4000)}`;
        const sent = isMostlyRight ? mutated(path, body) : body;
        const answer = method === 'GET' ? await page.get(address) : await page.send(method, address, sent);
        expect(answer.status, `${answer.status} ${answer.text.slice(0, 200)}`).toBeLessThan(500);
        if (answer.status >= 400 && answer.headers.get('content-type')?.startsWith('application/json'))
          expect(answer.json().error, answer.text.slice(0, 200)).toMatch(/\w/);
        expect(logged).toBe('');
      }),
      { numRuns: roundsOfEach, seed, endOnFailure: true },
    );
  },
);

test('goes on, with what it had', async () => {
  expect((await page.get('/web/state')).status).toBe(200);
  expect((await knell.api('GET', '/api/v3/checks/')).status).toBe(200);
  await knell.restart();
  expect((await knell.api('GET', '/api/v3/checks/')).status).toBe(200);
});
