/** `GET /api/v3/events` over real sockets: a whole Knell, its journal, its fold, and clients that go away and come back. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, Knell } from '../support/knell.ts';
import { eventually } from '../support/patience.ts';
import { EventStream, type SentEvent } from '../support/wire/event-stream.ts';

let knell: Knell;

beforeAll(async () => {
  knell = await Knell.start({ env: { KNELL_HTTP_COMPAT: '127.0.0.1:0' } });
});
afterAll(() => knell.stop());

const events = '/api/v3/events';
const all = 'types=ping,status,run,incident,delivery,configuration';

interface ListenOptions {
  readonly key?: string;
  readonly lastEventId?: string;
  readonly url?: string;
}

function listen(query = '', options: ListenOptions = {}) {
  const { key = knell.keys.readWrite, lastEventId = '', url = knell.app.httpUrl } = options;
  return EventStream.open(`${url}${events}?${query}`, {
    'X-Api-Key': key,
    ...(lastEventId === '' ? {} : { 'Last-Event-ID': lastEventId }),
  });
}

const ping = (uuid: string, action = ''): Promise<unknown> => knell.request(`/ping/${uuid}${action}`);
const page = async (query: string, key = knell.keys.readWrite): Promise<Json> =>
  (await knell.api('GET', `${events}?format=json&${query}`, undefined, key)).json();
/** A snapshot waits until all is in the history. */
const folded = (): Promise<unknown> =>
  knell.app.engine.writeSnapshot(join(knell.dataDir, 'folded.snapshot'), () => {});
const dataOf = (sent: readonly SentEvent[]): readonly Json[] => sent.map(({ data }) => JSON.parse(data));

describe('a stream', () => {
  test('has what happens, each event once and in order, to the one who asks for all', async () => {
    const stream = await listen(all);
    const { uuid } = await knell.create({ name: 'all', tags: 'a b' });
    await ping(uuid, '/start');
    await ping(uuid);
    await ping(uuid, '/fail');
    await ping(uuid);
    await eventually(() => expect(stream.events.filter(({ type }) => type === 'status').length).toBe(3));
    await stream.end();
    const own = dataOf(stream.events);
    expect(own.map(({ type }) => type)).toEqual([
      ...['configuration', 'ping', 'ping', 'run', 'status'],
      ...['incident', 'ping', 'status', 'incident', 'ping', 'status'],
    ]);
    expect(own.filter(({ type }) => type === 'status')).toMatchObject([
      { status: 'up', previous: 'new', cause: 'success', check: { uuid, name: 'all', tags: 'a b' } },
      { status: 'down', previous: 'up', cause: 'fail' },
      { status: 'up', previous: 'down', cause: 'success' },
    ]);
    expect(own[3]).toMatchObject({ outcome: 'succeeded', n: 2, check: { uuid } });
    expect(own[0]).toMatchObject({ action: 'created', subject: 'check', subject_id: uuid, name: 'all' });
    const ids = stream.events.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(own.map(({ id }) => id)).toEqual(ids);
  });

  test('shows a reader no UUID, and nobody who changed what', async () => {
    const stream = await listen('', { key: knell.keys.readOnly });
    const { uuid } = await knell.create({ name: 'for readers' });
    await ping(uuid, '/fail');
    await eventually(() => expect(stream.events.map(({ type }) => type)).toContain('status'));
    await stream.end();
    const sent = JSON.stringify(stream.events);
    expect(sent).not.toContain(uuid);
    expect(sent).toContain('unique_key');
    expect(dataOf(stream.events).find(({ type }) => type === 'configuration').by).toBe(undefined);
  });

  test('has only what its filters let through, and nothing of another project', async () => {
    const wanted = await knell.create({ name: 'Wanted', slug: 'wanted', tags: 'x' });
    const other = await knell.create({ name: 'Other', slug: 'other', tags: 'y' });
    const bySlug = await listen('types=status&check=wanted');
    const byTag = await listen('types=status&tag=y,z');
    for (const { uuid } of [wanted, other]) await ping(uuid);
    await eventually(() => expect([bySlug.events.length, byTag.events.length]).toEqual([1, 1]));
    await Promise.all([bySlug.end(), byTag.end()]);
    expect(dataOf(bySlug.events)[0]).toMatchObject({ check: { slug: 'wanted' } });
    expect(dataOf(byTag.events)[0]).toMatchObject({ check: { slug: 'other' } });
  });

  test('comes through the listener for old clients, too', async () => {
    const stream = await listen('types=status', { url: knell.app.compatUrl ?? '' });
    const { uuid } = await knell.create({ name: 'old' });
    await ping(uuid);
    await eventually(() => expect(stream.events.length).toBe(1));
    await stream.end();
  });

  test('goes on behind the last event of a client that comes back, after a restart too', async () => {
    const { uuid } = await knell.create({ name: 'comes back' });
    const first = await listen(`types=ping&check=${uuid}`);
    await ping(uuid);
    await eventually(() => expect(first.events.length).toBe(1));
    await first.end();
    const [{ id } = { id: '' }] = first.events;
    for (let n = 0; n < 5; n++) await ping(uuid);
    await knell.restart();
    await ping(uuid);
    const second = await listen(`types=ping&check=${uuid}`, { lastEventId: id });
    await eventually(() => expect(second.events.length).toBe(6));
    await second.end();
    expect(dataOf(second.events).map(({ n }) => n)).toEqual([2, 3, 4, 5, 6, 7]);
  });

  test('ends when its key is revoked, with a word', async () => {
    const { change, read } = knell.app.engine;
    const [project] = read.projects();
    if (!project) throw new Error('there is no project');
    const wanted = { projectId: project.id, scope: 'read-only' } as const;
    const { key, clear } = await change.createKey(wanted, Date.now());
    const stream = await listen('', { key: clear });
    await change.revokeKey(key.id);
    await eventually(() => expect(stream.isOver).toBe(true));
    expect(stream.events.at(-1)).toMatchObject({ type: 'end' });
    expect((await knell.api('GET', events, undefined, clear)).status).toBe(401);
  });

  test('that takes nothing holds up no other, and loses nothing', async () => {
    const { uuid } = await knell.create({ name: 'busy' });
    const slow = await listen(`types=ping&check=${uuid}`);
    const quick = await listen(`types=ping&check=${uuid}`);
    slow.pause();
    const count = 300;
    for (let n = 0; n < count; n++) await ping(uuid);
    await eventually(() => expect(quick.events.length).toBe(count));
    slow.resume();
    await eventually(() => expect(slow.events.length).toBe(count));
    await Promise.all([slow.end(), quick.end()]);
    expect(slow.events).toEqual(quick.events);
  });
});

describe('what is folded', () => {
  test('is read from the history as it was from the journal', async () => {
    const { uuid } = await knell.create({ name: 'folded' });
    const before = (await page('after=now')).next;
    await ping(uuid, '/start');
    await ping(uuid);
    await ping(uuid, '/fail');
    await knell.api('DELETE', `/api/v3/checks/${uuid}`);
    const query = `after=${before}&types=ping,status,run,incident,configuration`;
    const unfolded = await page(query);
    expect(unfolded.events.map(({ type }: Json) => type)).toContain('run');
    await folded();
    const read = await page(query);
    // The pings of a deleted check are gone, everything else is there.
    const rest = unfolded.events.filter(({ type }: Json) => type !== 'ping' && type !== 'run');
    expect(read.events).toEqual(rest);
    expect(rest.filter(({ type }: Json) => type === 'status').length).toBe(2);
  });

  test('of a check that is there has its pings and runs, too', async () => {
    const { uuid } = await knell.create({ name: 'kept' });
    const before = (await page('after=now')).next;
    for (let n = 0; n < 10; n++) {
      await ping(uuid, '/start');
      await ping(uuid, n % 3 === 2 ? '/fail' : '');
    }
    const query = `after=${before}&types=ping,run,status`;
    const unfolded = await page(query);
    expect(unfolded.events.length).toBeGreaterThan(25);
    await folded();
    expect((await page(query)).events).toEqual(unfolded.events);
    const pieces: Json[] = [];
    for (let after = before, more = true; more; ) {
      const one = await page(`after=${after}&types=ping,run,status&limit=3`);
      pieces.push(...one.events);
      ({ next: after, more } = one);
    }
    expect(pieces).toEqual(unfolded.events);
  });
});

describe('what is missing', () => {
  test.each([
    ['of another journal', 'fffff-1-0', 'another journal'],
    ['newer than anything', null, 'newer than'],
  ])('is said in words of an id %s', async (_, given, words) => {
    const { next } = await page('after=now');
    const id = given ?? next.replace(/-\d+-\d+$/, '-99999999-0');
    expect((await page(`after=${id}`)).gap.message).toContain(words);
    const stream = await listen('', { lastEventId: id });
    await eventually(() => expect(stream.events[0]?.type).toBe('gap'));
    await stream.end();
    expect(JSON.parse(stream.events[0]?.data ?? '').message).toContain(words);
  });
});

describe('a page', () => {
  test('waits for its first event, no longer than it should', async () => {
    const { uuid } = await knell.create({ name: 'awaited' });
    const { next } = await page('after=now');
    const waiting = page(`after=${next}&wait=20&types=status`);
    await ping(uuid);
    expect((await waiting).events).toMatchObject([{ type: 'status', status: 'up' }]);
    const beganMs = performance.now();
    const none = await page('after=now&wait=1&types=status');
    expect(none.events).toEqual([]);
    expect(performance.now() - beganMs).toBeGreaterThan(900);
  });

  test.each([
    ['types=pings', 'types is not one of'],
    ['types=ping,,nonsense', 'types is not one of'],
    ['after=soon', 'after is not now'],
    ['after=00000-1', 'after is not now'],
    ['after=00000-999999999999999-0', 'after is not now'],
    ['limit=0', 'limit is not a number'],
    ['limit=1001', 'limit is not a number'],
    ['wait=21', 'wait is not a number'],
    ['wait=-1', 'wait is not a number'],
    ['format=xml', 'format is not json'],
    [`check=${'a,'.repeat(101)}`, 'check is given more than'],
  ])('with %s is refused by the name of it', async (query, words) => {
    for (const form of ['', 'format=json&']) {
      if (form !== '' && query.startsWith('format')) continue;
      const answer = await knell.api('GET', `${events}?${form}${query}`);
      expect([answer.status, answer.json().error]).toEqual([400, expect.stringContaining(words)]);
    }
  });

  test('needs a key, and HEAD of a stream has no body', async () => {
    expect((await knell.request(events)).status).toBe(401);
    const head = await knell.api('HEAD', events);
    expect([head.status, head.text]).toEqual([405, '']);
  });
});
