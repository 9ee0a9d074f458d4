/** The store's contract, held over every log: what is deleted takes what belongs to it along. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { StatusChange } from '../../src/domain/check/flip.ts';
import { asChannelId, asKeyId } from '../../src/lib/ids.ts';
import {
  appendAll,
  checkOf,
  incidentOf,
  type Loaded,
  loaded,
  maintenanceOf,
  notificationOf,
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

  test('a deleted check is gone, at once and after the fold', async () => {
    const place = create();
    const store = await started(place, [checkOf(1), checkOf(2)]);
    const change: StatusChange = { atMs: testNowMs, from: 'new', to: 'up', cause: 'success' };
    for (const number of [1, 2]) {
      const notification = notificationOf(number, { atMs: testNowMs });
      await appendAll(store, [
        pingOf(checkOf(number), 1, { body: 'b', changes: [change] }),
        { type: 'notification', checkId: checkOf(number).id, notification },
      ]);
    }
    await store.folded();
    await appendAll(store, [{ type: 'check-deleted', id: checkOf(1).id }]);
    const gone = () => [
      store.pings(checkOf(1).id, 10),
      store.body(checkOf(1).id, 1),
      store.changes(checkOf(1).id, always),
      store.notifications(checkOf(1).id, always, 10),
    ];
    expect(gone()).toEqual([[], null, [], []]);
    await store.folded();
    expect(gone()).toEqual([[], null, [], []]);
    expect(numbers(store, checkOf(2))).toEqual([1]);
    await close(store);
    expect([...(await loaded(await open(place))).checks.keys()]).toEqual([checkOf(2).id]);
  });

  longTest(
    'a deleted project takes its keys, integrations and status pages with it, and nothing of another',
    async () => {
      const place = create();
      const store = await started(place);
      await appendAll(store, [{ type: 'put', kind: 'project', fact: projectOf(2) }]);
      for (const number of [1, 2]) {
        const projectId = projectOf(number).id;
        const common = { projectId, createdAtMs: 3 };
        await appendAll(store, [
          {
            type: 'put',
            kind: 'key',
            fact: { ...common, id: asKeyId(`k${number}`), scope: 'ping', hash: 'ab'.repeat(32), clear: 'c' },
          },
          {
            type: 'put',
            kind: 'channel',
            fact: {
              ...common,
              id: asChannelId(uuidOf(0xe0, number)),
              kind: 'email',
              name: 'a',
              value: 'a@b.c',
            },
          },
          { type: 'put', kind: 'status-page', fact: statusPageOf(number, { projectId }) },
          { type: 'put', kind: 'incident', fact: incidentOf(number, { projectId }) },
          { type: 'put', kind: 'maintenance', fact: maintenanceOf(number, { projectId }) },
        ]);
      }
      await store.folded();
      await appendAll(store, [
        { type: 'removed', kind: 'project', id: projectOf(1).id },
        { type: 'check-deleted', id: checkOf(1).id },
      ]);
      const left = {
        projects: [projectOf(2).id],
        keys: ['k2'],
        channels: [uuidOf(0xe0, 2)],
        statusPages: [statusPageOf(2).id],
        incidents: [incidentOf(2).id],
        maintenance: [maintenanceOf(2).id],
        checks: [] as string[],
      };
      const foundIn = (facts: Loaded) => ({
        projects: [...facts.projects.keys()],
        keys: [...facts.keys.keys()],
        channels: [...facts.channels.keys()],
        statusPages: [...facts.statusPages.keys()],
        incidents: [...facts.incidents.keys()],
        maintenance: [...facts.maintenance.keys()],
        checks: [...facts.checks.keys()],
      });
      await close(store);
      const again = await open(place);
      expect(foundIn(await loaded(again)), 'from the journal').toEqual(left);
      await again.folded();
      const file = join(tempDir(), 'all.knell');
      await again.writeSnapshot(file, () => {});
      await close(again);
      expect(foundIn(await loaded(await open(place))), 'from the history').toEqual(left);
      expect(foundIn(await loaded(await open(await place.restored(file)))), 'from a snapshot').toEqual(left);
    },
  );
});
