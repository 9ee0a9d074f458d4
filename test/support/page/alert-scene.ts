/**
 * One check and its integrations: engine and notify on a simulated machine that may be killed at any instant, and what was
 * sent. Integrations answer at once.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'vitest';
import { limits } from '../../../src/config.ts';
import type { ChannelSettings } from '../../../src/domain/accounts/project.ts';
import { type Check, defaultConfig } from '../../../src/domain/check/check.ts';
import type { Engine, PingOutcome } from '../../../src/engine/contract/engine.ts';
import { KnellError } from '../../../src/lib/errors.ts';
import { type ChannelId, type CheckId, type ProjectId, systemIds } from '../../../src/lib/ids.ts';
import { silentLogger } from '../../../src/lib/logger.ts';
import { createMeter } from '../../../src/lib/meter.ts';
import { hour, minute, NEVER, second } from '../../../src/lib/units.ts';
import { createNotify, type Notify } from '../../../src/notify/create-notify.ts';
import { readsOf } from '../../simulation/knell-process.ts';
import { testSettings } from '../engine/notices.ts';
import { SimulatedClock } from '../engine/simulated-clock.ts';
import { recoverEngine } from '../engine/start-engine.ts';
import { openSimulatedStore, SimulatedMachine } from '../store/simulated-store.ts';
import { words } from '../words.ts';

export const startMs = Date.UTC(2026, 4, 4, 4);
const webhook = {
  method_down: 'POST',
  url_down: 'https://hooks.test/',
  body_down: '$STATUS',
  headers_down: {},
  method_up: 'POST',
  url_up: 'https://hooks.test/',
  body_up: '$STATUS',
  headers_up: {},
};

/** Long enough for what is due to be written and sent. */
const settleMs = 2 * second;

export class Scene {
  readonly machine = new SimulatedMachine();
  readonly clock = new SimulatedClock(startMs);
  /** What was sent: integration, word, minute. */
  readonly sent: string[] = [];
  /** Integrations that answer with a failure. */
  readonly failing = new Set<string>();
  project = '' as ProjectId;
  #check = '' as CheckId;
  #lives = 0;
  engine = {} as Engine;
  notify = {} as Notify;

  /** Starts anew on what the disk has. */
  async start(): Promise<void> {
    this.machine.disk.kill();
    const life = ++this.#lives;
    const { clock, machine } = this;
    const store = await openSimulatedStore({ machine, scheduler: clock, nowMs: () => clock.nowMs() });
    const { engine, deliveries, snoozed } = await recoverEngine({
      ...{ store, clock, aliveEveryMs: hour },
      // Hours go by in a few steps.
      ticker: { ...limits.ticker, sleepMsMax: hour },
    });
    const notify = createNotify({
      pushAuthorization: () => '',
      ...{ store, clock, logger: silentLogger, meter: createMeter(), deliveries: [] },
      ...{ reads: readsOf(engine, clock), settings: testSettings, ids: systemIds },
      ...{ limits: limits.notify, baseUrl: () => 'https://knell.test', chance: () => 0.5 },
      http: {
        send: async ({ url, body }) => {
          // A process that is gone sends nothing.
          if (life !== this.#lives) return new Promise(() => {});
          const name = url.slice(url.lastIndexOf('/') + 1);
          const isFailing = this.failing.has(name);
          if (!isFailing) this.sent.push(`${name} ${body} at ${this.atMinute}`);
          return {
            status: isFailing ? 500 : 200,
            retryAfterMs: undefined,
            text: '',
            location: null,
          } as never;
        },
        refusal: async () => null,
        close() {},
      },
    });
    engine.events.deliveriesDurable.subscribe(notify.deliver);
    engine.events.snoozeChanged.subscribe(notify.snoozeChanged);
    notify.recovered(deliveries, snoozed);
    engine.start();
    notify.start();
    this.engine = engine;
    this.notify = notify;
  }

  get atMinute(): number {
    return Math.floor((this.clock.nowMs() - startMs) / minute);
  }

  async addIntegration(name: string, settings: Partial<ChannelSettings> = {}): Promise<ChannelId> {
    const urls = { url_down: `${webhook.url_down}${name}`, url_up: `${webhook.url_up}${name}` };
    const value = JSON.stringify({ ...webhook, ...urls });
    const { change } = this.engine;
    const { id } = await change.createChannel(this.project, { kind: 'webhook', name, value }, startMs);
    await change.editChannel(id, { settings });
    return id;
  }

  /** Kills it first, where one runs. */
  async begin(integrations: Readonly<Record<string, Partial<ChannelSettings>>>): Promise<void> {
    await this.start();
    this.project = (await this.engine.change.createProject('p', 'paid', startMs)).project.id;
    const channels: ChannelId[] = [];
    for (const [name, settings] of Object.entries(integrations))
      channels.push(await this.addIntegration(name, settings));
    // A day: no deadline passes unless a test is about one.
    const config = { ...defaultConfig, timeoutS: 86_400, graceS: 3600, channels: channels.sort() };
    this.#check = (await this.engine.change.createCheck(this.project, config, startMs)).id;
    await this.ping('success');
  }

  get check(): Check {
    const check = this.engine.read.check(this.#check, this.clock.nowMs());
    if (!check) throw new Error('no check');
    return check;
  }

  async ping(action: 'success' | 'fail'): Promise<void> {
    expect(await this.tryPing(action)).toBe('ok');
    await this.settle();
  }

  tryPing(action: 'success' | 'fail'): Promise<PingOutcome> {
    const body = new Uint8Array(0);
    return new Promise((resolve) =>
      this.engine.acceptPing(
        {
          target: { by: 'uuid', uuid: words(this.#check) },
          ...{ error: null, action, exitStatus: null, rid: null, host: '', results: [] },
          ...{ scheme: 'http', method: 'GET', remoteAddr: '192.0.2.1', ua: '' },
          ...{ body, searchable: { via: 'http', body }, receivedAtMs: this.clock.nowMs() },
        },
        resolve,
        null,
      ),
    );
  }

  async settle(): Promise<void> {
    await this.pass(settleMs);
  }

  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms, async () => {
      for (let turns = 0; turns < 4; turns++) await nextTurn();
    });
    for (let turns = 0; turns < 8; turns++) await nextTurn();
  }

  /** To so many minutes after the start. */
  async until(atMinute: number): Promise<void> {
    await this.pass(startMs + atMinute * minute - this.clock.nowMs());
  }

  async update(config: Partial<Check['config']>): Promise<void> {
    await this.engine.change.updateCheck(
      this.#check,
      { ...this.check.config, ...config },
      this.clock.nowMs(),
    );
    await this.settle();
  }

  async snoozeUntil(atMinute: number): Promise<void> {
    const asked = { untilMs: startMs + atMinute * minute, by: 'Ada' };
    await this.engine.change.snoozeCheck(this.#check, asked, this.clock.nowMs());
    await this.settle();
  }

  async change(name: 'unsnoozeCheck' | 'unacknowledgeCheck' | 'pauseCheck' | 'resumeCheck' | 'deleteCheck') {
    return this.#outcome(this.engine.change[name](this.#check, this.clock.nowMs()));
  }

  async acknowledge() {
    return this.#outcome(this.engine.change.acknowledgeCheck(this.#check, 'Ada', this.clock.nowMs()));
  }

  /** `ok`, or the code of the error. */
  async #outcome(change: Promise<unknown>): Promise<string> {
    const outcome = await change.then(
      () => 'ok',
      (error: unknown) => (error instanceof KnellError ? error.code : String(error)),
    );
    await this.settle();
    return outcome;
  }

  log(): string[] {
    return this.engine.read
      .notifications(this.#check, { fromMs: 0, untilMs: NEVER }, 100)
      .map(({ kind, outcome, error }) => `${kind} ${outcome} ${error}`.trim())
      .reverse();
  }
}
