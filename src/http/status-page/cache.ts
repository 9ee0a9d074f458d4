/**
 * Status pages as bytes, made when somebody asks and kept for some seconds: however many read a page, the work is that of one.
 * Not here: who may read it (`routes`).
 * Invariants: a page is made once at a time, and what is kept is never older than the page's own last change.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { StatusPage } from '../../domain/status-page.ts';
import type { EngineRead } from '../../engine/engine.ts';
import { renderFeed } from './feed.ts';
import { type GatherLimits, gather, type ReadHistory } from './gather.ts';
import { type PageAddresses, renderPage } from './render.ts';

/** One file as readers get it. */
export interface ReadyFile {
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly etag: string;
}

export interface ReadyPage {
  readonly html: ReadyFile;
  readonly feed: ReadyFile;
}

export interface CacheOptions {
  readonly read: EngineRead;
  readonly limits: GatherLimits & { readonly cachedMax: number };
  readonly addressesOf: (page: StatusPage) => PageAddresses;
  /** Those that a feed needs: with scheme and host. */
  readonly urlsOf: (page: StatusPage) => { readonly url: string; readonly feed: string };
}

interface Entry {
  readonly page: StatusPage;
  readonly madeAtMs: number;
  readonly ready: Promise<ReadyPage>;
  /** As it was read last: while the page is being made, for the one before. */
  readonly history: ReadHistory | null;
}

const gzipped = promisify(gzip);

export class StatusPageCache {
  readonly #options: CacheOptions;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>();

  constructor(options: CacheOptions) {
    this.#options = options;
  }

  ready(page: StatusPage, nowMs: number): Promise<ReadyPage> {
    const kept = this.#entries.get(page.id);
    const isFresh = kept?.page === page && Math.abs(nowMs - kept.madeAtMs) < this.#options.limits.freshMs;
    const entry = kept && isFresh ? kept : this.#make(page, kept?.history ?? null, nowMs);
    this.#entries.delete(page.id);
    this.#entries.set(page.id, entry);
    if (this.#entries.size > this.#options.limits.cachedMax) this.#dropOldest();
    return entry.ready;
  }

  #make(page: StatusPage, before: ReadHistory | null, nowMs: number): Entry {
    let made: ReadHistory | null = before;
    const ready = this.#render(page, before, nowMs).then(({ history, ...files }) => {
      made = history;
      return files;
    });
    const entry: Entry = {
      page,
      madeAtMs: nowMs,
      ready,
      get history() {
        return made;
      },
    };
    // The next reader tries again.
    ready.catch(() => {
      if (this.#entries.get(page.id) === entry) this.#entries.delete(page.id);
    });
    return entry;
  }

  async #render(
    page: StatusPage,
    before: ReadHistory | null,
    nowMs: number,
  ): Promise<ReadyPage & { readonly history: ReadHistory }> {
    const { read, limits, addressesOf, urlsOf } = this.#options;
    const { report, history } = await gather(read, page, { before, limits, nowMs });
    const html = await readyFile(renderPage(report, addressesOf(page)));
    const feed = await readyFile(renderFeed(report, urlsOf(page)));
    return { html, feed, history };
  }

  #dropOldest(): void {
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}

async function readyFile(text: string): Promise<ReadyFile> {
  const plain = Buffer.from(text);
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { plain, gzip: await gzipped(plain), etag };
}
