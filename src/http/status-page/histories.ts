/**
 * The histories of status pages as they were last read. They are read again after a status change, or after a while.
 * Invariants: reading takes a bounded share of the time, however many checks a page is about. If it takes long, only the first
 * reader waits for it.
 */
import type { StatusPage } from '../../domain/accounts/status-page.ts';
import type { EngineRead } from '../../engine/contract/engine.ts';
import { type HistoryLimits, historyOf, type ServiceHistory } from './history.ts';
import type { Member } from './members.ts';

export interface HistoriesLimits extends HistoryLimits {
  readonly historyMs: number;
  readonly historyShareMax: number;
  readonly historyWaitMs: number;
  readonly freshMs: number;
}

/** A history, with the state and the instant at which it was read. */
export interface ReadHistory {
  readonly page: StatusPage;
  /** Hash of the checks and their statuses. */
  readonly hash: string;
  readonly atMs: number;
  readonly tookMs: number;
  readonly services: readonly ServiceHistory[];
}

interface Wanted {
  readonly members: readonly Member[];
  readonly hash: string;
  readonly nowMs: number;
}

export class Histories {
  readonly #read: EngineRead;
  readonly #limits: HistoriesLimits;
  readonly #kept = new Map<string, ReadHistory>();
  /** Pages whose history is being read while an older one is shown. */
  readonly #reading = new Set<string>();

  constructor(read: EngineRead, limits: HistoriesLimits) {
    this.#read = read;
    this.#limits = limits;
  }

  async of(page: StatusPage, wanted: Wanted): Promise<ReadHistory> {
    const before = this.#kept.get(page.id);
    if (!before || !isOf(before, page)) return this.#readNow(page, wanted);
    if (this.#isFresh(before, wanted) || this.#reading.has(page.id)) return before;
    if (before.tookMs < this.#limits.historyWaitMs) return this.#readNow(page, wanted);
    this.#reading.add(page.id);
    this.#readNow(page, wanted)
      // The next reader waits, and gets the error.
      .catch(() => this.#kept.delete(page.id))
      .finally(() => this.#reading.delete(page.id));
    return before;
  }

  drop(id: string): void {
    this.#kept.delete(id);
  }

  async #readNow(page: StatusPage, { members, hash, nowMs }: Wanted): Promise<ReadHistory> {
    const startMs = performance.now();
    const services = await historyOf({ read: this.#read, page, members, limits: this.#limits, nowMs });
    const read = { page, hash, atMs: nowMs, tookMs: performance.now() - startMs, services };
    this.#kept.set(page.id, read);
    return read;
  }

  #isFresh({ hash, atMs, tookMs }: ReadHistory, wanted: Wanted): boolean {
    const { historyMs, freshMs, historyShareMax } = this.#limits;
    const leastMs = Math.max(hash === wanted.hash ? historyMs : freshMs, tookMs / historyShareMax);
    return Math.abs(wanted.nowMs - atMs) < leastMs;
  }
}

function isOf({ page: { services, timeZone, incidentsAfter } }: ReadHistory, page: StatusPage): boolean {
  return services === page.services && timeZone === page.timeZone && incidentsAfter === page.incidentsAfter;
}
