/**
 * Status pages as bytes, rendered on request and kept for some seconds: many readers of a page cost the work of one. `routes`
 * decides who may read it.
 * Invariants: a page is rendered once at a time, a few services in a turn of the event loop; and a kept page is never older
 * than the page's own last change.
 */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { StatusPage } from '../../domain/accounts/status-page.ts';
import type { EngineRead } from '../../engine/contract/engine.ts';
import { piecesPerTurn } from '../limits.ts';
import { renderFeed } from './feed.ts';
import { gather } from './gather.ts';
import { Histories, type HistoriesLimits } from './histories.ts';
import { type PageAddresses, pagePieces } from './render.ts';
import { incidentsOf } from './report.ts';

/** One file as readers get it. */
export interface ReadyFile {
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly etag: string;
}

export interface ReadyPage {
  readonly html: ReadyFile;
  readonly feed: ReadyFile;
  /** Instant of the data in it. */
  readonly madeAtMs: number;
}

export interface CacheOptions {
  readonly read: EngineRead;
  readonly limits: HistoriesLimits & { readonly cachedMax: number };
  readonly addressesOf: (page: StatusPage) => PageAddresses;
  /** Addresses of the page and its feed, with scheme and host, as a feed needs them. */
  readonly urlsOf: (page: StatusPage) => { readonly url: string; readonly feed: string };
}

interface Entry {
  readonly page: StatusPage;
  readonly madeAtMs: number;
  readonly ready: Promise<ReadyPage>;
}

const gzipped = promisify(gzip);

export class StatusPageCache {
  readonly #options: CacheOptions;
  readonly #histories: Histories;
  /** Entries in the order of their last use. */
  readonly #entries = new Map<string, Entry>();

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#histories = new Histories(options.read, options.limits);
  }

  ready(page: StatusPage, nowMs: number): Promise<ReadyPage> {
    const { freshMs, cachedMax } = this.#options.limits;
    const kept = this.#entries.get(page.id);
    const isFresh = kept?.page === page && Math.abs(nowMs - kept.madeAtMs) < freshMs;
    const entry = kept && isFresh ? kept : this.#make(page, nowMs);
    this.#entries.delete(page.id);
    this.#entries.set(page.id, entry);
    if (this.#entries.size > cachedMax) this.#dropOldest();
    return entry.ready;
  }

  #make(page: StatusPage, nowMs: number): Entry {
    const entry: Entry = { page, madeAtMs: nowMs, ready: this.#render(page, nowMs) };
    // The next reader tries again.
    entry.ready.catch(() => {
      if (this.#entries.get(page.id) === entry) this.#entries.delete(page.id);
    });
    return entry;
  }

  async #render(page: StatusPage, nowMs: number): Promise<ReadyPage> {
    const { read, addressesOf, urlsOf } = this.#options;
    const report = await gather(read, page, { histories: this.#histories, nowMs });
    await nextTurn();
    const incidents = incidentsOf(report);
    await nextTurn();
    const html = await readyFile(pagePieces(report, incidents, addressesOf(page)));
    const feed = await readyFile([renderFeed(report, incidents, urlsOf(page))]);
    return { html, feed, madeAtMs: nowMs };
  }

  #dropOldest(): void {
    const [oldest] = this.#entries.keys();
    if (oldest === undefined) return;
    this.#entries.delete(oldest);
    this.#histories.drop(oldest);
  }
}

/** Joins the pieces, so many in a turn of the event loop. */
export async function readyFile(pieces: Iterable<string>): Promise<ReadyFile> {
  const hash = createHash('sha256');
  const parts: Buffer[] = [];
  for (const piece of pieces) {
    const part = Buffer.from(piece);
    hash.update(part);
    parts.push(part);
    if (parts.length % piecesPerTurn === 0) await nextTurn();
  }
  const plain = Buffer.concat(parts);
  return { plain, gzip: await gzipped(plain), etag: `W/"${hash.digest('base64url').slice(0, 22)}"` };
}
