/**
 * The fold: moves journal batches into the history. Pure of threads and clocks: `fold-worker` drives it.
 * Invariant: a check has all of a fold or nothing of it, whenever the process ends.
 *
 * A fold over thousands of checks dirties as many pages. One transaction of that size would keep the disk busy for 100 ms and
 * more, and every ping would wait that long for the journal's sync: hence steps, and a ledger that makes them repeatable.
 */
import { planLimits, plans } from '../domain/project.ts';
import { ByteReader, damaged } from './byte-reader.ts';
import { type FoldRules, foldCheck } from './fold-check.ts';
import { type ConfigFact, type Gathered, gather } from './fold-groups.ts';
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
/** Checks that one transaction writes at most: some 2 MB of pages, so that the journal's sync never waits for long. */
const checksPerStep = 500;

export interface FoldInput {
  readonly batches: readonly Buffer[];
  /** The number of the last of them; the same again when a fold that was cut off is repeated. */
  readonly lastSeq: number;
  readonly bodyBudgetBytes: number;
  readonly nowMs: number;
}

/**
 * Folds `batches`, one transaction a step. The first marks what is being folded and applies the configuration, the last marks
 * it as folded; in between, each check's ledger says whether it has this fold.
 */
export function* foldInSteps(env: LmdbEnv, tables: HistoryTables, input: FoldInput): Generator<void> {
  const gathered = gather(input.batches);
  const rules: FoldRules = {
    lastSeq: input.lastSeq,
    bodyBudgetBytes: input.bodyBudgetBytes,
    changesCutoffMs: changesCutoffMs(input.nowMs),
    pingsMaxOf: plansByProject(tables),
  };
  // In the order of the keys: what is written together lies together.
  const names = [...gathered.groups.keys()].sort();
  for (let first = 0; first === 0 || first < names.length; first += checksPerStep) {
    if (first > 0) yield;
    env.write(() => {
      if (first === 0) beginFold(tables, gathered, input.lastSeq);
      for (const name of names.slice(first, first + checksPerStep)) {
        const group = gathered.groups.get(name);
        if (group) foldCheck(tables, rules, gathered, group);
      }
      if (first + checksPerStep >= names.length) writeMeta(tables, 'folded', input.lastSeq);
    });
  }
}

function beginFold(tables: HistoryTables, { config, aliveMs }: Gathered, lastSeq: number): void {
  writeMeta(tables, 'folding', lastSeq);
  for (const fact of config) applyConfig(tables, fact);
  if (aliveMs !== null) writeMeta(tables, 'alive', Math.max(aliveMs, readMeta(tables, 'alive') ?? 0));
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
export function sweep(env: LmdbEnv, tables: HistoryTables): boolean {
  const doomed: Buffer[] = [];
  tables.doomed.scan({ start: lowestKey, end: highestKey }, (uuid) => {
    doomed.push(Buffer.from(uuid));
    return doomed.length < sweepRowsMax;
  });
  if (doomed.length === 0) return false;
  let room = sweepRowsMax;
  env.write(() => {
    for (const uuid of doomed) {
      for (const table of [tables.pings, tables.bodies, tables.changes])
        room -= removeSome(table, uuid, room);
      if (room <= 0) return;
      tables.doomed.remove(uuid);
    }
  });
  return room <= 0 || doomed.length === sweepRowsMax;
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
