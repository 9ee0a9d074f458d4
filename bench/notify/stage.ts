/**
 * A whole Knell in this process with a receiver beside it, and checks that go down on request: here, or in a Knell that is started
 * on the same data directory.
 * Invariant: a check's webhook goes to a path that names the instant at which it was due.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createApp } from '../../src/assemble/app.ts';
import type { App } from '../../src/assemble/running.ts';
import { readConfig } from '../../src/config.ts';
import { type ChannelSettings, defaultChannelSettings } from '../../src/domain/accounts/channel-settings.ts';
import { defaultConfig } from '../../src/domain/check/check.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { ChannelId } from '../../src/lib/ids.ts';
import { silentLogger } from '../../src/lib/logger.ts';
import { boundCompileJobs, tuneHeapGrowth } from '../../src/lib/v8-tuning.ts';
import { pingOnce } from '../harness/seed.ts';

const periodS = 60;

/** What a Knell of a stage has to be allowed. */
export const stageEnv = { KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' };

export interface Arrival {
  readonly path: string;
  /** From the deadline to the receiver. */
  readonly lateMs: number;
  readonly atMs: number;
}

/** `receiver.ts` as a process. */
class Receiver {
  readonly #child: ChildProcess;
  readonly port: number;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  static async start(): Promise<Receiver> {
    const child = spawn(process.execPath, [fileURLToPath(new URL('./receiver.js', import.meta.url))], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [port] = await once(child.stdout, 'data');
    return new Receiver(child, Number(port));
  }

  /** Ends it and returns what it got. */
  async end(): Promise<readonly Arrival[]> {
    let text = '';
    this.#child.stdout?.on('data', (chunk) => {
      text += chunk;
    });
    this.#child.stdin?.end();
    await once(this.#child, 'close');
    const arrivals = JSON.parse(text) as readonly [string, number][];
    return arrivals.map(([path, atMs]) => ({
      path,
      atMs,
      lateMs: atMs - Number.parseInt(path.slice(1), 10),
    }));
  }
}

export class Stage {
  readonly #app: App;
  readonly #receiver: Receiver;
  readonly #channel: ChannelId;
  readonly dataDir: string;

  private constructor(app: App, receiver: Receiver, channel: ChannelId, dataDir: string) {
    this.#app = app;
    this.#receiver = receiver;
    this.#channel = channel;
    this.dataDir = dataDir;
  }

  static async open(dir: string, settings: Partial<ChannelSettings> = {}): Promise<Stage> {
    const receiver = await Receiver.start();
    const dataDir = join(dir, 'data');
    const env = {
      ...stageEnv,
      KNELL_DATA_DIR: dataDir,
      KNELL_HTTP: '127.0.0.1:0',
      KNELL_SMTP: 'off',
      KNELL_SNAPSHOTS: 'off',
    };
    // As `serve` does.
    tuneHeapGrowth();
    boundCompileJobs();
    const app = await createApp({
      config: readConfig(env, {}).config,
      clock: systemClock,
      logger: silentLogger,
      onBroken(error) {
        throw error;
      },
      progress: () => {},
    });
    const value = JSON.stringify({ url_down: `http://127.0.0.1:${receiver.port}/$NAME` });
    const channel = await app.engine.change.createChannel(
      projectOf(app),
      { kind: 'webhook', name: 'bench', value, settings: { ...defaultChannelSettings, ...settings } },
      Date.now(),
    );
    return new Stage(app, receiver, channel.id, dataDir);
  }

  get url(): string {
    return this.#app.httpUrl;
  }

  /** Checks that go down one by one from `firstMs`, `stepMs` apart. */
  async due(count: number, firstMs: number, stepMs: number): Promise<void> {
    const { engine } = this.#app;
    await this.#create(
      count,
      async (uuid, at) => {
        const dueMs = Math.floor(firstMs + at * stepMs);
        await pingOnce(engine, uuid, dueMs - 2 * periodS * 1000);
      },
      (at) => `${Math.floor(firstMs + at * stepMs)}-${at}`,
    );
  }

  /** Checks to be pinged; their paths. */
  async others(count: number): Promise<readonly string[]> {
    const paths: string[] = [];
    const { engine } = this.#app;
    await this.#create(count, async (uuid) => {
      await pingOnce(engine, uuid, Date.now());
      paths.push(`/ping/${uuid}`);
    });
    return paths;
  }

  async #create(
    count: number,
    then: (uuid: string, at: number) => Promise<void>,
    nameOf?: (at: number) => string,
  ): Promise<void> {
    const { change } = this.#app.engine;
    const config = { ...defaultConfig, channels: [this.#channel] };
    const make = async (at: number): Promise<void> => {
      const timed = nameOf ? { name: nameOf(at), timeoutS: periodS, graceS: periodS } : {};
      const { id } = await change.createCheck(projectOf(this.#app), { ...config, ...timed }, Date.now());
      await then(id, at);
    };
    await Promise.all(Array.from({ length: count }, (_, at) => make(at)));
  }

  /** Resolves when `count` deliveries have succeeded, at the latest `withinMs` after `dueMs`. */
  async delivered(count: number, dueMs: number, withinMs: number): Promise<void> {
    do await sleep(200);
    while (this.#succeeded() < count && Date.now() < dueMs + withinMs);
  }

  #succeeded(): number {
    const series = this.#app.meter
      .collect()
      .flatMap((metric) =>
        metric.kind === 'counter' && metric.name === 'knell_deliveries_total' ? metric.series : [],
      );
    const delivered = series.filter(({ labels }) => labels.outcome === 'delivered');
    return delivered.reduce((sum, { value }) => sum + value, 0);
  }

  /** Closes everything and returns what the receiver got. */
  async close(): Promise<readonly Arrival[]> {
    await this.#app.stop();
    return this.#receiver.end();
  }

  /** Closes what is in this process: its data directory is another Knell's now. What to call when that has ended is returned. */
  async handOver(): Promise<() => Promise<readonly Arrival[]>> {
    await this.#app.stop();
    return () => this.#receiver.end();
  }
}

function projectOf(app: App) {
  const [project] = app.engine.read.projects();
  if (!project) throw new Error('the first start makes a project');
  return project.id;
}
