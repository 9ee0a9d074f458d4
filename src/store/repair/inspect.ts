/**
 * Reads a whole data directory and says what of it can be read. Runs in a process of its own (`inspect-process`), since
 * damage inside LMDB can end a process by a signal. `salvage` decides what to do about damage.
 * Invariant: nothing is changed.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../lib/errors.ts';
import type { UuidWords } from '../../lib/uuid-words.ts';
import { auditRow, rows } from '../codec/rows.ts';
import { uuidBytes } from '../codec/uuid.ts';
import { highestKey, type LmdbEnv, lowestKey, openEnv, type Table } from '../disk/lmdb-env.ts';
import { nodeDisk } from '../disk/node-disk.ts';
import { load } from '../history/load.ts';
import { readJournalMark } from '../history/rows/journal-mark.ts';
import { readEveryRun } from '../history/rows/run-reader.ts';
import { decodeStatisticsRow } from '../history/rows/statistics-layout.ts';
import {
  type HistoryTables,
  openHistoryTables,
  readMeta,
  statisticsKeyBytes,
} from '../history/rows/tables.ts';
import type { NumberedBatch } from '../journal/batch-log.ts';
import { type LostBatches, rangeText } from '../journal/damage.ts';
import { batchesTable } from '../journal/lmdb-batches.ts';
import { lmdbFile, readLmdbLog } from '../journal/lmdb-log.ts';
import { journalDir } from '../journal/log-reader.ts';
import { manifestName } from '../journal/manifest.ts';
import { inspectFileLog } from '../journal/open-file-log.ts';
import type { ConfigKind } from '../kinds.ts';
import type { EnvPart } from '../open/probe-env.ts';
import type { LoadSink } from '../store.ts';

/** The findings about one part. */
export interface PartReport {
  readonly part: EnvPart;
  /** Its content, in words. */
  readonly holds: string;
  /** The damage, a sentence each; empty when the part is whole. */
  readonly damage: readonly string[];
}

/** Reports each part when it has been read; `begin` says which one comes next. */
export async function inspect(
  dataDir: string,
  begin: (part: EnvPart) => void,
  report: (found: PartReport) => void,
): Promise<void> {
  begin('history');
  const file = join(dataDir, 'history', 'data.mdb');
  if (!existsSync(file)) {
    const advice = 'restore the latest snapshot into a new data directory ("knell restore")';
    report({ part: 'history', holds: 'nothing', damage: [`${file} is missing: ${advice}`] });
    return;
  }
  const env = openEnv(dataDir, 'history');
  const tables = openHistoryTables(env);
  report(inspectHistory(tables));
  begin('journal');
  report(await inspectJournal(dataDir, tables));
  await env.close();
}

function inspectHistory(tables: HistoryTables): PartReport {
  const damage: string[] = [];
  const counts = new Counts();
  attempt(damage, () => load(tables, [], counts));
  attempt(damage, () => readEveryRun(tables.runs));
  attempt(damage, () => readEveryStatistic(tables));
  attempt(damage, () => readEveryAuditEntry(tables));
  let rows = 0;
  for (const [name, table] of Object.entries<Table>({ ...tables })) {
    attempt(damage, () => {
      const found = countRows(table);
      rows += found;
      if (found !== table.count())
        damage.push(`the table ${name} has ${table.count()} rows, ${found} can be read`);
    });
  }
  return {
    part: 'history',
    holds: `${counts.text()}, rows: ${rows}; newer changes are in the journal`,
    damage,
  };
}

function readEveryStatistic({ pings }: HistoryTables): void {
  pings.scan({ start: lowestKey, end: highestKey }, (key, row) => {
    if (key.length === statisticsKeyBytes) decodeStatisticsRow(key[uuidBytes + 1] ?? 0, Buffer.from(row));
  });
}

function readEveryAuditEntry({ audit }: HistoryTables): void {
  audit.scan({ start: lowestKey, end: highestKey }, (_key, row) => {
    auditRow.read(row);
  });
}

function countRows(table: Table): number {
  let rows = 0;
  table.scan({ start: lowestKey, end: highestKey }, () => {
    rows++;
  });
  return rows;
}

async function inspectJournal(dataDir: string, tables: HistoryTables): Promise<PartReport> {
  const part = 'journal';
  const kind = readJournalMark(tables);
  if (kind === null) return { part, holds: 'nothing yet: the next start creates it', damage: [] };
  const damage: string[] = [];
  let tail: readonly NumberedBatch[] = [];
  await attemptAsync(damage, async () => {
    const found = await readJournal(dataDir, kind, readMeta(tables, 'folded') ?? 0);
    tail = found.tail;
    damage.push(...found.lost.map((lost) => `${rangeText(lost)} cannot be read: ${lost.file} ${lost.why}`));
  });
  attempt(damage, () => load(tables, tail, new Counts()));
  const [first, last] = [tail[0]?.seq, tail.at(-1)?.seq];
  const numbers = first === undefined ? '' : `, numbers ${first} to ${last}`;
  return { part, holds: `${kind}, ${tail.length} batches that the history does not hold${numbers}`, damage };
}

interface Contents {
  readonly tail: readonly NumberedBatch[];
  readonly lost: readonly LostBatches[];
}

async function readJournal(dataDir: string, kind: string, foldedSeq: number): Promise<Contents> {
  const dir = journalDir(dataDir);
  const missing = (name: string): Contents => {
    const file = join(dir, name);
    return {
      tail: [],
      lost: [{ file, why: 'is missing', from: foldedSeq + 1, to: Number.POSITIVE_INFINITY }],
    };
  };
  if (kind === 'file') {
    if (!existsSync(join(dir, manifestName))) return missing(manifestName);
    return inspectFileLog(nodeDisk, dir, foldedSeq);
  }
  if (!existsSync(join(dir, 'data.mdb'))) return missing('data.mdb');
  const env: LmdbEnv = openEnv(dataDir, 'journal');
  try {
    return readLmdbLog(env.table(batchesTable), lmdbFile(dataDir), foldedSeq);
  } finally {
    await env.close();
  }
}

function attempt(damage: string[], work: () => void): void {
  try {
    work();
  } catch (error) {
    damage.push(messageOf(error));
  }
}

async function attemptAsync(damage: string[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    damage.push(messageOf(error));
  }
}

/** Counts what a load reports. */
class Counts implements LoadSink {
  #projects = 0;
  #checks = 0;
  #deliveries = 0;

  text(): string {
    return `projects: ${this.#projects}, checks: ${this.#checks}, deliveries in flight: ${this.#deliveries}`;
  }

  put(kind: ConfigKind): void {
    if (kind === 'project') this.#projects++;
  }
  check(_id: UuidWords, row: Buffer): void {
    rows.check.read(row);
    this.#checks++;
  }
  delivery(): void {
    this.#deliveries++;
  }
  removed(): void {}
  expect(): void {}
  deliveryEnded(): void {}
  state(): void {}
  checkDeleted(): void {}
  alive(): void {}
  asked(): void {}
  progress(): void {}
}
