/** What a record costs to write down, and a check's log to read back. */
import { ByteWriter } from '../../src/store/codec/byte-writer.ts';
import { beginBatch, writeRecord } from '../../src/store/journal/records.ts';
import type { JournalRecord, Store } from '../../src/store/store.ts';
import { benchMs, upCheck } from '../harness/checks.ts';
import type { Task } from '../harness/micro.ts';

const writer = new ByteWriter(64_000);

function pingRecord(body: Uint8Array): JournalRecord {
  const check = upCheck(1);
  return {
    type: 'ping',
    check,
    ping: {
      n: check.state.nPings,
      atMs: benchMs,
      signal: 'success',
      scheme: 'http',
      remoteAddr: '127.0.0.1',
      method: 'GET',
      ua: 'curl/8.5.0',
      byHand: false,
      rid: null,
      host: '',
      note: null,
      figures: [],
      about: '',
      results: [],
      exitStatus: null,
      bodyBytes: body.length,
    },
    body,
    changes: [],
  };
}

function encode(record: JournalRecord): number {
  beginBatch(writer);
  writeRecord(writer, record);
  return writer.length;
}

const short = pingRecord(new Uint8Array(0));
const long = pingRecord(new Uint8Array(1000));

export const encodeTasks: readonly Task[] = [
  { name: 'encode a ping', run: () => encode(short) },
  { name: 'encode a ping with 1 kB', run: () => encode(long) },
];

/** A thousand pings of one check, folded. */
export async function historyTasks(store: Store): Promise<readonly Task[]> {
  const record = pingRecord(new Uint8Array(0));
  if (record.type !== 'ping') return [];
  store.append({ type: 'check', check: record.check, changes: [] }, null);
  for (let n = 1; n <= 1000; n++) {
    const check = { ...record.check, state: { ...record.check.state, nPings: n } };
    store.append({ ...record, check, ping: { ...record.ping, n } }, null);
  }
  await store.folded();
  const { id } = record.check;
  return [
    { name: 'read 100 pings', run: () => store.pings(id, 100) },
    { name: 'read 1,000 pings', run: () => store.pings(id, 1000) },
    { name: 'read flips', run: () => store.changes(id, { fromMs: 0, untilMs: Number.MAX_SAFE_INTEGER }) },
  ];
}
