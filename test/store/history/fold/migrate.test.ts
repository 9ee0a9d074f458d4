/** The tables of a history up to data format 4, rewritten: cut off anywhere, it comes to the same. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { legacyRows, toNamed } from '../../../../src/store/codec/legacy.ts';
import { bytesOfUuid } from '../../../../src/store/codec/uuid.ts';
import { type LmdbEnv, openEnv, type Table } from '../../../../src/store/disk/lmdb-env.ts';
import { removeRewritten, rewriteOnce } from '../../../../src/store/history/fold/migrate.ts';
import { type ConfigRowKind, configRowKey } from '../../../../src/store/history/rows/config-rows.ts';
import { openHistoryTables } from '../../../../src/store/history/rows/tables.ts';
import { BatchCursor } from '../../../../src/store/journal/batch-cursor.ts';
import { recordTypes, rowKinds } from '../../../../src/store/journal/records.ts';
import { checkOf } from '../../../support/store/store-facts.ts';
import { tempDir } from '../../../support/temp-dirs.ts';

const oldBatch = Buffer.from(
  readFileSync(new URL('../../codec/batch-2.hex', import.meta.url), 'utf8').replaceAll('\n', ''),
  'hex',
);

const opened: LmdbEnv[] = [];

afterEach(async () => {
  for (const env of opened.splice(0)) await env.close();
});

function open(): LmdbEnv {
  const env = openEnv(join(tempDir(), 'data'), 'history');
  opened.push(env);
  return env;
}

const checksCount = 25;
/** Few, so that every table takes several transactions. */
const partRows = 4;

interface OldRow {
  readonly table: 'checks' | 'config' | 'outbox';
  readonly key: Buffer;
  readonly value: Buffer;
}

/** The rows of the golden batch, as a fold of that version put them, and many checks. */
function oldRows(): readonly OldRow[] {
  const cursor = new BatchCursor().open(oldBatch);
  const found: OldRow[] = [];
  let check = Buffer.alloc(0);
  while (cursor.next()) {
    if (cursor.type === recordTypes.check) check = Buffer.from(cursor.row());
    const kind = rowKinds.get(cursor.type);
    if (!kind || kind === 'check') continue;
    const value = Buffer.from(cursor.row());
    if (kind === 'delivery') found.push({ table: 'outbox', key: value.subarray(0, 16), value });
    else found.push({ table: 'config', key: oldConfigKey(kind, value), value });
  }
  const checks = Array.from({ length: checksCount }, (_, number): OldRow => {
    return { table: 'checks', key: bytesOfUuid(checkOf(number).id), value: check };
  });
  return [...found, ...checks];
}

/** That of a session that was signed out of had its id as the row has it, behind its length. */
function oldConfigKey(kind: ConfigRowKind, row: Buffer): Buffer {
  const key = configRowKey(kind, row, legacyRows);
  if (kind !== 'ended-session') return key;
  const { id } = legacyRows[kind].read(row);
  const length = Buffer.byteLength(id);
  return Buffer.concat([key.subarray(0, -length), Buffer.of(length), key.subarray(-length)]);
}

function fill(env: LmdbEnv): void {
  env.write(() => {
    for (const { table, key, value } of oldRows()) env.table(table).put(key, value);
  });
}

function dump(table: Table): readonly (readonly [string, string])[] {
  const found: [string, string][] = [];
  table.scan({ start: Buffer.of(0), end: Buffer.alloc(40, 255) }, (key, value) => {
    found.push([key.toString('hex'), value.toString('hex')]);
  });
  return found;
}

function dumpAll(env: LmdbEnv) {
  const { checks, config, outbox } = openHistoryTables(env);
  env.refresh();
  return {
    fresh: { checks: dump(checks), config: dump(config), outbox: dump(outbox) },
    old: ['checks', 'config', 'outbox'].flatMap((name) => dump(env.table(name))),
  };
}

/** The process ends before transaction number `after` (from 0). */
function endingBefore(env: LmdbEnv, after: number): LmdbEnv {
  let left = after;
  return {
    ...env,
    write(work) {
      if (left-- === 0) throw new Error('killed');
      env.write(work);
    },
  };
}

function migrate(env: LmdbEnv, written: LmdbEnv = env): void {
  const tables = openHistoryTables(env);
  rewriteOnce(written, tables, () => {}, partRows);
  removeRewritten(written, tables, () => {}, partRows);
}

/** What must be there in the end. */
function expected() {
  const rows = oldRows().map(({ table, key, value }) => {
    const first = key[0] ?? 0;
    const kind = table === 'checks' ? 'check' : table === 'outbox' ? 'delivery' : null;
    if (kind) return { table, key, value: toNamed[kind](value) };
    const names = { 16: 'installation', 32: 'project', 48: 'key', 64: 'channel', 80: 'user' } as const;
    const name = Object.entries(names).find(([byte]) => Number(byte) === first)?.[1] ?? 'ended-session';
    return { table, key: configRowKey(name, value, legacyRows), value: toNamed[name](value) };
  });
  const of = (table: string) =>
    rows
      .filter((row) => row.table === table)
      .map(({ key, value }) => [key.toString('hex'), value.toString('hex')] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1));
  return { checks: of('checks'), config: of('config'), outbox: of('outbox') };
}

test('every row is rewritten under its key, and the old tables are empty', () => {
  const env = open();
  fill(env);
  const seen: number[] = [];
  rewriteOnce(env, openHistoryTables(env), (fraction) => seen.push(fraction), partRows);
  removeRewritten(env, openHistoryTables(env), () => {}, partRows);
  expect(dumpAll(env)).toEqual({ fresh: expected(), old: [] });
  expect([...seen].sort((a, b) => a - b)).toEqual(seen);
  expect(seen.at(-1)).toBe(1);
});

test('cut off before any of its transactions, it is run again and comes to the same', () => {
  let transactions = 0;
  for (let isDone = false; !isDone; transactions++) {
    const env = open();
    fill(env);
    try {
      migrate(env, endingBefore(env, transactions));
      isDone = true;
    } catch (error) {
      expect(String(error)).toContain('killed');
      const { fresh, old } = dumpAll(env);
      // Until all of it is written anew, nothing of the old is gone.
      if (old.length < oldRows().length) expect(fresh).toEqual(expected());
    }
    migrate(env);
    expect(dumpAll(env)).toEqual({ fresh: expected(), old: [] });
  }
  expect(transactions).toBeGreaterThan(20);
});

test('cut off behind its first half, what was folded since stays', () => {
  const env = open();
  fill(env);
  const tables = openHistoryTables(env);
  rewriteOnce(env, tables, () => {}, partRows);
  const folded = bytesOfUuid(checkOf(1).id);
  env.write(() => tables.checks.put(folded, Buffer.of(7)));
  migrate(env);
  expect(tables.checks.get(folded)).toEqual(Buffer.of(7));
  expect(dumpAll(env).old).toEqual([]);
});

test('once it is done it changes nothing, whatever was folded since', () => {
  const env = open();
  fill(env);
  migrate(env);
  const { checks } = openHistoryTables(env);
  const [first, second] = [bytesOfUuid(checkOf(1).id), bytesOfUuid(checkOf(2).id)];
  env.write(() => {
    checks.remove(first);
    checks.put(second, Buffer.of(1));
  });
  const before = dumpAll(env);
  migrate(env);
  expect(dumpAll(env)).toEqual(before);
});

test('a damaged row is an error, and nothing of the old tables is gone', () => {
  const env = open();
  fill(env);
  env.write(() => {
    env.table('checks').put(bytesOfUuid(checkOf(3).id), Buffer.of(1, 2, 3));
  });
  expect(() => migrate(env)).toThrow(expect.objectContaining({ code: 'store-broken' }));
  expect(dumpAll(env).old).toHaveLength(oldRows().length);
});
