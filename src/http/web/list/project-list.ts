/**
 * The checks of one project as the list orders, filters and counts them, kept while somebody looks: the browser gets the part
 * that is in sight, and the counts.
 * Invariants: an entry says nothing that is not durable; no turn of the event loop takes over a few milliseconds, however many
 * checks there are; changes are read before a query is answered.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { activeAt } from '../../../domain/alerting/calendar.ts';
import { isAbout, type MaintenanceWindow } from '../../../domain/alerting/maintenance.ts';
import { type ListedCheck, listedOf } from '../../../domain/check/listed-check.ts';
import type { ShownStatus } from '../../../domain/check/shown-status.ts';
import type { ListSummary } from '../../../domain/views/page-view.ts';
import type { EngineRead, OpenIncidentCounts } from '../../../engine/contract/engine.ts';
import { checksPerSlice } from '../../../engine/contract/limits.ts';
import { visitListed } from '../../../engine/reads/check-slices.ts';
import type { ChannelId, CheckId, ProjectId } from '../../../lib/ids.ts';
import { NEVER } from '../../../lib/units.ts';
import { rowsKeptMax, selectionMsMax, selectionsMax } from '../../limits.ts';
import { bestMatches, type Matches } from './best.ts';
import { ChannelUse } from './channel-use.ts';
import { entryOf, type ListEntry } from './entry.ts';
import { LastRuns } from './last-runs.ts';
import { noCounts, type Selection, select } from './order.ts';
import type { ListQuery } from './query.ts';
import { ResultValues } from './result-values.ts';
import { Uptimes } from './uptimes.ts';

function isWorse(one: ListEntry, other: ListEntry): boolean {
  if (one.status !== other.status) return one.status === 'down';
  if (one.isHandled !== other.isHandled) return other.isHandled;
  return one.status === 'down' ? one.noteMs > other.noteMs : one.noteMs < other.noteMs;
}

interface KeptRow {
  readonly reader: string;
  /** Null until it is rendered and durable. */
  json: string | null;
  readonly atMs: number;
}

interface Kept {
  readonly revision: number;
  readonly structure: number;
  readonly atMs: number;
  readonly selection: Promise<Selection>;
}

/** The uptime of all checks of a list together. */
export interface ListUptime {
  /** 0 to 1; null if nothing was watched. */
  readonly share: number | null;
  /** Since when the first check was watched; null if that was so from the beginning, or none was. */
  readonly sinceMs: number | null;
}

export class ProjectList {
  /** Name of this list object: a new one counts from 0 again. */
  readonly #name = randomUUID();
  readonly #read: EngineRead;
  readonly #uptimes: Uptimes;
  readonly #results: ResultValues;
  readonly #lastRuns: LastRuns;
  readonly #projectId: ProjectId;
  readonly #entries = new Map<CheckId, ListEntry>();
  /** Entries that are down or late. */
  readonly #troubled = new Map<CheckId, ListEntry>();
  readonly #counts = noCounts();
  #warned = 0;
  #runningToo = 0;
  #neverPinged = 0;
  /** As of the last `refresh`: when an incident changes, one of its checks is noted as changed. */
  #incidents: OpenIncidentCounts = { count: 0, acknowledged: 0, down: 0, only: null };
  readonly #use = new ChannelUse();
  readonly #changed = new Set<CheckId>();
  readonly #rows = new Map<CheckId, KeptRow>();
  readonly #selections = new Map<string, Kept>();
  /** The windows that were on when it was looked last. */
  #windowsOn = '[]';
  #reading: Promise<void> | null = null;
  #isRead = false;
  #revision = 0;
  /** Grows with every change, except of times. */
  #structure = 0;

  constructor(read: EngineRead, projectId: ProjectId) {
    this.#read = read;
    this.#uptimes = new Uptimes(read);
    this.#results = new ResultValues(read);
    this.#lastRuns = new LastRuns(read);
    this.#projectId = projectId;
  }

  /** Differs after every change of an entry, and in every process. */
  get revision(): string {
    return `${this.#name}.${this.#revision}`;
  }

  /** Notes that the check is new, changed or deleted. */
  noteChanged(id: CheckId): void {
    this.#changed.add(id);
    this.#rows.delete(id);
    this.#lastRuns.forget(id);
  }

  /**
   * Returns a row as it was rendered for that kind of reader, for a moment, while the check is the same: a hundred pages
   * request it at once.
   */
  keptRow(id: CheckId, reader: string, nowMs: number): string | null {
    const kept = this.#rows.get(id);
    return kept?.reader === reader && nowMs - kept.atMs < selectionMsMax ? kept.json : null;
  }

  /** Call it before a row is rendered. The function that it returns keeps the row, unless the check has changed since. */
  beginRow(id: CheckId, reader: string, nowMs: number): (json: string) => void {
    const row: KeptRow = { reader, json: null, atMs: nowMs };
    if (this.#rows.size >= rowsKeptMax) this.#rows.clear();
    this.#rows.set(id, row);
    return (json) => {
      row.json = json;
    };
  }

  /**
   * Reads the changes until now. Later changes are left to the next caller: otherwise this would never end while many pings
   * come in. Any number of callers may wait for the same reading.
   */
  async refresh(nowMs: number): Promise<void> {
    let left = this.#changed.size;
    if (this.#reading) await this.#reading;
    if (!this.#isRead) await this.#readNext(nowMs);
    // Changes are read in the order in which they were noted.
    for (; left > 0 && this.#changed.size > 0; left -= checksPerSlice) await this.#readNext(nowMs);
  }

  #readNext(nowMs: number): Promise<void> {
    this.#reading ??= this.#readOn(nowMs).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** Counts all checks; with the earliest instants at which one went down, and at which a late one will. */
  async summary(nowMs: number): Promise<ListSummary> {
    await this.refresh(nowMs);
    const first = (wanted: ShownStatus): number | null => {
      let leastMs = NEVER;
      for (const { status, noteMs } of this.#troubled.values())
        if (status === wanted) leastMs = Math.min(leastMs, noteMs);
      return leastMs === NEVER ? null : leastMs;
    };
    const counts = { ...this.#counts };
    return {
      all: this.#entries.size,
      counts,
      warned: this.#warned,
      runningToo: this.#runningToo,
      neverPinged: this.#neverPinged,
      downSinceMs: first('down'),
      lateUntilMs: first('late'),
      notifyNobody: this.#use.nobody,
      incidents: this.#incidents,
    };
  }

  /** Number of checks that notify an integration, as of the last `refresh`. */
  usedFor(id: ChannelId): number {
    return this.#use.of(id);
  }

  /** Entries in no particular order, as of the last `refresh`. */
  entries(): Iterable<ListEntry> {
    return this.#entries.values();
  }

  /**
   * Returns at most `max` checks: first those that are down, then the late ones. Of those that are down, what nobody handles comes
   * first, then what went down last; of the late ones, the next to go down. Who is in maintenance at `nowMs` needs nobody. As of the
   * last `refresh`.
   */
  worst(max: number, nowMs: number): readonly CheckId[] {
    const found: ListEntry[] = [];
    for (const entry of this.#handledBy(this.#windowsAt(nowMs), this.#troubled.values())) {
      const last = found[max - 1];
      if (last && !isWorse(entry, last)) continue;
      const at = found.findIndex((other) => isWorse(entry, other));
      found.splice(at < 0 ? found.length : at, 0, entry);
      found.length = Math.min(found.length, max);
    }
    return found.map(({ id }) => id);
  }

  /** Uptime of the last 30 days, at most a minute old. */
  async uptime(nowMs: number): Promise<ListUptime> {
    await this.refresh(nowMs);
    await this.#uptimes.refresh(this.#entries.keys(), nowMs);
    return { share: this.#uptimes.whole, sinceMs: this.#uptimes.sinceMs };
  }

  /** Returns the first matches of a search, at most `max`. */
  async find(words: readonly string[], max: number, nowMs: number): Promise<Matches> {
    await this.refresh(nowMs);
    return bestMatches(this.#entries.values(), words, max);
  }

  /** Returns the same order again as long as nothing has changed. */
  async select(query: ListQuery, nowMs: number): Promise<Selection> {
    await this.refresh(nowMs);
    const windows = this.#windowsAt(nowMs);
    const figureOf = await this.#figures(query, nowMs);
    const key = JSON.stringify(query);
    const kept = this.#selections.get(key);
    this.#selections.delete(key);
    const fresh =
      kept && this.#isGood(kept, nowMs) ? kept : this.#selected(query, { nowMs, figureOf, windows });
    this.#selections.set(key, fresh);
    for (const oldest of this.#selections.keys()) {
      if (this.#selections.size <= selectionsMax) break;
      this.#selections.delete(oldest);
    }
    return fresh.selection;
  }

  /** What the order goes by that entries do not have. */
  async #figures({ sort, result }: ListQuery, nowMs: number): Promise<(id: CheckId) => number | null> {
    if (sort === 'uptime') await this.#uptimes.refresh(this.#entries.keys(), nowMs);
    if (sort === 'last') {
      const forgotten = [...this.#entries.values()].filter(({ isLastForgotten }) => isLastForgotten);
      await this.#lastRuns.refresh(forgotten.map(({ id }) => id));
      return (id) => this.#lastRuns.of(id);
    }
    if (sort !== 'result') return (id) => this.#uptimes.of(id);
    const values = await this.#results.of(result, this.#entries.keys(), nowMs);
    return (id) => values.get(id) ?? null;
  }

  #isGood({ revision, structure, atMs }: Kept, nowMs: number): boolean {
    return revision === this.#revision || (structure === this.#structure && nowMs - atMs < selectionMsMax);
  }

  #selected(
    query: ListQuery,
    {
      nowMs,
      figureOf,
      windows,
    }: {
      readonly nowMs: number;
      readonly figureOf: (id: CheckId) => number | null;
      readonly windows: readonly MaintenanceWindow[];
    },
  ): Kept {
    const selection = select(this.#handledBy(windows, this.#entries.values()), query, figureOf);
    return { revision: this.#revision, structure: this.#structure, atMs: nowMs, selection };
  }

  /** Returns the maintenance windows that are on. When they are others than before, the order is another one. */
  #windowsAt(nowMs: number): readonly MaintenanceWindow[] {
    const windows = this.#read
      .maintenance(this.#projectId)
      .filter((one) => one.integrations.length === 0 && activeAt(one, nowMs) !== null);
    const on = JSON.stringify(windows.map(({ id, checks, tags }) => [id, checks, tags]));
    if (on !== this.#windowsOn) {
      this.#windowsOn = on;
      this.#revision++;
      this.#structure++;
    }
    return windows;
  }

  /** What is down or late in maintenance needs nobody now. */
  *#handledBy(windows: readonly MaintenanceWindow[], entries: Iterable<ListEntry>): Generator<ListEntry> {
    for (const entry of entries) {
      const isTroubled = entry.status === 'down' || entry.status === 'late';
      yield isTroubled && isIn(windows, entry) ? { ...entry, isHandled: true } : entry;
    }
  }

  async #readOn(nowMs: number): Promise<void> {
    if (!this.#isRead) return this.#readAll(nowMs);
    const ids = [...this.#changed].slice(0, checksPerSlice);
    for (const id of ids) this.#changed.delete(id);
    const { entries, incidents } = await this.#read.durably(() => ({
      entries: this.#entriesOf(
        ids.flatMap((id) => {
          const check = this.#read.check(id, nowMs);
          return check?.projectId === this.#projectId ? [listedOf(check)] : [];
        }),
      ),
      incidents: this.#read.openIncidentCounts(this.#projectId),
    }));
    this.#incidents = incidents;
    const left = new Set(ids);
    for (const entry of entries) {
      left.delete(entry.id);
      this.#put(entry);
    }
    for (const id of left) this.#remove(id);
    this.#revision++;
    await nextTurn();
  }

  /** Changes during the reading are noted, and read again. */
  async #readAll(nowMs: number): Promise<void> {
    // Both begin in this turn: what comes after it may be when Knell has stopped.
    const incidents = this.#read.durably(() => this.#read.openIncidentCounts(this.#projectId));
    const slices = await visitListed(this.#read, this.#projectId, nowMs, (checks) => this.#entriesOf(checks));
    for (const slice of slices) {
      for (const entry of slice) this.#put(entry);
      await nextTurn();
    }
    this.#incidents = await incidents;
    this.#isRead = true;
    this.#revision++;
  }

  #put(read: ListEntry): void {
    const before = this.#entries.get(read.id);
    const entry = { ...read, channels: this.#use.replaced(before?.channels ?? null, read.channels) };
    const isSame =
      before?.status === entry.status &&
      before.isHandled === entry.isHandled &&
      before.isRunningToo === entry.isRunningToo &&
      before.text === entry.text &&
      before.schedule === entry.schedule &&
      (before.channels.length === 0) === (entry.channels.length === 0);
    if (!isSame) this.#structure++;
    if (before) this.#uncount(before);
    this.#counts[entry.status]++;
    if (entry.isWarned) this.#warned++;
    if (entry.isRunningToo) this.#runningToo++;
    if (entry.isNeverPinged) this.#neverPinged++;
    this.#entries.set(entry.id, entry);
    if (entry.noteMs !== NEVER) this.#troubled.set(entry.id, entry);
    else this.#troubled.delete(entry.id);
  }

  #uncount({ status, isWarned, isRunningToo, isNeverPinged }: ListEntry): void {
    this.#counts[status]--;
    if (isWarned) this.#warned--;
    if (isRunningToo) this.#runningToo--;
    if (isNeverPinged) this.#neverPinged--;
  }

  #remove(id: CheckId): void {
    const before = this.#entries.get(id);
    if (!before) return;
    this.#uncount(before);
    this.#use.replaced(before.channels, null);
    this.#entries.delete(id);
    this.#troubled.delete(id);
    this.#structure++;
  }

  #entriesOf(checks: readonly ListedCheck[]): readonly ListEntry[] {
    return checks.map((check) => entryOf(this.#read, check));
  }
}

function isIn(windows: readonly MaintenanceWindow[], { id, tags }: ListEntry): boolean {
  const about = { id, config: { tags: tags.join(' ') } };
  return windows.some((window) => isAbout(window, about));
}
