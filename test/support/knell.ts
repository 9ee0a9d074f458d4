/** A whole Knell in this process, on a data directory of its own, spoken to over real sockets. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../src/assemble/app.ts';
import type { App } from '../../src/assemble/running.ts';
import type { ClusterLink } from '../../src/cluster/bus/link.ts';
import { readConfig } from '../../src/config.ts';
import { scryptCost } from '../../src/domain/accounts/password-hash.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { type Logger, silentLogger } from '../../src/lib/logger.ts';
import { builtUrl } from './process/built.ts';
import { mustAgree } from './wire/api-agreement.ts';

export interface KnellOptions {
  readonly clock?: Clock;
  /** Where to keep the data: a directory that the caller has made, and removes. */
  readonly dataDir?: string;
  /** Environment variables of Knell. */
  readonly env?: Readonly<Record<string, string>>;
  readonly logger?: Logger;
  /** What connects it with the other nodes of a cluster. */
  readonly link?: ClusterLink;
  readonly onBroken?: (error: unknown) => void;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body parsed as JSON; fails when it is none. */
  json(): Json;
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not there.
export type Json = any;

export class Knell {
  readonly dataDir: string;
  readonly #options: KnellOptions;
  #app: App | null = null;
  keys = { readWrite: '', readOnly: '', ping: '' };

  private constructor(options: KnellOptions) {
    this.#options = options;
    this.dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'knell-test-'));
  }

  static async start(options: KnellOptions = {}): Promise<Knell> {
    const knell = new Knell(options);
    await knell.#open();
    knell.#note(knell.app.bootstrapped);
    return knell;
  }

  /** In a cluster: resolves when it owns the log. */
  async leading(): Promise<void> {
    this.#note((await this.app.leading)?.bootstrapped ?? null);
  }

  #note(made: App['bootstrapped']): void {
    if (made)
      this.keys = { readWrite: made.keys.read_write, readOnly: made.keys.read_only, ping: made.keys.ping };
  }

  get app(): App {
    if (!this.#app) throw new Error('this Knell is not running');
    return this.#app;
  }

  async #open(): Promise<void> {
    const env = {
      KNELL_DATA_DIR: this.dataDir,
      KNELL_HTTP: '127.0.0.1:0',
      KNELL_SMTP: 'off',
      KNELL_BASE_URL: 'http://knell.test',
      KNELL_API_RATE_LIMIT: '0',
      KNELL_SNAPSHOTS: 'off',
      ...this.#options.env,
    };
    this.#app = await createApp({
      ...readConfig(env, {}),
      clock: this.#options.clock ?? systemClock,
      logger: this.#options.logger ?? silentLogger,
      onBroken:
        this.#options.onBroken ??
        ((error) => {
          throw error;
        }),
      ...(this.#options.link ? { link: this.#options.link } : {}),
      passwordCost: { ...scryptCost, N: 2 ** 8 },
      progress: () => {},
      threadsUrl: builtUrl('store/'),
      webUrl: new URL('../../dist/web/', import.meta.url),
      readWorkerUrl: builtUrl('smtp/read-worker.js'),
    });
  }

  /** Ends it in good order and starts it again on what it left. `meanwhile` runs in between. */
  async restart(meanwhile: () => void | Promise<void> = () => {}): Promise<void> {
    await this.app.stop();
    this.#app = null;
    await meanwhile();
    await this.#open();
  }

  async stop(): Promise<void> {
    await this.#app?.stop();
    this.#app = null;
    if (!this.#options.dataDir) rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** Any request, path as given. */
  async request(path: string, init: RequestInit = {}): Promise<Answer> {
    const answer = await answerOf(await fetch(`${this.app.httpUrl}${path}`, { redirect: 'manual', ...init }));
    mustAgree(init.method ?? 'GET', path, { ...answer, header: (name) => answer.headers.get(name) });
    return answer;
  }

  /** A management request with the read-write key, or another one. */
  api(method: string, path: string, body?: unknown, key: string = this.keys.readWrite): Promise<Answer> {
    return this.request(path, {
      method,
      headers: { 'X-Api-Key': key },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** A new check, as the API shows it. */
  async create(spec: Readonly<Record<string, unknown>> = {}): Promise<Json> {
    const answer = await this.api('POST', '/api/v3/checks/', spec);
    if (answer.status !== 201) throw new Error(`not created: ${answer.status} ${answer.text}`);
    return answer.json();
  }

  /** The check as the API shows it now. */
  async check(uuid: string): Promise<Json> {
    return (await this.api('GET', `/api/v3/checks/${uuid}`)).json();
  }

  async pings(uuid: string): Promise<Json> {
    return (await this.api('GET', `/api/v3/checks/${uuid}/pings/`)).json().pings;
  }

  async flips(uuid: string): Promise<Json> {
    return (await this.api('GET', `/api/v3/checks/${uuid}/flips/`)).json();
  }
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
}
