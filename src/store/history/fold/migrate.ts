/**
 * Rewrites the rows of a history up to data format 4, written by hand, as records of named fields, in tables of their own.
 * For the start, before anything is folded: a fold writes the new tables, and these must hold all that the old ones say.
 *
 * Invariant: bounded durable transactions, and the old tables lose nothing before all of it is in the new ones. Cut off
 * anywhere, it is run again and comes to the same; once it is done, there is nothing left to do and it changes nothing.
 */
import { damaged } from '../../codec/byte-reader.ts';
import { legacyRows, toNamed } from '../../codec/legacy.ts';
import { highestKey, type LmdbEnv, lowestKey, type Table } from '../../disk/lmdb-env.ts';
import type { Progress } from '../../store.ts';
import { type ConfigRowKind, configRowKey } from '../rows/config-rows.ts';
import { configKinds, type HistoryTables } from '../rows/tables.ts';

/** In one transaction: some 2 MB. */
const partRowsMax = 10_000;
const partBytesMax = 4_000_000;

interface Row {
  readonly key: Buffer;
  readonly value: Buffer;
}

interface Source {
  readonly env: LmdbEnv;
  readonly table: Table;
  readonly partRows: number;
}

const oldNames = ['config', 'outbox', 'checks'] as const;

const rewrittenKey = Buffer.from('rewritten');

/**
 * The first half, for a history of an older format: everything is in the new tables, and noted to be. A fold may follow; run
 * again it does nothing, since a fold may have changed rows meanwhile.
 */
export function rewriteOnce(
  env: LmdbEnv,
  tables: HistoryTables,
  progress: Progress,
  partRows = partRowsMax,
): void {
  if (tables.meta.get(rewrittenKey)) return;
  rewriteTables(env, tables, progress, partRows);
  env.write(() => tables.meta.put(rewrittenKey, Buffer.of(1)));
}

/** The second half, once the data directory has the new format: an older Knell never meets emptied tables. */
export function removeRewritten(
  env: LmdbEnv,
  tables: HistoryTables,
  progress: Progress,
  partRows = partRowsMax,
): void {
  if (!tables.meta.get(rewrittenKey)) return;
  emptyOldTables(env, progress, partRows);
  env.write(() => tables.meta.remove(rewrittenKey));
}

function rewriteTables(
  env: LmdbEnv,
  tables: HistoryTables,
  progress: Progress,
  partRows = partRowsMax,
): void {
  for (const name of oldNames) {
    const to = tables[name];
    forEachPart({ env, table: env.table(name), partRows }, (rows) => {
      const rewritten = rows.map(rewrites[name]);
      env.write(() => {
        for (const { key, value } of rewritten) to.put(key, value);
      });
      if (name === 'checks') progress(fractionOf(rows));
    });
  }
  progress(1);
}

function emptyOldTables(env: LmdbEnv, progress: Progress, partRows = partRowsMax): void {
  for (const name of oldNames) {
    const table = env.table(name);
    forEachPart({ env, table, partRows }, (rows) => {
      env.write(() => {
        for (const { key } of rows) table.remove(key);
      });
      if (name === 'checks') progress(fractionOf(rows));
    });
  }
  progress(1);
}

const rewrites = {
  config: rewriteConfig,
  outbox: ({ key, value }: Row): Row => ({ key, value: toNamed.delivery(value) }),
  checks: ({ key, value }: Row): Row => ({ key, value: toNamed.check(value) }),
} as const;

function rewriteConfig({ key, value }: Row): Row {
  const kind = kindOf(key[0] ?? 0);
  return { key: configRowKey(kind, value, legacyRows), value: toNamed[kind](value) };
}

function kindOf(first: number): ConfigRowKind {
  const kinds = Object.keys(configKinds) as ConfigRowKind[];
  const kind = kinds.find((name) => configKinds[name] === first);
  if (kind === undefined) throw damaged('a row of an unknown kind');
  return kind;
}

/** Ids are random: how far the first of their bytes got is how far the work is. */
function fractionOf(rows: readonly Row[]): number {
  return (rows.at(-1)?.key.readUInt32BE(0) ?? 0) / 2 ** 32;
}

/** Part by part, in the order of keys; `visit` may change the rows that it is given. */
function forEachPart(source: Source, visit: (rows: readonly Row[]) => void): void {
  for (let start: Uint8Array = lowestKey; ; ) {
    const rows = readPart(source, start);
    const last = rows.at(-1);
    if (!last) return;
    visit(rows);
    start = Buffer.concat([last.key, Buffer.of(0)]);
    // A view as old as the first part would keep every page that was freed since.
    source.env.refresh();
  }
}

function readPart({ table, partRows }: Source, start: Uint8Array): readonly Row[] {
  const rows: Row[] = [];
  let bytes = 0;
  table.scan({ start, end: highestKey }, (key, value) => {
    rows.push({ key: Buffer.from(key), value: Buffer.from(value) });
    bytes += value.length;
    return rows.length < partRows && bytes < partBytesMax;
  });
  return rows;
}
