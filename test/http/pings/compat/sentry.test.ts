/** Envelopes of Sentry's SDKs: what is in them, packed or not, and which checks they create. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, type Json, Knell } from '../../../support/knell.ts';

let knell: Knell;
let slugs = 0;
let slug: string;

beforeAll(async () => {
  knell = await Knell.start({ env: { KNELL_COMPAT_PINGS: 'sentry' } });
});
afterAll(() => knell.stop());
beforeEach(() => {
  slug = `job-${++slugs}`;
});

type Bytes = string | Buffer;

function send(body: Bytes, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const auth = `Sentry sentry_key=${knell.keys.ping}, sentry_version=7, sentry_client=test/1`;
  return knell.request('/api/42/envelope/', {
    method: 'POST',
    headers: { 'X-Sentry-Auth': auth, ...headers },
    body: new Uint8Array(Buffer.from(body)),
  });
}

function envelope(...items: readonly (readonly [type: string, payload: unknown])[]): string {
  const lines = items.flatMap(([type, payload]) => {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    return [JSON.stringify({ type, length: Buffer.byteLength(text) }), text];
  });
  return [JSON.stringify({ sent_at: '2026-05-04T12:00:00Z' }), ...lines, ''].join('\n');
}

const checkIn = (more: Json = {}): Json => ({
  ...{ check_in_id: '0123456789abcdef0123456789abcdef', monitor_slug: slug, status: 'ok' },
  ...more,
});
const daily = { type: 'crontab', value: '30 3 * * *' };

async function made(): Promise<Json> {
  return (await knell.api('GET', `/api/v3/checks/?slug=${slug}`)).json().checks[0];
}

describe('a monitor_config creates the check', () => {
  test.each<[string, Json, Json]>([
    [
      'of a crontab',
      { schedule: daily, timezone: 'Europe/Riga', checkin_margin: 5, max_runtime: 90 },
      { schedule: '30 3 * * *', tz: 'Europe/Riga', grace: 300, max_runtime: 5400 },
    ],
    [
      'of an interval',
      { schedule: { type: 'interval', value: 2, unit: 'hour' } },
      { timeout: 7200, grace: 60, max_runtime: 1800 },
    ],
  ])('%s', async (_, config, expected) => {
    const answer = await send(envelope(['check_in', checkIn({ monitor_config: config })]));
    expect([answer.status, answer.json()]).toEqual([202, { id: '0123456789abcdef0123456789abcdef' }]);
    expect(await made()).toMatchObject({ ...expected, name: slug, n_pings: 1 });
    // It is changed by its owner, not by a public key.
    await send(envelope(['check_in', checkIn({ monitor_config: { ...config, checkin_margin: 50 } })]));
    expect(await made()).toMatchObject({ ...expected, n_pings: 2 });
  });

  test.each<[unknown, string]>([
    ['x', 'monitor_config is not an object'],
    [{}, 'monitor_config.schedule is not an object'],
    [{ schedule: { type: 'crontab', value: 5 } }, 'monitor_config.schedule.value is not a string'],
    [{ schedule: { type: 'crontab', value: 'x' } }, 'schedule is not a valid cron or OnCalendar expression'],
    [{ schedule: { type: 'interval', value: 1, unit: 'eon' } }, 'neither a crontab nor an interval'],
    [{ schedule: { type: 'interval', value: 9, unit: 'year' } }, 'timeout is too large'],
    [{ schedule: { type: 'interval', value: 1e300, unit: 'year' } }, 'timeout is '],
    [{ schedule: daily, timezone: 'Mars' }, 'tz is not a valid timezone'],
    [{ schedule: daily, checkin_margin: 'soon' }, 'monitor_config.checkin_margin is not a number'],
    [{ schedule: daily, max_runtime: -1 }, 'monitor_config.max_runtime is not a number'],
  ])('unless it cannot be: %j', async (config, words) => {
    const answer = await send(envelope(['check_in', checkIn({ monitor_config: config })]));
    expect([answer.status, answer.json().detail]).toEqual([400, expect.stringContaining(words)]);
    expect(await made()).toBeUndefined();
  });

  test('and without one there is none', async () => {
    expect((await send(envelope(['check_in', checkIn()]))).status).toBe(404);
    expect(await made()).toBeUndefined();
  });
});

describe('an envelope', () => {
  const full = (): string => envelope(['check_in', checkIn({ monitor_config: { schedule: daily } })]);

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('is unpacked: %s', async (encoding, pack) => {
    expect((await send(pack(full()), { 'Content-Encoding': encoding })).status).toBe(202);
    expect(await made()).toMatchObject({ n_pings: 1 });
  });

  test('has its key in the header, in the query or in its first line', async () => {
    const { ping } = knell.keys;
    const body = full();
    const plain = { method: 'POST' };
    const byQuery = await knell.request(`/api/42/envelope/?sentry_key=${ping}`, { ...plain, body });
    const [, ...lines] = body.split('\n');
    const dsn = JSON.stringify({ dsn: `http://${ping}@knell.test/42` });
    const byLine = await knell.request('/api/42/envelope/', { ...plain, body: [dsn, ...lines].join('\n') });
    const without = await knell.request('/api/42/envelope/', { ...plain, body });
    expect([byQuery.status, byLine.status, without.status]).toEqual([202, 202, 404]);
  });

  test('with other items is accepted, and of those nothing is kept', async () => {
    const { uuid } = await knell.create({ slug });
    const answer = await send(
      envelope(['event', { message: 'x\ny' }], ['check_in', checkIn()], ['attachment', 'a\nb\n{']),
    );
    expect(answer.status).toBe(202);
    expect(await knell.check(uuid)).toMatchObject({ n_pings: 1 });
    expect((await send(envelope(['event', {}]))).status).toBe(200);
    const text = (await knell.api('GET', `/api/v3/checks/${uuid}/pings/1/body`)).text;
    expect(JSON.parse(text)).toMatchObject({ monitor_slug: slug, status: 'ok' });
  });

  test.each<[string, () => Bytes, Readonly<Record<string, string>>, number, string]>([
    ['empty', () => '', {}, 400, 'the body is no envelope'],
    ['of garbage', () => Buffer.from([0, 255, 10, 13]), {}, 400, 'the body is no envelope'],
    ['with an item of garbage', () => '{}\nx\n', {}, 400, 'the header of an item is no JSON object'],
    [
      'with a check-in of garbage',
      () => envelope(['check_in', 'x']),
      {},
      400,
      'a check-in is no JSON object',
    ],
    ['not packed as it says', () => full(), { 'Content-Encoding': 'gzip' }, 400, 'the body is not gzip'],
    ['packed unlike any', () => full(), { 'Content-Encoding': 'zstd' }, 415, 'gzip, deflate or br'],
    [
      'of a megabyte and more',
      () => gzipSync(Buffer.alloc(2e6)),
      { 'Content-Encoding': 'gzip' },
      400,
      '500 kB',
    ],
    ['over 100 kB', () => Buffer.alloc(200_000), {}, 413, 'larger than 100 kB'],
    [
      'with too many check-ins',
      () => envelope(...Array.from({ length: 11 }, () => ['check_in', checkIn()] as const)),
      ...([{}, 400, 'an envelope has at most 10 check-ins'] as const),
    ],
    [
      'with too many items',
      () => envelope(...Array.from({ length: 101 }, () => ['event', {}] as const)),
      {},
      400,
      'at most 100 items',
    ],
    [
      'of empty lines',
      () => gzipSync(`{}${'\n'.repeat(400_000)}`),
      { 'Content-Encoding': 'gzip' },
      400,
      'at most 100 items',
    ],
    [
      'with a large check-in',
      () => envelope(['check_in', checkIn({ x: 'x'.repeat(10_000) })]),
      {},
      400,
      'up to 10 kB',
    ],
    [
      'without a slug',
      () => envelope(['check_in', { status: 'ok' }]),
      {},
      400,
      'monitor_slug is not a string',
    ],
  ])('%s is refused', async (_, body, headers, status, words) => {
    const answer = await send(body(), headers);
    expect([answer.status, answer.json().detail]).toEqual([status, expect.stringContaining(words)]);
    expect(await made()).toBeUndefined();
  });
});
