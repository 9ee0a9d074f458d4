/**
 * Pings an address outside as long as Knell itself is well, so that somebody else notices when it is not: a dead man's switch
 * for the dead man's switch. Not what makes it well (`lib/health`).
 *
 * A Healthchecks-compatible address gets `/fail` with the reasons: an alert at once that says what to mend. For any other
 * address silence is the signal, since every request might count as a sign of life.
 * The address was set by the operator, so it may be in a private network: another Knell nearby is a good watcher.
 * Invariant: at most one request in an interval; its address, which is a secret, is in no log.
 */
import type { Clock } from '../../lib/clock.ts';
import { messageOf } from '../../lib/errors.ts';
import type { HealthPart, Problem } from '../../lib/health.ts';
import { problemsOf } from '../../lib/health.ts';
import type { Logger } from '../../lib/logger.ts';
import { second } from '../../lib/units.ts';
import type { OutgoingRequest, SendHttp } from '../wire/send-http.ts';

export interface HeartbeatLimits {
  /** The longest pause after failures, unless the interval is longer. */
  readonly pauseMsMax: number;
  readonly clockJumpMsMax: number;
}

interface HeartbeatOptions {
  readonly url: string;
  readonly everyMs: number;
  readonly parts: readonly HealthPart[];
  readonly clock: Clock;
  readonly send: SendHttp;
  readonly logger: Logger;
  readonly limits: HeartbeatLimits;
}

export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #abort = new AbortController();
  #cancel: (() => void) | null = null;
  /** Wall time less time elapsed: changes when the clock is set. */
  #offsetMs: number;
  /** Requests in a row that were not taken. */
  #failures = 0;
  #problems = '';

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#offsetMs = offsetOf(options.clock);
  }

  start(): void {
    const { clock, everyMs, limits } = this.#options;
    const startedMs = clock.elapsedMs();
    void this.#heartbeat().then(() => {
      if (this.#abort.signal.aborted) return;
      const pauseMs = Math.min(
        everyMs * 2 ** Math.min(this.#failures, 20),
        Math.max(limits.pauseMsMax, everyMs),
      );
      this.#cancel = clock.after(Math.max(0, startedMs + pauseMs - clock.elapsedMs()), () => this.start());
    });
  }

  /** Cuts off a request that is in flight. */
  stop(): void {
    this.#abort.abort();
    this.#cancel?.();
  }

  async #heartbeat(): Promise<void> {
    const problems = [...problemsOf(this.#options.parts), ...this.#clockProblems()];
    this.#report(problems);
    const request = requestFor(this.#options.url, problems);
    if (request) await this.#send(request);
  }

  #clockProblems(): readonly Problem[] {
    const { clock, limits } = this.#options;
    const jumpedMs = offsetOf(clock) - this.#offsetMs;
    this.#offsetMs += jumpedMs;
    if (Math.abs(jumpedMs) <= limits.clockJumpMsMax) return [];
    const seconds = Math.round(Math.abs(jumpedMs) / second);
    const problem = `the clock was set ${jumpedMs > 0 ? 'forward' : 'back'} by ${seconds} s`;
    return [{ name: 'clock', problem }];
  }

  #report(problems: readonly Problem[]): void {
    const { logger } = this.#options;
    const names = problems.map(({ name }) => name).join();
    if (names === this.#problems) return;
    this.#problems = names;
    if (names === '') logger.info('Knell is well again, the heartbeat goes on');
    else logger.error({ problems }, 'Knell is not well, the heartbeat says so');
  }

  async #send(request: OutgoingRequest): Promise<void> {
    const failure = await this.#failureOf(request);
    if (this.#abort.signal.aborted) return;
    const { logger } = this.#options;
    if (failure === null) {
      if (this.#failures > 0) logger.info('the heartbeat arrives again');
      this.#failures = 0;
      return;
    }
    if (this.#failures === 0) logger.warn({ error: failure }, 'the heartbeat does not arrive');
    this.#failures++;
  }

  /** Null when the request was taken. */
  async #failureOf(request: OutgoingRequest): Promise<string | null> {
    try {
      const { status } = await this.#options.send(request, this.#abort.signal);
      return status >= 200 && status < 300 ? null : `HTTP ${status}`;
    } catch (error) {
      return messageOf(error);
    }
  }
}

function offsetOf(clock: Clock): number {
  return clock.nowMs() - clock.elapsedMs();
}

/** Null: nothing is sent. */
function requestFor(url: string, problems: readonly Problem[]): OutgoingRequest | null {
  if (problems.length === 0) return { method: 'GET', url, headers: {}, body: null, trusted: true };
  const failUrl = failUrlOf(url);
  const body = problems.map(({ name, problem }) => `${name}: ${problem}\n`).join('');
  const headers = { 'Content-Type': 'text/plain; charset=utf-8' };
  return failUrl === null ? null : { method: 'POST', url: failUrl, headers, body, trusted: true };
}

/** The end of `/ping/<uuid>` or `/ping/<ping key>/<slug>`; Healthchecks' own service leaves out `/ping`. */
const byUuid = /\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const bySlug = /\/ping\/[\w-]{22}\/[a-z0-9_-]+$/;
const hostedBySlug = /^\/[\w-]{22}\/[a-z0-9_-]+$/;
const hosted = 'hc-ping.com';

/** Null for an address that is not one of Healthchecks' or Knell's. */
export function failUrlOf(text: string): string | null {
  const url = new URL(text);
  const path = url.pathname.replace(/\/$/, '');
  const isPing =
    byUuid.test(path) || bySlug.test(path) || (url.hostname === hosted && hostedBySlug.test(path));
  if (!isPing) return null;
  url.pathname = `${path}/fail`;
  return url.href;
}
