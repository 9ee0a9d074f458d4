/**
 * The history's tables in memory, on a simulated disk: ordered, transactional, and losing what was not committed.
 * Invariant: a transaction that fails, or during whose commit the power goes, leaves nothing.
 */
import type { LmdbEnv, Row, ScanRange, Table, Visit } from '../../../src/store/disk/lmdb-env.ts';
import type { SimulatedDisk } from './simulated-disk.ts';

/** What outlives the process: by table, its rows. Keys are their bytes as latin1, which sort as the bytes do. */
export type MemoryTables = Map<string, Rows>;

class Rows {
  readonly byKey = new Map<string, Buffer>();
  keys: string[] = [];

  set(key: string, value: Buffer | undefined): void {
    const at = this.placeOf(key);
    const isThere = this.keys[at] === key;
    if (value === undefined) {
      if (isThere) this.keys.splice(at, 1);
      this.byKey.delete(key);
      return;
    }
    if (!isThere) this.keys.splice(at, 0, key);
    this.byKey.set(key, value);
  }

  copy(): Rows {
    const copy = new Rows();
    for (const [key, value] of this.byKey) copy.byKey.set(key, value);
    copy.keys = [...this.keys];
    return copy;
  }

  /** Where the key is, or would be. */
  placeOf(key: string): number {
    let low = 0;
    let high = this.keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.keys[middle] ?? '') < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Every row, in the order of tables and keys: two runs of a seed have the same. */
export function rowsOf(
  tables: MemoryTables,
): readonly (readonly [table: string, key: string, value: Buffer])[] {
  return [...tables.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, { keys, byKey }]) =>
      keys.map((key) => [name, key, byKey.get(key) ?? Buffer.alloc(0)] as const),
    );
}

/** Not while a transaction is open. */
export function copyTables(tables: MemoryTables): MemoryTables {
  return new Map([...tables].map(([name, rows]) => [name, rows.copy()]));
}

export function openMemoryEnv(disk: SimulatedDisk, tables: MemoryTables): LmdbEnv {
  let undo: (() => void)[] | null = null;
  const isAlive = disk.lease();
  return {
    table(name) {
      const rows = tables.get(name) ?? new Rows();
      tables.set(name, rows);
      return tableOf(rows, (step) => {
        if (!undo) throw new Error('rows are written inside a transaction only');
        undo.push(step);
      });
    },
    write(work) {
      undo = [];
      try {
        if (!isAlive()) throw new Error('the process that opened this environment is dead');
        work();
        disk.commit('history', () => {});
        if (!isAlive()) throw new Error('the power went during the commit');
      } catch (error) {
        for (const step of undo.reverse()) step();
        throw error;
      } finally {
        undo = null;
      }
    },
    refresh() {},
    close: async () => {},
  };
}

function tableOf(rows: Rows, remember: (step: () => void) => void): Table {
  const change = (key: Uint8Array, value: Buffer | undefined): void => {
    const name = Buffer.from(key).toString('latin1');
    const before = rows.byKey.get(name);
    remember(() => rows.set(name, before));
    rows.set(name, value);
  };
  return {
    get: (key) => rows.byKey.get(Buffer.from(key).toString('latin1')) ?? null,
    put: (key, value) => change(key, Buffer.from(value)),
    remove: (key) => change(key, undefined),
    scan: (range, visit) => scan(rows, range, visit),
    prefetch: async () => {},
    rows(range) {
      const all: Row[] = [];
      scan(rows, range, (key, value) => {
        all.push({ key, value });
      });
      return all.values();
    },
    count: () => rows.byKey.size,
  };
}

function scan(rows: Rows, { start, end, reverse = false }: ScanRange, visit: Visit): void {
  const [first, last] = [start, end].map((key) => Buffer.from(key).toString('latin1'));
  // As in LMDB: the first key is inclusive, the other one exclusive, whichever way it goes.
  const names = reverse
    ? rows.keys.filter((name) => name <= (first ?? '') && name > (last ?? '')).reverse()
    : rows.keys.slice(rows.placeOf(first ?? ''), rows.placeOf(last ?? ''));
  for (const name of names) {
    const value = rows.byKey.get(name);
    if (value && visit(Buffer.from(name, 'latin1'), value) === false) return;
  }
}
