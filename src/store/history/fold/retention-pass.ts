/**
 * Applies the rules of retention to one partition: removes from the rows of its checks what the rules drop. Follows the compaction of
 * that partition, so that all that is folded of its checks is in rows. `domain/retention` says what is dropped, at the place of the
 * journal up to which the history has come: reads and snapshots, which are further, show none of it any more.
 *
 * Invariants: reads see the same before and after each slice. All of a check that is dropped goes in one transaction: what is left of
 * it says by itself what former rules dropped. Cut off anywhere, the pass begins again and comes to the same.
 */
import { KeptPings, type Retention } from '../../../domain/retention/kept-pings.ts';
import { ByteReader } from '../../codec/byte-reader.ts';
import { nPingsOfState } from '../../codec/check.ts';
import { atMsOfPing, hasBodyAt, signalOfPing, skipPing } from '../../codec/ping.ts';
import { rows } from '../../codec/rows.ts';
import {
  retainedBodiesMax,
  retainedChecksMax,
  retainedPingsMax,
  retainedRowsLookedAt,
} from '../../disk/limits.ts';
import type { LmdbEnv } from '../../disk/lmdb-env.ts';
import { forgetRules, retentionOfFolded, ruledChecks, ruledProjects } from '../rows/ruled-checks.ts';
import { firstUuidOf } from '../rows/runs.ts';
import {
  abovePings,
  counterBytes,
  type HistoryTables,
  nOfPingKey,
  pingKey,
  type RetentionCounters,
  readCounters,
  writeCounters,
} from '../rows/tables.ts';
import { countedRows } from '../statistics/count-pings.ts';

const pageBytes = 4096;
/** Pages that a check dirties besides those of its pings and bodies: statistics and state. */
const checkBytesMax = 8 * pageBytes;
/** Bytes of a ping in its row, of which a page holds many. */
const pingBytesMax = 128;

interface Found {
  readonly uuid: Buffer;
  /** Null for one that is in the index and no longer there. */
  readonly work: CheckWork | null;
}

export class RetentionPass {
  readonly #env: LmdbEnv;
  readonly #tables: HistoryTables;
  readonly #nowMs: number;
  /** Ids of projects with rules: with any, all checks are looked at. */
  readonly #projects: ReadonlySet<string>;
  readonly #end: Buffer;
  /** The next check to look at; null at the end. */
  #next: Buffer | null;

  constructor(env: LmdbEnv, tables: HistoryTables, partition: number, nowMs: number) {
    this.#env = env;
    this.#tables = tables;
    this.#nowMs = nowMs;
    this.#projects = ruledProjects(tables);
    this.#next = firstUuidOf(partition);
    this.#end = firstUuidOf(partition + 1);
    const hasAny = this.#projects.size > 0 || this.#ruled(1).length > 0;
    if (!hasAny) this.#next = null;
  }

  get isEmpty(): boolean {
    return this.#next === null;
  }

  /** One durable transaction, or none where nothing is dropped. True when the pass is done. */
  slice(size = 1): boolean {
    const bodiesMax = Math.ceil(size * retainedBodiesMax);
    const works: Found[] = [];
    let pings = 0;
    let bodies = 0;
    for (const uuid of this.#candidates()) {
      const isEnough = works.length >= size * retainedChecksMax || pings >= size * retainedPingsMax;
      if (isEnough || bodies >= bodiesMax) {
        this.#next = uuid;
        break;
      }
      const work = this.#workOf(uuid);
      pings += work?.pings ?? 0;
      bodies += work?.bodies ?? 0;
      if (!work || work.isNeeded) works.push({ uuid, work });
      // What is left of it comes first in the next slice.
      if (work && work.bodies > bodiesMax) {
        this.#next = uuid;
        break;
      }
    }
    if (works.length > 0) this.#env.write(() => this.#apply(works, bodiesMax));
    return this.#next === null;
  }

  /** The most that the next slice of this size writes. */
  sliceBytesMax(size: number): number {
    const ofBodies = 2 * retainedBodiesMax * pageBytes;
    return size * (retainedChecksMax * checkBytesMax + ofBodies + 2 * retainedPingsMax * pingBytesMax);
  }

  #ruled(limit: number): readonly Buffer[] {
    return this.#next ? ruledChecks(this.#tables, { start: this.#next, end: this.#end, limit }) : [];
  }

  /** The next checks that may have rules; `#next` is then the one behind them. */
  #candidates(): readonly Buffer[] {
    const start = this.#next;
    if (!start) return [];
    const found: Buffer[] = [];
    let last: Buffer | null = null;
    if (this.#projects.size === 0) {
      found.push(...this.#ruled(retainedRowsLookedAt));
      last = found.length === retainedRowsLookedAt ? (found.at(-1) ?? null) : null;
    } else {
      let seen = 0;
      this.#tables.checks.scan({ start, end: this.#end }, (uuid, row) => {
        const { projectId, config, formerRetention } = rows.check.read(row);
        if (config.retention || formerRetention || this.#projects.has(projectId))
          found.push(Buffer.from(uuid));
        if (++seen < retainedRowsLookedAt) return true;
        last = Buffer.from(uuid);
        return false;
      });
    }
    this.#next = last && Buffer.concat([last, Buffer.of(0)]);
    return found;
  }

  #workOf(uuid: Buffer): CheckWork | null {
    const { checks, states } = this.#tables;
    const row = checks.get(uuid);
    const check = row && rows.check.read(row);
    const stored = states.get(uuid);
    if (!check || !stored) return null;
    const state = Buffer.from(stored);
    const reader = new ByteReader(state);
    const counters = readCounters(reader);
    const retention = retentionOfFolded(this.#tables, check, counters, nPingsOfState(reader));
    return new CheckWork(this.#tables, { uuid, state, counters, retention });
  }

  #apply(works: readonly Found[], bodiesMax: number): void {
    for (const { uuid, work } of works) {
      if (work) work.apply(this.#nowMs, bodiesMax);
      else forgetRules(this.#tables, uuid);
    }
  }
}

interface RetainedCheck {
  readonly uuid: Buffer;
  /** Counters and state, as they are stored. */
  readonly state: Buffer;
  readonly counters: RetentionCounters;
  readonly retention: Retention | null;
}

interface ChunkRow {
  readonly key: Buffer;
  /** What is left of it; empty for nothing. */
  readonly left: Buffer;
}

/** What is to be dropped of one check: found by reading, applied in a transaction. */
class CheckWork {
  /** Pings looked at. */
  pings = 0;
  readonly #tables: HistoryTables;
  readonly #check: RetainedCheck;
  readonly #chunks: ChunkRow[] = [];
  readonly #bodies: { readonly key: Buffer; readonly bytes: number }[] = [];
  /** 0 when nothing is left. */
  #oldestN = 0;

  constructor(tables: HistoryTables, check: RetainedCheck) {
    this.#tables = tables;
    this.#check = check;
    if (check.retention) this.#find(check.retention);
  }

  /** Bodies to be removed. */
  get bodies(): number {
    return this.#bodies.length;
  }

  get isNeeded(): boolean {
    return this.#chunks.length > 0 || this.#bodies.length > 0;
  }

  #find(retention: Retention): void {
    const { pings } = this.#tables;
    const { uuid } = this.#check;
    const kept = new KeptPings(retention);
    const withoutBody: number[] = [];
    pings.scan({ start: abovePings(uuid), end: uuid, reverse: true }, (key, chunk) => {
      const places = placesOf(chunk);
      const left: Buffer[] = [];
      for (const { start, end, n } of places.reverse()) {
        const ping = { n, atMs: atMsOfPing(chunk, start), signal: signalOfPing(chunk, start) };
        const keep = kept.next(ping);
        this.pings++;
        if (keep) left.push(chunk.subarray(start, end));
        if (keep) this.#oldestN = n;
        if (keep?.bodyAgeMs !== null && hasBodyAt(chunk, start)) withoutBody.push(n);
      }
      if (left.length < places.length)
        this.#chunks.push({ key: Buffer.from(key), left: Buffer.concat(left.reverse()) });
    });
    if (this.#check.counters.bodyBytes > 0) this.#findBodies(withoutBody);
  }

  /** Of pings whose body goes, or went in an earlier pass. */
  #findBodies(without: readonly number[]): void {
    const { uuid, counters } = this.#check;
    for (const n of without) {
      const key = pingKey(uuid, n);
      const body = n < counters.bodyFrom ? null : this.#tables.bodies.get(key);
      if (body) this.#bodies.push({ key, bytes: body.length });
    }
  }

  /** Inside a transaction. With more bodies than so many only these: their pings say which are left. */
  apply(nowMs: number, bodiesMax: number): void {
    const { bodies, states } = this.#tables;
    const { uuid, state, counters } = this.#check;
    const isWhole = this.bodies <= bodiesMax;
    if (isWhole && this.#chunks.length > 0) this.#applyToPings(nowMs);
    let { bodyBytes } = counters;
    for (const { key, bytes } of this.#bodies.slice(0, bodiesMax)) {
      bodies.remove(key);
      bodyBytes -= bytes;
    }
    const row = Buffer.from(state);
    const oldestN = isWhole ? this.#oldestN : counters.oldestN;
    writeCounters(row.subarray(0, counterBytes), { ...counters, bodyBytes, oldestN });
    states.put(uuid, row);
  }

  #applyToPings(nowMs: number): void {
    const { pings } = this.#tables;
    const { uuid } = this.#check;
    // They count also where they were never counted.
    countedRows({ tables: this.#tables, uuid, parts: [], nowMs }).save();
    for (const { key, left } of this.#chunks) {
      const firstN = left.length > 0 ? skipPing(new ByteReader(left)) : 0;
      if (firstN !== nOfPingKey(key)) pings.remove(key);
      if (firstN > 0) pings.put(pingKey(uuid, firstN), left);
    }
  }
}

interface Place {
  readonly start: number;
  readonly end: number;
  readonly n: number;
}

/** Where the pings of a row lie, oldest first. */
function placesOf(chunk: Buffer): Place[] {
  const places: Place[] = [];
  const reader = new ByteReader(chunk);
  while (reader.left > 0) {
    const start = reader.at;
    const n = skipPing(reader);
    places.push({ start, end: reader.at, n });
  }
  return places;
}
