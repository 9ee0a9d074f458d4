/** Checks whose statistics were never kept: of a snapshot without them, they are counted out of what it holds, and then go on. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isEnd } from '../../../../src/domain/runs/run-statistics.ts';
import { asCheckId } from '../../../../src/lib/ids.ts';
import { hour } from '../../../../src/lib/units.ts';
import { readSnapshotFile, writeSnapshotFile } from '../../../../src/store/snapshot/file.ts';
import { frameKinds } from '../../../../src/store/snapshot/format.ts';
import type { Store } from '../../../../src/store/store.ts';
import { appendAll, loaded, pingOf } from '../../../support/store/store-facts.ts';
import { simulatedPlace, testNowMs } from '../../../support/store/stores.ts';
import { tempDir } from '../../../support/temp-dirs.ts';

/** As an import writes it: the golden one without its statistics. */
function withoutStatistics(): string {
  const golden = fileURLToPath(new URL('../../../../snapshots/format-1.knell', import.meta.url));
  const file = join(tempDir(), 'without-statistics.knell');
  writeSnapshotFile(file, (sink) => {
    const keep = (kind: number, payload: Buffer) => {
      if (kind === frameKinds.statistics || kind === frameKinds.end) return;
      sink.frame(kind, (writer) => {
        writer.reserve(payload.length);
        writer.raw(payload);
      });
    };
    return readSnapshotFile(golden, keep, () => {});
  });
  return file;
}

/** Successes and failures: those that are listed, and those that are counted. */
function endsOf(store: Store, id: string): readonly [listed: number, counted: number] {
  const pings = store.pings(asCheckId(id), 2000);
  const [sum] = store.statistics(asCheckId(id), [0, testNowMs + hour], testNowMs);
  const listed = pings.filter(({ signal }) => isEnd(signal)).length;
  return [listed, (sum?.successes ?? 0) + (sum?.failures ?? 0)];
}

test('what is left of a check is counted when it is read, and once when something is added', async () => {
  const store = await (await simulatedPlace().restored(withoutStatistics())).open();
  const { checks } = await loaded(store);
  const before = [...checks.keys()].map((id) => endsOf(store, id));
  expect(before.some(([listed]) => listed > 0)).toBe(true);
  for (const [listed, counted] of before) expect(counted).toBe(listed);
  // Of each check so many at once that the fold counts them, and one that goes into a run.
  for (const times of [1, 200]) {
    for (const check of checks.values()) {
      const first = (store.pings(check.id, 1)[0]?.n ?? 0) + 1;
      await appendAll(
        store,
        Array.from({ length: times }, (_, more) => pingOf(check, first + more, { atMs: testNowMs })),
      );
    }
    await store.folded();
  }
  const after = [...checks.keys()].map((id) => endsOf(store, id)[1]);
  expect(after).toEqual(before.map(([, counted]) => counted + 201));
  await store.close();
});
