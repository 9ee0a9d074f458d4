/** Whether a Knell is well: its parts as probes see them, as metrics, and as a heartbeat to somewhere else. */
import { limits } from '../config.ts';
import { type HealthPart, observeHealth } from '../lib/health.ts';
import type { Meter } from '../lib/meter.ts';
import { Heartbeat } from '../notify/dispatch/heartbeat.ts';
import { createHttpClient } from '../notify/wire/send-http.ts';
import type { CoreOptions } from './core.ts';

export class Health {
  readonly parts: readonly HealthPart[];
  #isStarted = false;

  constructor(parts: readonly HealthPart[], meter: Meter) {
    const start: HealthPart = {
      name: 'start',
      problem: () => (this.#isStarted ? null : 'Knell is starting'),
    };
    this.parts = [start, ...parts];
    observeHealth(meter, this.parts);
  }

  started(): void {
    this.#isStarted = true;
  }

  /** Sends nothing where KNELL_HEARTBEAT_URL is not set. */
  openHeartbeat({ config, clock, logger }: CoreOptions): { stop(): void } {
    const { heartbeatUrl: url, heartbeatEveryMs: everyMs } = config;
    if (url === '') return { stop() {} };
    const { send, close } = createHttpClient(limits.notify.http, config.webhookAllow);
    const timing = { everyMs, clock, limits: limits.heartbeat };
    const heartbeat = new Heartbeat({ url, parts: this.parts, send, logger, ...timing });
    heartbeat.start();
    return {
      stop() {
        heartbeat.stop();
        close();
      },
    };
  }
}
