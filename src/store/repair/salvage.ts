/**
 * `knell store salvage`: goes on with what is left of a damaged journal. What can be read is folded into the history, the
 * damaged journal is set aside, a new one begins. `check-store` finds out what is damaged.
 *
 * Invariants: damaged files are moved, never removed or written to. Nothing is changed before the caller has agreed to the
 * list of what is lost. Cut off anywhere, it can be run again.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { KnellError } from '../../lib/errors.ts';
import { openDataDir, syncDir } from '../disk/data-dir.ts';
import { isDiskFull } from '../disk/disk-full.ts';
import { defaultLimits, extractCrashesMax } from '../disk/limits.ts';
import { type LmdbEnv, openEnv } from '../disk/lmdb-env.ts';
import { nodeDisk } from '../disk/node-disk.ts';
import { eventLoop } from '../disk/scheduler.ts';
import { FoldDriver } from '../history/fold/fold-driver.ts';
import { clearJournalMark, readJournalMark } from '../history/rows/journal-mark.ts';
import { type HistoryTables, openHistoryTables, readMeta } from '../history/rows/tables.ts';
import type { NumberedBatch } from '../journal/batch-log.ts';
import { type LostBatches, rangeText } from '../journal/damage.ts';
import { journalDir } from '../journal/log-reader.ts';
import { manifestName } from '../journal/manifest.ts';
import { inspectFileLog } from '../journal/open-file-log.ts';
import { historyMissing } from '../open/probe-env.ts';

interface SalvageOptions {
  readonly dataDir: string;
  readonly bodyBudgetBytes: number;
  readonly nowMs: number;
  /** The built `store/` folder, when that is not where this file is. */
  readonly threadsUrl?: URL;
  /** Asked before anything is changed, with what is lost, a sentence each; false leaves everything as it is. */
  agree(lost: readonly string[]): Promise<boolean>;
}

interface Salvaged {
  /** Batches that the history did not hold and now does. */
  readonly batches: number;
  readonly lost: readonly string[];
  /** Directory in which the damaged journal is kept; null when nothing was set aside. */
  readonly keptIn: string | null;
}

/** Null when the caller did not agree. Throws a KnellError when nothing is damaged, or too much. */
export async function salvage(options: SalvageOptions): Promise<Salvaged | null> {
  const lock = openDataDir(options.dataDir);
  try {
    if (lock.isNew) throw new KnellError('not-found', `nothing is kept in ${options.dataDir} yet`);
    const file = join(options.dataDir, 'history', 'data.mdb');
    if (!existsSync(file)) throw historyMissing(file);
    const env = openEnv(options.dataDir, 'history');
    try {
      return await salvageJournal(options, env, openHistoryTables(env));
    } finally {
      await env.close();
    }
  } finally {
    lock.release();
  }
}

async function salvageJournal(
  options: SalvageOptions,
  env: LmdbEnv,
  tables: HistoryTables,
): Promise<Salvaged | null> {
  const { dataDir, agree } = options;
  const { tail, lost } = await readWhatIsLeft(options, tables);
  if (lost.length === 0) throw new KnellError('usage', 'the journal is whole: there is nothing to salvage');
  const sentences = lost.map((one) => `${rangeText(one)}: ${one.file} ${one.why}`);
  if (!(await agree(sentences))) return null;
  fold(options, { env, tables, tail });
  const keptIn = setAside(dataDir, options.nowMs);
  clearJournalMark(env, tables);
  return { batches: tail.length, lost: sentences, keptIn };
}

interface Left {
  readonly tail: readonly NumberedBatch[];
  readonly lost: readonly LostBatches[];
}

async function readWhatIsLeft(options: SalvageOptions, tables: HistoryTables): Promise<Left> {
  const { dataDir } = options;
  const foldedSeq = readMeta(tables, 'folded') ?? 0;
  const dir = journalDir(dataDir);
  const kind = readJournalMark(tables);
  const all = { from: foldedSeq + 1, to: Number.POSITIVE_INFINITY };
  if (kind === null) return { tail: [], lost: [] };
  const file = join(dir, kind === 'file' ? manifestName : 'data.mdb');
  if (!existsSync(file)) return { tail: [], lost: [{ file, why: 'is missing', ...all }] };
  if (kind === 'file') return readFiles(dir, foldedSeq, all);
  return extractBatches(options, foldedSeq);
}

function readFiles(dir: string, foldedSeq: number, all: Pick<LostBatches, 'from' | 'to'>): Left {
  try {
    return inspectFileLog(nodeDisk, dir, foldedSeq);
  } catch (error) {
    if (!(error instanceof KnellError)) throw error;
    return { tail: [], lost: [{ file: join(dir, manifestName), why: 'is damaged', ...all }] };
  }
}

/** A line printed by the process that reads batches one by one: it may die on any of them. */
export type ExtractLine =
  | { readonly next: number }
  | { readonly seq: number; readonly bytes: string }
  | { readonly lost: number }
  | { readonly end: number };

/** Reads an LMDB log batch by batch in another process; where that dies, another one goes on behind the batch. */
async function extractBatches({ dataDir, threadsUrl }: SalvageOptions, foldedSeq: number): Promise<Left> {
  const url = new URL('./repair/extract-process.js', threadsUrl ?? new URL('../', import.meta.url));
  const file = join(journalDir(dataDir), 'data.mdb');
  const tail: NumberedBatch[] = [];
  const lost: LostBatches[] = [];
  let next = foldedSeq + 1;
  for (let deaths = 0; deaths < extractCrashesMax; deaths++) {
    const found = tail.length;
    const isDone = await extractFrom(url, dataDir, next, (line) => {
      if ('next' in line) next = line.next;
      else if ('seq' in line) tail.push({ seq: line.seq, bytes: Buffer.from(line.bytes, 'base64') });
      else if ('lost' in line) lost.push({ file, why: 'is damaged', from: line.lost, to: line.lost });
    });
    if (isDone) return { tail, lost };
    lost.push({ file, why: 'is damaged', from: next, to: next });
    next++;
    if (tail.length > found) deaths = 0;
  }
  // Marks as lost the batches at which it died one after the other, and all that follow.
  const from = Math.min(...lost.slice(-extractCrashesMax).map((one) => one.from));
  lost.splice(-extractCrashesMax, extractCrashesMax, {
    file,
    why: 'is damaged',
    from,
    to: Number.POSITIVE_INFINITY,
  });
  return { tail, lost };
}

async function extractFrom(
  url: URL,
  dataDir: string,
  from: number,
  visit: (line: ExtractLine) => void,
): Promise<boolean> {
  const args = [fileURLToPath(url), dataDir, String(from)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  let isDone = false;
  for await (const text of createInterface({ input: child.stdout })) {
    const line = JSON.parse(text) as ExtractLine;
    if ('end' in line) isDone = true;
    visit(line);
  }
  await ended;
  return isDone;
}

interface FoldParts {
  readonly env: LmdbEnv;
  readonly tables: HistoryTables;
  readonly tail: readonly NumberedBatch[];
}

/** Numbers may have gaps here: what is left is folded in its order. */
function fold({ dataDir, bodyBudgetBytes, nowMs }: SalvageOptions, { env, tables, tail }: FoldParts): void {
  const driver = new FoldDriver({
    env,
    tables,
    reader: {
      readAfter: (seq, untilSeq) => tail.filter((batch) => batch.seq > seq && batch.seq <= untilSeq),
      close: async () => {},
    },
    scheduler: eventLoop,
    bodyBudgetBytes,
    foldBytesMax: Number.POSITIVE_INFINITY,
    foldFreeBytesMin: defaultLimits.foldFreeBytesMin,
    freeBytes: () => nodeDisk.freeBytes(dataDir),
    isDiskFull: (error) => isDiskFull(error, dataDir),
    report: () => {},
  });
  driver.foldAllTo(tail.at(-1)?.seq ?? 0, nowMs);
}

function setAside(dataDir: string, nowMs: number): string | null {
  const dir = journalDir(dataDir);
  if (!existsSync(dir)) return null;
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const kept = join(dataDir, `damaged-${stamp}`);
  mkdirSync(kept, { mode: 0o700 });
  renameSync(dir, join(kept, 'journal'));
  syncDir(kept);
  syncDir(dataDir);
  return kept;
}
