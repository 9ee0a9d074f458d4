/**
 * The fold: moves journal batches into the history, a slice of checks at a time, in the order of their ids. A fold in one
 * transaction would be simpler, but writing its tens of megabytes stalls the journal's fdatasync for as long.
 * Pure of threads and clocks: `fold-worker` drives it.
 *
 * Invariant: each slice is one transaction with the mark of how far it came, so that a check's rows hold a batch wholly or
 * not at all, and a fold that was cut off goes on behind its mark.
 */

import { planLimits } from '../../../domain/accounts/plan-limits.ts';
import { plans } from '../../../domain/accounts/project.ts';
import type { ProjectId } from '../../../lib/ids.ts';
import { rows } from '../../codec/rows.ts';
import { bytesOfUuid } from '../../codec/uuid.ts';
import {
  auditRowsPerSlice,
  eventSliceBytesMax,
  foldSliceBytesMax,
  foldSliceChecksMax,
  sweepRowsMax,
} from '../../disk/limits.ts';
import { highestKey, type LmdbEnv, lowestKey, type Table } from '../../disk/lmdb-env.ts';
import { configKey } from '../../kinds.ts';
import { auditBytesMax, putAudit, removeOldAudit } from '../rows/audit-rows.ts';
import {
  beginEvents,
  eventBytesMax,
  noteDeletedChecks,
  putEvents,
  removeOldEvents,
} from '../rows/event-rows.ts';
import { changesCutoffMs } from '../rows/retention.ts';
import { RunReader } from '../rows/run-reader.ts';
import { partitions, RunWriter } from '../rows/runs.ts';
import {
  aboveCheck,
  type HistoryTables,
  readFoldMark,
  readMeta,
  writeFoldMark,
  writeMeta,
} from '../rows/tables.ts';
import { type FoldRules, type FoldRuns, foldCheck, type ProjectRules } from './fold-check.ts';
import { applyConfig } from './fold-config.ts';
import { type Group, type GroupedRecords, numbersPerPing } from './fold-groups.ts';

/** Bytes that a slice writes at most besides pings and bodies: pages of some six tables a check, and those of the sweep. */
const pageBytes = 4096;
const checkBytesMax = 6 * pageBytes;
/** And where something is added to its statistics at once: pages of `recent`, of a day and a group put away, of a span. */
const statisticsBytesMax = 5 * pageBytes;
const sweepBytesMax = 256 * pageBytes;
/** Pages above the rows of events, in three tables. */
const eventPagesBytes = 8 * pageBytes;

interface FoldInput {
  readonly grouped: GroupedRecords;
  /** The number of the last batch in it. When a fold was cut off, that fold's last. */
  readonly lastSeq: number;
  readonly bodyBudgetBytes: number;
  readonly nowMs: number;
}

export class Fold {
  /** Whether rows of deleted checks are left for the next fold. */
  moreToSweep = false;
  readonly #env: LmdbEnv;
  readonly #tables: HistoryTables;
  readonly #input: FoldInput;
  readonly #grouped: GroupedRecords;
  /** Groups that are still to be folded, in the order of ids. */
  readonly #groups: readonly Group[];
  readonly #runs: FoldRuns;
  #done = 0;
  /** Entries of the audit log that are in the history, and batches whose events are. */
  #auditDone: number;
  #eventsDone: number;
  #begun: boolean;

  constructor(env: LmdbEnv, tables: HistoryTables, input: FoldInput) {
    this.#env = env;
    this.#tables = tables;
    this.#input = input;
    this.#grouped = input.grouped;
    this.#runs = {
      earlier: new RunReader(tables.runs),
      own: new RunWriter(tables.runs, input.lastSeq),
    };
    const mark = readFoldMark(tables);
    this.#begun = mark !== null;
    this.#auditDone = mark ? input.grouped.audit.length : 0;
    this.#eventsDone = mark ? input.grouped.events.length : 0;
    const { groups } = input.grouped;
    this.#groups = mark ? groups.filter(({ uuid }) => uuid.compare(mark.throughUuid) > 0) : groups;
  }

  /** One durable transaction, at most `size` times as large as is usual. True when the fold is done. */
  slice(size = 1): boolean {
    if (this.#auditDone < this.#grouped.audit.length) {
      this.#sliceOfAudit(size);
      return false;
    }
    if (this.#eventsEnd(size) < this.#grouped.events.length) {
      this.#env.write(() => this.#putEvents(size));
      return false;
    }
    const end = this.#sliceEnd(size);
    const isLast = end === this.#groups.length;
    this.#env.write(() => {
      this.#putEvents(size);
      this.#foldGroups(end);
      if (isLast) this.#finish();
      else this.#mark(end);
    });
    this.#begun = true;
    this.#done = end;
    return isLast;
  }

  /** The most that the next slice of this size writes: each check copies some pages, each body its own. */
  sliceBytesMax(size: number): number {
    const audit = this.#grouped.audit.slice(this.#auditDone, this.#auditDone + size * auditRowsPerSlice);
    if (audit.length > 0) return auditBytesMax(audit);
    const eventsEnd = this.#eventsEnd(size);
    const events = this.#grouped.events.slice(this.#eventsDone, eventsEnd);
    const eventBytes = events.reduce((sum, one) => sum + eventBytesMax(one), 0);
    if (eventsEnd < this.#grouped.events.length) return eventBytes + eventPagesBytes;
    const end = this.#sliceEnd(size);
    const first = this.#begun ? 0 : this.#configBytes();
    let bytes = sweepBytesMax + first + (eventBytes > 0 ? eventBytes + eventPagesBytes : 0);
    for (let at = this.#done; at < end; at++) {
      const group = this.#groups[at];
      if (group) bytes += groupBytesMax(group);
    }
    return bytes;
  }

  /** Before everything else. A fold that is cut off on the way puts the same rows again. */
  #sliceOfAudit(size: number): void {
    const end = this.#auditDone + size * auditRowsPerSlice;
    const entries = this.#grouped.audit.slice(this.#auditDone, end);
    this.#env.write(() => {
      putAudit(this.#tables, entries);
      noteDeletedChecks(this.#tables, entries, this.#input.lastSeq);
    });
    this.#auditDone = Math.min(end, this.#grouped.audit.length);
  }

  /** Likewise; the last of them in the transaction of the first checks, since most folds have few. */
  #putEvents(size: number): void {
    const end = this.#eventsEnd(size);
    const { batches } = this.#grouped;
    if (batches.length > 0) beginEvents(this.#tables, this.#input.lastSeq - batches.length);
    putEvents(this.#tables, this.#grouped.events.slice(this.#eventsDone, end));
    this.#eventsDone = end;
  }

  #eventsEnd(size: number): number {
    const { events } = this.#grouped;
    let end = this.#eventsDone;
    for (let bytes = 0; end < events.length && bytes < (size * eventSliceBytesMax) / 2; end++) {
      const one = events[end];
      if (one) bytes += eventBytesMax(one);
    }
    return end;
  }

  #configBytes(): number {
    return this.#grouped.config.reduce((sum, { parts }) => sum + parts.length + pageBytes, 0);
  }

  #sliceEnd(size: number): number {
    const groups = this.#groups;
    let end = this.#done;
    for (let bytes = 0; end < groups.length && end - this.#done < size * foldSliceChecksMax; end++) {
      for (const body of groups[end]?.bodies ?? []) bytes += body.bytes.length;
      if (bytes > foldSliceBytesMax && end > this.#done) break;
    }
    return end;
  }

  #foldGroups(end: number): void {
    const tables = this.#tables;
    if (!this.#begun) for (const fact of this.#grouped.config) applyConfig(tables, fact);
    const rules: FoldRules = {
      bodyBudgetBytes: this.#input.bodyBudgetBytes,
      nowMs: this.#input.nowMs,
      changesCutoffMs: changesCutoffMs(this.#input.nowMs),
      projectOf: rulesByProject(tables),
    };
    const aids = { rules, runs: this.#runs };
    for (const group of this.#groups.slice(this.#done, end)) foldCheck(tables, aids, this.#grouped, group);
    this.#runs.own.flush();
  }

  #mark(end: number): void {
    const throughUuid = this.#groups[end - 1]?.uuid;
    if (throughUuid) writeFoldMark(this.#tables, { lastSeq: this.#input.lastSeq, throughUuid });
  }

  #finish(): void {
    const tables = this.#tables;
    const { aliveMs, outbox } = this.#grouped;
    for (const [id, row] of outbox) {
      const key = Buffer.from(id, 'latin1');
      if (row) tables.outbox.put(key, row);
      else tables.outbox.remove(key);
    }
    if (aliveMs !== null) writeMeta(tables, 'alive', Math.max(aliveMs, readMeta(tables, 'alive') ?? 0));
    if (this.#grouped.batches.length > 0) {
      writeMeta(tables, 'folded', this.#input.lastSeq);
      writeMeta(tables, 'compacting', ((readMeta(tables, 'compacting') ?? -1) + 1) % partitions);
    }
    writeFoldMark(tables, null);
    removeOldAudit(tables, this.#input.nowMs);
    removeOldEvents(tables);
    this.moreToSweep = sweep(tables);
  }
}

function groupBytesMax({ pings, bodies, changes, notifications, endings }: Group): number {
  let bytes = checkBytesMax + (changes.length > 0 || pings.length > numbersPerPing ? statisticsBytesMax : 0);
  for (let at = 0; at < pings.length; at += numbersPerPing)
    bytes += (pings[at + 2] ?? 0) - (pings[at + 1] ?? 0);
  for (const body of bodies) bytes += body.bytes.length + pageBytes;
  for (const row of [...notifications, ...endings]) bytes += row.length + pageBytes;
  return bytes;
}

/** Remembers what it looked up: a fold meets few projects. */
function rulesByProject(tables: HistoryTables): FoldRules['projectOf'] {
  const known = new Map<ProjectId, ProjectRules>();
  return (id) => {
    let found = known.get(id);
    if (found === undefined) {
      const stored = tables.config.get(configKey('project', bytesOfUuid(id)));
      const project = stored && rows.project.read(stored);
      found = {
        pingsMax: planLimits[project?.plan ?? plans[1]].pingsMax,
        retention: project?.retention ?? '',
      };
      known.set(id, found);
    }
    return found;
  };
}

/** Removes rows of deleted checks, so many at most; answers whether more are left. */
function sweep(tables: HistoryTables): boolean {
  let rowsLeft = sweepRowsMax;
  const tombstones: Buffer[] = [];
  tables.tombstones.scan({ start: lowestKey, end: highestKey }, (uuid) => {
    tombstones.push(Buffer.from(uuid));
    return tombstones.length < sweepRowsMax;
  });
  for (const uuid of tombstones) {
    for (const table of [tables.pings, tables.bodies, tables.changes, tables.notifications, tables.endings])
      rowsLeft -= removeSome(table, uuid, rowsLeft);
    if (rowsLeft <= 0) return true;
    tables.tombstones.remove(uuid);
  }
  return tombstones.length === sweepRowsMax;
}

function removeSome(table: Table, uuid: Buffer, rowsLeft: number): number {
  if (rowsLeft <= 0) return 0;
  const keys: Buffer[] = [];
  table.scan({ start: uuid, end: aboveCheck(uuid) }, (key) => {
    keys.push(Buffer.from(key));
    return keys.length < rowsLeft;
  });
  for (const key of keys) table.remove(key);
  return keys.length;
}
