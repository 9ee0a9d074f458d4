/** The search as an owner gets it: pings, mails and requests over real sockets, a real store. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../../../support/knell.ts';
import { MailClient } from '../../../support/wire/mail-client.ts';

const start = Date.UTC(2026, 2, 2, 12);
const minute = 60_000;

let clock: SimulatedClock;
let knell: Knell;

beforeEach(async () => {
  clock = new SimulatedClock(start);
  knell = await Knell.start({ clock, env: { KNELL_SMTP: '127.0.0.1:0', KNELL_EMAIL_DOMAIN: 'in.test' } });
});

afterEach(() => knell.stop());

async function ping(uuid: string, body: string | Uint8Array<ArrayBuffer>, rest = ''): Promise<void> {
  expect((await knell.request(`/ping/${uuid}${rest}`, { method: 'POST', body })).status).toBe(200);
}

async function search(query: Readonly<Record<string, string>>, key?: string): Promise<Json> {
  const answer = await knell.api('GET', `/api/v3/search?${new URLSearchParams(query)}`, undefined, key);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json();
}

/** All pages, one after the other. */
async function searchAll(query: Readonly<Record<string, string>>): Promise<Json[]> {
  const found: Json[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const page: Json = await search(after === '' ? query : { ...query, after });
    found.push(...page.outputs);
    after = page.next;
  }
  return found;
}

const numbered = (outputs: readonly Json[]): readonly string[] =>
  outputs.map(({ name, n }) => `${name} ${n}`);

async function mail(uuid: string, ...lines: readonly string[]): Promise<void> {
  const client = await MailClient.greeted(knell.app.smtp);
  expect(await client.send([`${uuid}@in.test`], lines.join('\r\n'))).toMatch(/^250/);
  client.vanish();
}

describe('what is found', () => {
  test('outputs with all words, newest first, whichever check they are of', async () => {
    const backup = await knell.create({ name: 'Backup', tags: 'prod' });
    const mirror = await knell.create({ name: 'Mirror' });
    await ping(backup.uuid, 'begin\nERROR: Disk is full\nend', '/fail');
    await clock.advance(minute);
    await ping(mirror.uuid, 'the disk\nwas full');
    await clock.advance(minute);
    await ping(backup.uuid, 'the disk has space', '/log');
    await clock.advance(minute);
    await ping(backup.uuid, 'full again: DISK', '/1');
    const { outputs, searched, next, checks, n_checks } = await search({ q: 'full disk' });
    expect(numbered(outputs)).toEqual(['Backup 3', 'Mirror 1', 'Backup 1']);
    expect(outputs[2]).toEqual({
      uuid: backup.uuid,
      name: 'Backup',
      n: 1,
      date: '2026-03-02T12:00:00.000000+00:00',
      type: 'fail',
      scheme: 'http',
      line: 2,
      excerpt: 'ERROR: Disk is full',
      marks: [
        [7, 11],
        [15, 19],
      ],
      body_url: `http://knell.test/api/v3/checks/${backup.uuid}/pings/1/body`,
    });
    // No line has both words, so it is the first with the longest.
    expect(outputs[1]).toMatchObject({ line: 2, excerpt: 'was full', marks: [[4, 8]] });
    expect(searched).toEqual({
      pings: 4,
      bytes: 80,
      from: null,
      to: '2026-03-02T12:03:00.000000+00:00',
      complete: true,
    });
    expect({ next, checks, n_checks }).toEqual({ next: null, checks: [], n_checks: 0 });
  });

  test('checks by name, slug, tags and description, those with the words in the name first', async () => {
    await knell.create({ name: 'Mirror', desc: 'copies the backup' });
    const named = await knell.create({ name: 'Nightly Backup', slug: 'nb', tags: 'prod' });
    await knell.create({ name: 'Other' });
    const found = await search({ q: 'BACKUP', in: 'checks' });
    expect(found.checks.map(({ name }: Json) => name)).toEqual(['Nightly Backup', 'Mirror']);
    expect(found.n_checks).toBe(2);
    expect(found.checks[0]).toEqual({
      uuid: named.uuid,
      name: 'Nightly Backup',
      slug: 'nb',
      tags: 'prod',
      desc: '',
    });
    expect([found.outputs, found.searched, found.next]).toEqual([undefined, undefined, null]);
    expect((await search({ q: named.uuid })).checks).toHaveLength(1);
    expect((await search({ q: 'prod night', in: 'checks' })).checks).toHaveLength(1);
  });

  test('letters in any case and with any marks, and words in quotes as they are', async () => {
    const { uuid } = await knell.create({ name: 'a' });
    await ping(uuid, 'FEHLER: Größe überschritten in Café İstanbul ΟΔΟΣ');
    await ping(uuid, 'überschritten: die GRÖSSE');
    await ping(uuid, `Cafe\u0301 geschlossen`);
    for (const [q, n] of [
      ['ÜBERSCHRITTEN', [2, 1]],
      ['größe', [1]],
      ['GRÖSSE', [2]],
      ['CAFÉ', [3, 1]],
      ['cafe\u0301', [3, 1]],
      ['istanbul', [1]],
      ['οδος', [1]],
      ['οδοσ', [1]],
      ['"die größe"', []],
      ['"die grösse"', [2]],
      ['grösse die', [2]],
    ] as const) {
      const { outputs } = await search({ q });
      expect([q, outputs.map((one: Json) => one.n)]).toEqual([q, n]);
      for (const { excerpt, marks } of outputs)
        for (const [from, to] of marks) expect(excerpt.slice(from, to).length).toBeGreaterThan(2);
    }
    const { outputs } = await search({ q: 'istanbul' });
    const [[from, to]] = outputs[0].marks;
    expect(outputs[0].excerpt.slice(from, to)).toBe('İstanbul');
  });

  test('words in very long lines, in colours, and in bytes that are no text', async () => {
    const { uuid } = await knell.create({ name: 'a' });
    await ping(uuid, `${'x'.repeat(50_000)}🔔 needle 🔔${'y'.repeat(40_000)}`);
    await ping(uuid, 'one\ntwo \u001b[31mnee\u001b[1mdle\u001b[0m\r\nthree');
    await ping(uuid, new Uint8Array([0, 255, 254, ...Buffer.from('needle'), 0, 195, 7]));
    await ping(uuid, `${'İ'.repeat(3000)} needle`);
    const { outputs } = await search({ q: 'needle' });
    expect(outputs.map(({ n }: Json) => n)).toEqual([4, 3, 2, 1]);
    for (const { excerpt, marks } of outputs) {
      expect(excerpt.length).toBeLessThanOrEqual(170);
      expect(marks.map(([from, to]: number[]) => excerpt.slice(from, to))).toEqual(['needle']);
      expect(excerpt).not.toMatch(/\p{Cc}|\p{Cs}/u);
    }
    expect(outputs[2]).toMatchObject({ line: 2, excerpt: 'two needle' });
    expect(outputs[3].excerpt).toMatch(/^…x+🔔 needle 🔔y+…$/u);
  });

  test('the subject and the text of a mail, also of one that is only HTML', async () => {
    const { uuid } = await knell.create({ name: 'Mail' });
    const encoded = Buffer.from('Die Sicherung ist übergelaufen').toString('base64');
    await mail(uuid, 'Subject: =?utf-8?B?w5xiZXJsYXVm?=', '', 'nothing');
    await mail(
      uuid,
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
      encoded,
    );
    await mail(uuid, 'Content-Type: text/html', '', '<p>backup <b>fa&#105;led</b> at <i>night</i></p>');
    expect(numbered(await searchAll({ q: 'Überlauf' }))).toEqual(['Mail 1']);
    expect(await searchAll({ q: 'übergelaufen sicherung' })).toMatchObject([
      { n: 2, scheme: 'email', excerpt: 'Die Sicherung ist übergelaufen' },
    ]);
    const [html] = await searchAll({ q: '"backup failed at night"' });
    expect(html).toMatchObject({ n: 3, excerpt: 'backup failed at night' });
    expect(await searchAll({ q: 'fa&#105;led' })).toEqual([]);
  });
});

describe('where it looks', () => {
  test('one check, a range of time, and page after page while pings come in', async () => {
    const one = await knell.create({ name: 'one' });
    const two = await knell.create({ name: 'two' });
    for (let at = 0; at < 6; at++) {
      await ping((at % 2 ? two : one).uuid, `hit ${at}`);
      await clock.advance(minute);
    }
    const all = ['two 3', 'one 3', 'two 2', 'one 2', 'two 1', 'one 1'];
    expect(numbered(await searchAll({ q: 'hit', limit: '1' }))).toEqual(all);
    expect(numbered(await searchAll({ q: 'hit', check: one.uuid, limit: '2' }))).toEqual([
      'one 3',
      'one 2',
      'one 1',
    ]);
    const range = { since: String(start / 1000 + 60), until: '2026-03-02T12:04:00Z' };
    expect(numbered(await searchAll({ q: 'hit', limit: '2', ...range }))).toEqual(all.slice(2, 5));
    const first = await search({ q: 'hit', limit: '2' });
    expect(first.searched).toMatchObject({
      from: '2026-03-02T12:04:00.000000+00:00',
      complete: false,
      pings: 2,
    });
    await ping(one.uuid, 'hit, newer');
    await knell.restart();
    const second = await search({ q: 'hit', limit: '4', after: first.next });
    expect(numbered([...first.outputs, ...second.outputs])).toEqual(all);
    expect(second.searched).toMatchObject({ to: first.searched.from, pings: 4 });
    expect(numbered((await search({ q: 'newer' })).outputs)).toEqual(['one 4']);
  });

  test('not in a check that is deleted or of another project, also not on the next page', async () => {
    const one = await knell.create({ name: 'one' });
    const two = await knell.create({ name: 'two' });
    for (const { uuid } of [one, two, one]) {
      await ping(uuid, 'hit');
      await clock.advance(minute);
    }
    const first = await search({ q: 'hit', limit: '1' });
    await knell.api('DELETE', `/api/v3/checks/${one.uuid}`);
    expect(numbered(await searchAll({ q: 'hit' }))).toEqual(['two 1']);
    const rest = await search({ q: 'hit', after: first.next });
    expect([...numbered(rest.outputs), rest.next]).toEqual(['two 1', null]);
    const gone = await knell.api('GET', `/api/v3/search?q=hit&check=${one.uuid}`);
    expect([gone.status, gone.json()]).toEqual([404, { error: 'not found' }]);
    const other = await knell.app.engine.change.createProject('other', 'free', clock.nowMs());
    const none = await search({ q: 'hit' }, other.readWrite.clear);
    expect([none.outputs, none.checks, none.searched.pings]).toEqual([[], [], 0]);
    const foreign = `/api/v3/search?q=hit&check=${two.uuid}`;
    expect((await knell.api('GET', foreign, undefined, other.readWrite.clear)).status).toBe(403);
  });

  test('a read-only key finds checks, without their UUIDs, and no outputs', async () => {
    const { uuid } = await knell.create({ name: 'Backup' });
    await ping(uuid, 'backup done');
    const found = await search({ q: 'backup' }, knell.keys.readOnly);
    expect(found).toEqual({
      checks: [{ unique_key: expect.any(String), name: 'Backup', slug: '', tags: '', desc: '' }],
      n_checks: 1,
      next: null,
    });
    expect((await search({ q: uuid }, knell.keys.readOnly)).checks).toEqual([]);
    for (const parts of ['outputs', 'checks,outputs']) {
      const path = `/api/v3/search?q=backup&in=${parts}`;
      const refused = await knell.api('GET', path, undefined, knell.keys.readOnly);
      expect([refused.status, refused.json()]).toEqual([401, { error: 'wrong api key' }]);
    }
  });

  test.each([1, 2, 3])('version %i of the API has it', async (version) => {
    const { uuid } = await knell.create({ name: 'a' });
    await ping(uuid, 'hit');
    const { outputs } = (await knell.api('GET', `/api/v${version}/search?q=hit`)).json();
    expect(outputs[0].body_url).toBe(`http://knell.test/api/v${version}/checks/${uuid}/pings/1/body`);
  });
});

describe('a query that is wrong', () => {
  test.each([
    ['', 'q'],
    ['q=%20%20', 'q'],
    ['q=', 'q'],
    [`q=${'x'.repeat(201)}`, 'q'],
    [`q=${Array.from({ length: 21 }, (_, at) => `w${at}`).join('+')}`, 'q'],
    ['q=x&in=bodies', 'in'],
    ['q=x&in=checks,pings', 'in'],
    ['q=x&check=backup', 'check'],
    ['q=x&check=', 'check'],
    ['q=x&since=yesterday', 'since'],
    ['q=x&since=2026-03-02T12:00:00', 'since'],
    ['q=x&since=-1', 'since'],
    ['q=x&until=', 'until'],
    ['q=x&until=2026-02-30T00:00:00Z', 'until'],
    ['q=x&since=100&until=100', 'since'],
    ['q=x&limit=0', 'limit'],
    ['q=x&limit=101', 'limit'],
    ['q=x&limit=1.5', 'limit'],
    ['q=x&limit=', 'limit'],
    ['q=x&after=', 'after'],
    // Behind the last date that there is.
    [
      `q=x&after=${Buffer.from(`00000000 8640000000000001 1 ${'0'.repeat(36)}`).toString('base64url')}`,
      'after',
    ],
    ['q=x&after=%00', 'after'],
    ['q=x&after=AAAA', 'after'],
    [`q=x&after=${'A'.repeat(5000)}`, 'after'],
    [`q=x&after=${Buffer.from('01234567 5 5 not-a-uuid').toString('base64url')}`, 'after'],
  ])('%s is refused, and %s is named', async (query, name) => {
    const answer = await knell.api('GET', `/api/v3/search?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.json().error).toMatch(new RegExp(`^${name}\\b`));
  });
});
