/** The store's contract, held over every log: what it holds is the same after another opening, and from a snapshot. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { User } from '../../src/domain/accounts/user.ts';
import { defaultConfig } from '../../src/domain/check/check.ts';
import { asChannelId, asCheckId, asKeyId, asUserId } from '../../src/lib/ids.ts';
import type { JournalRecord, Store } from '../../src/store/store.ts';
import {
  append,
  appendAll,
  checkOf,
  loaded,
  maintenanceOf,
  pingOf,
  projectOf,
  statusPageOf,
  uuidOf,
} from '../support/store/store-facts.ts';
import { always, numbers, storeSuite, suiteKinds } from '../support/store/store-suite.ts';
import { testNowMs } from '../support/store/stores.ts';
import { tempDir } from '../support/temp-dirs.ts';

describe.each(suiteKinds)('the store over the $name log', (kind) => {
  const { close, create, longTest, open, started } = storeSuite(kind);

  const userOf = (number: number, role: 'owner' | 'editor'): User => ({
    id: asUserId(uuidOf(0xf0, number)),
    name: 'Ärne',
    role,
    passwordHash: 'scrypt$1$2',
    createdAtMs: 6,
  });

  const ended = (user: number, id: string, untilMs: number, endedAtMs = 60): JournalRecord => ({
    type: 'put',
    kind: 'ended-session',
    fact: { userId: userOf(user, 'owner').id, id, untilMs, endedAtMs },
  });

  /** Every kind of record, some of them twice. */
  async function fill(store: Store): Promise<void> {
    const keyOf = (id: string, clear: string | null) => ({
      id: asKeyId(id),
      projectId: projectOf(1).id,
      scope: 'ping' as const,
      hash: 'ab'.repeat(32),
      clear,
      createdAtMs: 3,
    });
    const channelOf = (number: number) => ({
      id: asChannelId(uuidOf(0xe0, number)),
      projectId: projectOf(1).id,
      kind: 'webhook' as const,
      name: 'höök',
      value: '{"url":"https://example.org"}',
      createdAtMs: 4,
    });
    const config = {
      ...defaultConfig,
      tags: 'a b',
      desc: 'long\ntext',
      channels: [channelOf(1).id, channelOf(2).id],
    };
    await appendAll(store, [
      { type: 'put', kind: 'installation', fact: { badgeSecret: 'cd'.repeat(32), createdAtMs: 5 } },
      { type: 'put', kind: 'key', fact: keyOf('k1', 'clear') },
      { type: 'put', kind: 'key', fact: keyOf('k2', null) },
      { type: 'removed', kind: 'key', id: asKeyId('k1') },
      { type: 'put', kind: 'user', fact: userOf(1, 'owner') },
      { type: 'put', kind: 'user', fact: userOf(2, 'owner') },
      { type: 'put', kind: 'user', fact: userOf(2, 'editor') },
      ...[ended(1, 'of one who goes', 80), ended(2, 'runs out', 70), ended(2, 'stays', 75)],
      ended(2, 'newest', 80, 74),
      { type: 'removed', kind: 'user', id: userOf(1, 'owner').id },
      { type: 'put', kind: 'channel', fact: channelOf(1) },
      { type: 'put', kind: 'channel', fact: channelOf(2) },
      { type: 'removed', kind: 'channel', id: asChannelId(uuidOf(0xe0, 2)) },
      {
        type: 'put',
        kind: 'status-page',
        fact: statusPageOf(1, { slug: 'before', services: [], notices: [], logo: '' }),
      },
      { type: 'put', kind: 'status-page', fact: statusPageOf(1) },
      { type: 'put', kind: 'status-page', fact: statusPageOf(2) },
      { type: 'removed', kind: 'status-page', id: statusPageOf(2).id },
      { type: 'put', kind: 'maintenance', fact: maintenanceOf(1, { name: 'before', tags: [], except: [] }) },
      { type: 'put', kind: 'maintenance', fact: maintenanceOf(1) },
      { type: 'put', kind: 'maintenance', fact: maintenanceOf(2) },
      { type: 'removed', kind: 'maintenance', id: maintenanceOf(2).id },
      { type: 'check', check: checkOf(1, { config }), changes: [] },
      pingOf(checkOf(1), 1, { body: new Uint8Array([0, 255, 10]) }),
      pingOf(checkOf(2), 1),
      pingOf(checkOf(2), 2, { changes: [{ atMs: testNowMs, from: 'new', to: 'up', cause: 'success' }] }),
      { type: 'alive', atMs: 77 },
    ]);
  }

  /** All that can be read of a store, as one value. */
  async function everything(store: Store) {
    const facts = await loaded(store);
    const details = [...facts.checks.keys()]
      .sort()
      .map(asCheckId)
      .map((id) => {
        const pings = store.pings(id, 2000);
        const bodies = pings.map((ping) => store.body(id, ping.n)).map((body) => body && [...body]);
        const outputs = store.outputs(id, Number.POSITIVE_INFINITY, 2000);
        expect(
          outputs.map(({ n, atMs, signal, scheme, bodyBytes }) => ({ n, atMs, signal, scheme, bodyBytes })),
        ).toEqual(
          pings
            .filter(({ bodyBytes }) => bodyBytes > 0)
            .map(({ n, atMs, signal, scheme, bodyBytes }) => ({ n, atMs, signal, scheme, bodyBytes })),
        );
        for (const [at, { n }] of pings.entries())
          expect(store.lookAtBody(id, n, (body) => [...body])).toEqual(bodies[at]);
        return { id, pings, bodies, changes: store.changes(id, always) };
      });
    return { facts, details };
  }

  longTest.each([true, false])(
    'a new password forgets the sessions signed out of, a new role does not (folded between: %s)',
    async (isFolded) => {
      const place = create();
      const store = await started(place);
      await appendAll(store, [
        { type: 'put', kind: 'user', fact: userOf(1, 'owner') },
        ended(1, 'a', 90),
        ended(1, 'b', 80),
      ]);
      if (isFolded) await store.folded();
      await appendAll(store, [{ type: 'put', kind: 'user', fact: userOf(1, 'editor') }]);
      if (isFolded) await store.folded();
      await close(store);
      const again = await open(place);
      const facts = await loaded(again);
      expect(facts.endedSessions.map(({ id }) => id).sort()).toEqual(['a', 'b']);
      await appendAll(again, [
        { type: 'put', kind: 'user', fact: { ...userOf(1, 'owner'), passwordHash: 'other' } },
        ended(1, 'c', 85),
      ]);
      if (isFolded) await again.folded();
      await close(again);
      expect((await loaded(await open(place))).endedSessions.map(({ id }) => id)).toEqual(['c']);
    },
  );

  test.each([true, false])('opening again gives the same (folded before: %s)', async (isFolded) => {
    const place = create();
    const store = await started(place, [checkOf(1), checkOf(2)]);
    await fill(store);
    if (isFolded) await store.folded();
    await close(store);
    const again = await open(place);
    const { facts, details } = await everything(again);
    expect([...facts.keys.keys()]).toEqual(['k2']);
    expect([...facts.users.values()]).toEqual([userOf(2, 'editor')]);
    expect(facts.endedSessions.map(({ id }) => id)).toEqual(['stays', 'newest']);
    expect([...facts.channels.keys()]).toEqual([uuidOf(0xe0, 1)]);
    expect([...facts.statusPages.values()]).toEqual([statusPageOf(1)]);
    expect([...facts.maintenance.values()]).toEqual([maintenanceOf(1)]);
    expect(facts.singles.aliveMs).toBe(77);
    expect(facts.checks.get(checkOf(1).id)?.config.tags).toBe('a b');
    expect(facts.checks.get(checkOf(2).id)?.state).toMatchObject({
      status: 'up',
      nPings: 2,
      lastPingMs: 2000,
    });
    expect(details.map((detail) => detail.pings.length)).toEqual([1, 2]);
    expect(details[0]?.bodies).toEqual([[0, 255, 10]]);
    await close(again);
    expect(await everything(await open(place))).toEqual({ facts, details });
  });

  test('a restored snapshot equals what was written into it', async () => {
    const place = create();
    const store = await started(place, [checkOf(1), checkOf(2)]);
    await fill(store);
    const file = join(tempDir(), 'all.knell');
    const fractions: number[] = [];
    const summary = await store.writeSnapshot(file, (fraction) => fractions.push(fraction));
    expect(summary).toMatchObject({ file, checks: 2, pings: 3 });
    expect(fractions.every((fraction) => fraction >= 0 && fraction <= 1)).toBe(true);
    await close(store);
    const original = await everything(await open(place));
    const restored = await open(await place.restored(file));
    expect(await everything(restored)).toEqual(original);
    expect(await append(restored, pingOf(checkOf(1), 2))).toBe('durable');
    expect(numbers(restored, checkOf(1))).toEqual([2, 1]);
  });

  test('what is appended before closing is there after opening', async () => {
    const place = create();
    const store = await started(place);
    const outcomes: string[] = [];
    store.append(pingOf(checkOf(1), 1), { durable: () => outcomes.push('durable'), rolledBack: () => {} });
    await close(store);
    expect(outcomes).toEqual(['durable']);
    const again = await open(place);
    expect((await loaded(again)).checks.get(checkOf(1).id)?.state.nPings).toBe(1);
    expect(numbers(again, checkOf(1))).toEqual([1]);
  });
});
