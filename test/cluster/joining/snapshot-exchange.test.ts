/** A snapshot that another node sends, where it cannot be written. */
import { expect, test } from 'vitest';
import { fetchSnapshot } from '../../../src/cluster/joining/snapshot-exchange.ts';
import { subjectsOf } from '../../../src/cluster/requests/subjects.ts';
import { MemoryNetwork } from '../../support/cluster/memory-bus.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';

const subjects = subjectsOf('test');
const partBytes = 4096;

test.skipIf(process.platform !== 'linux')('a full disk rejects, and does not end the process', async () => {
  const clock = new SimulatedClock(0);
  const network = new MemoryNetwork({ clock });
  const peer = network.bus('b');
  peer.subscribe(subjects.snapshots('b'), (message) => {
    const { from, offset } = JSON.parse(Buffer.from(message).toString());
    const head = Buffer.from(
      JSON.stringify({ bytes: partBytes, ...(offset === undefined ? {} : { offset }) }),
    );
    const length = Buffer.alloc(4);
    length.writeUInt32LE(head.length);
    const part = Buffer.alloc(offset === undefined ? 0 : partBytes);
    peer.publish(subjects.snapshotParts(from), Buffer.concat([length, head, part]));
  });
  let error: unknown = null;
  const fetching = fetchSnapshot({
    ...{ id: 1, node: 'b', bus: network.bus('new'), subjects, scheduler: clock, file: '/dev/full' },
    progress: () => {},
  }).catch((reason: unknown) => {
    error = reason;
  });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  // Files are opened and written by threads, however long those take: no number of turns is enough on a busy machine.
  while (error === null) {
    await clock.advance(10, turn);
    await turn();
  }
  await fetching;
  expect(error).toMatchObject({ code: 'ENOSPC' });
});
