/**
 * Turns the frames of a snapshot into the history's rows, in bounded transactions. The frames have been verified by then.
 * Invariant: a check's counters agree with the rows that were written for it.
 */
import { planLimits } from '../../domain/accounts/plan-limits.ts';
import type { Project } from '../../domain/accounts/project.ts';
import { keepsFailures } from '../../domain/retention/kept-pings.ts';
import type { ProjectId } from '../../lib/ids.ts';
import { auditKey } from '../codec/audit-key.ts';
import { ByteReader } from '../codec/byte-reader.ts';
import { nPingsOfState } from '../codec/check.ts';
import { changeBytes, skipPing } from '../codec/ping.ts';
import { auditRow, endingRow, notificationRow, rows } from '../codec/rows.ts';
import { bytesOfUuid } from '../codec/uuid.ts';
import { restoredBytesPerTransaction } from '../disk/limits.ts';
import type { LmdbEnv, Table } from '../disk/lmdb-env.ts';
import { ruledKey, ruledProjectKey } from '../history/rows/ruled-checks.ts';
import { snoozeIndexKey } from '../history/rows/snooze-index.ts';
import {
  changeKey,
  counterBytes,
  endingKey,
  type HistoryTables,
  notificationKey,
  pingKey,
  type RetentionCounters,
  statisticsKey,
  writeCounters,
  writeMeta,
} from '../history/rows/tables.ts';
import { configKeyOfRow, kindOf } from '../kinds.ts';
import { frameKinds } from './format.ts';

const noBytes = Buffer.alloc(0);

interface Row {
  readonly table: Table;
  readonly key: Buffer;
  readonly value: Buffer;
}

interface OpenCheck {
  readonly uuid: Buffer;
  readonly state: Buffer;
  readonly counters: RetentionCounters;
}

export class RestoreBuilder {
  readonly #env: LmdbEnv;
  readonly #tables: HistoryTables;
  readonly #projects = new Map<ProjectId, Project>();
  #rows: Row[] = [];
  #bytes = 0;
  #check: OpenCheck | null = null;
  readonly #reader = new ByteReader();

  constructor(env: LmdbEnv, tables: HistoryTables) {
    this.#env = env;
    this.#tables = tables;
  }

  frame(kind: number, payload: Buffer): void {
    if (kind === frameKinds.sequence || kind === frameKinds.alive) this.#number(kind, payload);
    else if (kind === frameKinds.check) this.#beginCheck(payload);
    else if (this.#check && kind === frameKinds.pings) this.#pings(this.#check, payload);
    else if (this.#check && kind === frameKinds.body) this.#body(this.#check, payload);
    else if (this.#check && kind === frameKinds.changes) this.#changes(this.#check, payload);
    else if (this.#check && kind === frameKinds.notification) this.#notification(this.#check, payload);
    else if (this.#check && kind === frameKinds['run-ending']) this.#ending(this.#check, payload);
    else if (this.#check && kind === frameKinds.statistics) this.#statistics(this.#check, payload);
    else if (kind === frameKinds.audit) this.#audit(payload);
    else if (kind === frameKinds.delivery) this.#delivery(payload);
    else if (kind !== frameKinds.end) this.#row(kind, payload);
  }

  finish(): void {
    this.#endCheck();
    this.#commit();
  }

  #number(kind: number, payload: Buffer): void {
    const value = this.#reader.open(payload).f64();
    const name = kind === frameKinds.sequence ? 'folded' : 'alive';
    this.#env.write(() => writeMeta(this.#tables, name, value));
  }

  #audit(payload: Buffer): void {
    const key = auditKey(auditRow.read(payload));
    this.#put(this.#tables.audit, key, payload);
    const indexed = snoozeIndexKey(key, payload);
    if (indexed) this.#put(this.#tables.snoozed, indexed, noBytes);
  }

  #delivery(payload: Buffer): void {
    this.#put(this.#tables.outbox, bytesOfUuid(rows.delivery.read(payload).id), payload);
  }

  #row(frameKind: number, payload: Buffer): void {
    const kind = kindOf(frameKind);
    if (kind === undefined) return;
    this.#put(this.#tables.config, configKeyOfRow(kind, payload), payload);
    if (kind !== 'project') return;
    const project = rows.project.read(payload);
    this.#projects.set(project.id, project);
    this.#noteRules(ruledProjectKey(project));
  }

  #beginCheck(payload: Buffer): void {
    this.#endCheck();
    const reader = this.#reader.open(payload);
    const uuid = Buffer.from(reader.raw(16));
    const stateAt = reader.at;
    reader.skip(reader.u8());
    const state = Buffer.from(payload.subarray(stateAt, reader.at));
    const row = payload.subarray(reader.at);
    const check = rows.check.read(row);
    const project = this.#projects.get(check.projectId);
    this.#noteRules(ruledKey(uuid, check));
    const nPings = nPingsOfState(this.#reader.open(state));
    // Pings say that they had a body even when it is gone: below the first that is there, none is.
    const counters: RetentionCounters = {
      pingsMax: planLimits[project?.plan ?? 'paid'].pingsMax,
      keepsFailures: keepsFailures(check.config.retention || (project?.retention ?? '')),
      oldestN: 0,
      bodyFrom: nPings + 1,
      bodyBytes: 0,
      changes: 0,
    };
    this.#put(this.#tables.checks, uuid, row);
    this.#check = { uuid, state, counters };
  }

  #noteRules(key: Buffer | null): void {
    if (key) this.#put(this.#tables.meta, key, noBytes);
  }

  #pings({ uuid, counters }: OpenCheck, payload: Buffer): void {
    const firstN = skipPing(this.#reader.open(payload));
    if (counters.oldestN === 0) counters.oldestN = firstN;
    this.#put(this.#tables.pings, pingKey(uuid, firstN), payload);
  }

  #body({ uuid, counters }: OpenCheck, payload: Buffer): void {
    const n = this.#reader.open(payload).u48();
    const body = payload.subarray(6);
    counters.bodyFrom = Math.min(counters.bodyFrom, n);
    counters.bodyBytes += body.length;
    this.#put(this.#tables.bodies, pingKey(uuid, n), body);
  }

  #changes({ uuid, counters }: OpenCheck, payload: Buffer): void {
    for (let at = 0; at < payload.length; at += changeBytes) {
      const change = payload.subarray(at, at + changeBytes);
      const atMs = this.#reader.open(change).f64();
      this.#put(this.#tables.changes, changeKey(uuid, atMs, counters.changes++), change);
    }
  }

  #ending({ uuid }: OpenCheck, payload: Buffer): void {
    this.#put(this.#tables.endings, endingKey(uuid, endingRow.read(payload).atMs, payload), payload);
  }

  #notification({ uuid }: OpenCheck, payload: Buffer): void {
    const { atMs, deliveryId } = notificationRow.read(payload);
    this.#put(this.#tables.notifications, notificationKey(uuid, atMs, bytesOfUuid(deliveryId)), payload);
  }

  #statistics({ uuid }: OpenCheck, payload: Buffer): void {
    const reader = this.#reader.open(payload);
    const key = statisticsKey(uuid, reader.u8(), reader.u16());
    this.#put(this.#tables.pings, key, reader.raw(reader.left));
  }

  #endCheck(): void {
    if (!this.#check) return;
    const { uuid, state, counters } = this.#check;
    const row = Buffer.alloc(counterBytes + state.length);
    writeCounters(row, counters);
    row.set(state, counterBytes);
    this.#put(this.#tables.states, uuid, row);
    this.#check = null;
  }

  #put(table: Table, key: Buffer, value: Buffer): void {
    this.#rows.push({ table, key, value: Buffer.from(value) });
    this.#bytes += key.length + value.length;
    if (this.#bytes >= restoredBytesPerTransaction) this.#commit();
  }

  #commit(): void {
    const rows = this.#rows;
    this.#rows = [];
    this.#bytes = 0;
    if (rows.length === 0) return;
    this.#env.write(() => {
      for (const { table, key, value } of rows) table.put(key, value);
    });
  }
}
