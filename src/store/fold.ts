/**
 * The fold: moves journal batches into the history, in one transaction with the mark of how far it came.
 * Pure of threads and clocks: `fold-worker` drives it. Invariant: a batch is in the history wholly or not at all.
 */
import { planLimits, plans } from '../domain/project.ts';
import { ByteReader, damaged } from './byte-reader.ts';
import { type FoldRules, foldCheck } from './fold-check.ts';
import { type ConfigFact, gather } from './fold-groups.ts';
import {
  aboveCheck,
  configKey,
  type HistoryTables,
  readLedger,
  readMeta,
  writeLedger,
  writeMeta,
} from './history-tables.ts';
import { highestKey, type LmdbEnv, lowestKey, type Table } from './lmdb-env.ts';
import { readProject, recordTypes } from './records.ts';
import { changesCutoffMs } from './retention.ts';

/** Rows of deleted checks that one transaction removes at most. */
const sweepRowsMax = 4000;

export interface FoldInput {
  readonly batches: readonly Buffer[];
  /** The number of the last of them. */
  readonly lastSeq: number;
  readonly bodyBudgetBytes: number;
  readonly nowMs: number;
}

/** Folds `batches` and sweeps; answers whether rows of deleted checks are left for the next time. */
export function fold(env: LmdbEnv, tables: HistoryTables, input: FoldInput): boolean {
  const gathered = gather(input.batches);
  let moreToSweep = false;
  env.write(() => {
    for (const fact of gathered.config) applyConfig(tables, fact);
    const rules: FoldRules = {
      bodyBudgetBytes: input.bodyBudgetBytes,
      changesCutoffMs: changesCutoffMs(input.nowMs),
      pingsMaxOf: plansByProject(tables),
    };
    for (const group of gathered.groups.values()) foldCheck(tables, rules, gathered, group);
    if (gathered.aliveMs !== null) {
      writeMeta(tables, 'alive', Math.max(gathered.aliveMs, readMeta(tables, 'alive') ?? 0));
    }
    if (input.batches.length > 0) writeMeta(tables, 'folded', input.lastSeq);
    moreToSweep = sweep(tables);
  });
  return moreToSweep;
}

function applyConfig(tables: HistoryTables, { type, parts }: ConfigFact): void {
  const { config } = tables;
  switch (type) {
    case recordTypes.installation:
      config.put(configKey('installation', Buffer.alloc(0)), parts);
      break;
    case recordTypes.project:
      putProject(tables, parts);
      break;
    case recordTypes.key: {
      const id = new ByteReader(parts).string();
      config.put(configKey('key', Buffer.from(id)), parts);
      break;
    }
    case recordTypes['key-deleted']:
      config.remove(configKey('key', Buffer.from(new ByteReader(parts).string())));
      break;
    case recordTypes.channel:
      config.put(configKey('channel', parts.subarray(0, 16)), parts);
      break;
    case recordTypes['channel-deleted']:
      config.remove(configKey('channel', parts));
      break;
    default:
      throw damaged(`a journal record of the unknown type ${type}`);
  }
}

function putProject(tables: HistoryTables, parts: Buffer): void {
  const key = configKey('project', parts.subarray(0, 16));
  const stored = tables.config.get(key);
  const planBefore = stored ? readProject(new ByteReader(stored)).plan : null;
  const { plan } = readProject(new ByteReader(parts));
  tables.config.put(key, parts);
  if (planBefore !== null && planBefore !== plan) {
    replan(tables, parts.subarray(0, 16), planLimits[plan].pingsMax);
  }
}

/** A changed plan is so rare that looking at every check is cheaper than an index that every fold would keep. */
function replan(tables: HistoryTables, projectUuid: Buffer, pingsMax: number): void {
  const uuids: Buffer[] = [];
  tables.checks.scan({ start: lowestKey, end: highestKey }, (uuid, row) => {
    if (row.compare(projectUuid, 0, 16, 0, 16) === 0) uuids.push(Buffer.from(uuid));
  });
  for (const uuid of uuids) {
    const stored = tables.states.get(uuid);
    if (!stored) continue;
    const row = Buffer.from(stored);
    writeLedger(row, { ...readLedger(new ByteReader(row)), pingsMax });
    tables.states.put(uuid, row);
  }
}

/** Remembers what it looked up: a fold meets few projects. */
function plansByProject(tables: HistoryTables): FoldRules['pingsMaxOf'] {
  const known = new Map<string, number>();
  return (projectUuid) => {
    const key = configKey('project', projectUuid);
    const name = key.toString('latin1');
    let pingsMax = known.get(name);
    if (pingsMax === undefined) {
      const stored = tables.config.get(key);
      const plan = stored ? readProject(new ByteReader(stored)).plan : plans[1];
      pingsMax = planLimits[plan].pingsMax;
      known.set(name, pingsMax);
    }
    return pingsMax;
  };
}

/** Removes rows of deleted checks, so many at most; answers whether more are left. */
function sweep(tables: HistoryTables): boolean {
  let room = sweepRowsMax;
  const doomed: Buffer[] = [];
  tables.doomed.scan({ start: lowestKey, end: highestKey }, (uuid) => {
    doomed.push(Buffer.from(uuid));
    return doomed.length < sweepRowsMax;
  });
  for (const uuid of doomed) {
    for (const table of [tables.pings, tables.bodies, tables.changes]) room -= removeSome(table, uuid, room);
    if (room <= 0) return true;
    tables.doomed.remove(uuid);
  }
  return doomed.length === sweepRowsMax;
}

function removeSome(table: Table, uuid: Buffer, room: number): number {
  if (room <= 0) return 0;
  const keys: Buffer[] = [];
  table.scan({ start: uuid, end: aboveCheck(uuid) }, (key) => {
    keys.push(Buffer.from(key));
    return keys.length < room;
  });
  for (const key of keys) table.remove(key);
  return keys.length;
}
