/** The kinds of configuration: each by its number in journal, history and snapshot, and what the snapshots' page says of it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { auditRow, endingRow, notificationRow, rows } from '../../src/store/codec/rows.ts';
import { recordTypes } from '../../src/store/journal/records.ts';
import { configKey, configKeyOf, configKinds, kindOf, kinds, removedKindOf } from '../../src/store/kinds.ts';
import { frameKinds } from '../../src/store/snapshot/format.ts';
import type { JournalRecord } from '../../src/store/store.ts';
import { anyRecord } from '../support/engine/arbitraries.ts';

test('no number is used twice, neither in the journal nor in a snapshot', () => {
  const numbers = configKinds.map((kind) => kinds[kind].number);
  const removals = numbers.map((number) => number + 1);
  for (const others of [recordTypes, frameKinds]) {
    const all = [...numbers, ...removals, ...Object.values<number>(others)];
    expect(new Set(all).size).toBe(all.length);
  }
});

test('the numbers are those of the released formats', () => {
  expect(Object.fromEntries(configKinds.map((kind) => [kind, kinds[kind].number]))).toEqual({
    ...{ installation: 16, project: 32, key: 48, channel: 64, user: 80 },
    ...{ 'ended-session': 96, 'status-page': 112, maintenance: 128, incident: 144 },
    'event-feed': 160,
  });
});

describe.each(configKinds)('the kind %s', (kind) => {
  test('is found by its number', () => {
    expect(kindOf(kinds[kind].number)).toBe(kind);
    expect(kindOf(kinds[kind].number + 1)).toBeUndefined();
    expect([kind, undefined]).toContain(removedKindOf(kinds[kind].number + 1));
  });
});

test('what a removal says is the key that the fact has', () => {
  const records = fc.sample(anyRecord, { numRuns: 2000, seed: 1 });
  const puts = records.filter((record) => record.type === 'put');
  for (const record of puts) {
    if (removedKindOf(kinds[record.kind].number + 1) === undefined || !('id' in record.fact)) continue;
    const bytes = Buffer.from(kinds[record.kind].id.bytes(record.fact.id));
    expect(configKey(record.kind, bytes)).toEqual(configKeyOf(record.kind, record.fact as never));
    // As UTF-8 says it: half of a surrogate pair is no character.
    expect(kinds[record.kind].id.text(bytes)).toBe(Buffer.from(record.fact.id).toString());
  }
  expect(new Set(puts.map(({ kind }) => kind)).size).toBe(configKinds.length);
});

const packr = new Packr({ useRecords: false });

/** The record of named fields that a journal record holds; null for none. */
function rowOf(record: JournalRecord): Buffer | null {
  switch (record.type) {
    case 'put':
      return kinds[record.kind].row.write(record.fact as never);
    case 'delivery':
      return rows.delivery.write(record.delivery);
    case 'check':
      return rows.check.write(record.check);
    case 'audit':
      return auditRow.write(record.entry);
    case 'notification':
      return notificationRow.write(record.notification);
    case 'run-ending':
      return endingRow.write(record.ending);
    default:
      return null;
  }
}

function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return [];
  return Object.entries(value).flatMap(([name, inside]) => [name, ...namesIn(inside)]);
}

test('every field of every record is described beside the golden snapshots', () => {
  const text = readFileSync(fileURLToPath(new URL('../../snapshots/README.md', import.meta.url)), 'utf8');
  const written = fc
    .sample(anyRecord, { numRuns: 3000, seed: 2 })
    .map(rowOf)
    .filter((row) => row !== null);
  const names = new Set(written.flatMap((row) => namesIn(packr.unpack(row))));
  expect(names.size).toBeGreaterThan(80);
  expect([...names].filter((name) => !text.includes(`\`${name}\``)).sort()).toEqual([]);
});
