/**
 * The servers that integrations send to: each answers as its mode says, from the seed, after a while of simulated time.
 * They stand in for the network; dispatcher, templates and senders are Knell's own.
 * Invariant: an attempt that comes in is written down before anything is answered.
 */
import type { Clock } from '../../src/lib/clock.ts';
import type { HttpResponse, OutgoingRequest } from '../../src/notify/wire/send-http.ts';
import type { Random } from './random.ts';

/** `mute`: takes the message, and its answer is lost. */
export const modes = ['good', 'failing', 'flaky', 'limited', 'refusing', 'hanging', 'mute'] as const;
export type Mode = (typeof modes)[number];

export interface Attempt {
  readonly integration: string;
  readonly check: string;
  readonly status: string;
  /** The idempotency key. */
  readonly key: string;
  readonly took: boolean;
  /** It was answered that this will never work. */
  readonly refused: boolean;
  readonly atMs: number;
  /** Which start of Knell it came from. */
  readonly start: number;
  /** The answer went out, or the sender has given up waiting for one. */
  isOver: boolean;
  /** The answer said that it was taken. */
  isConfirmed: boolean;
}

const answers: Readonly<Record<Mode, readonly number[]>> = {
  good: [200],
  failing: [500],
  flaky: [200, 503],
  limited: [429],
  refusing: [410],
  hanging: [0],
  mute: [0],
};
const timeoutMs = 30_000;
const answerMsMax = 250;

export class Receivers {
  readonly #random: Random;
  readonly modes = new Map<string, Mode>();
  /** In the order in which they came; the world takes them out. */
  attempts: Attempt[] = [];
  /** Called when one has come in. */
  came: (attempt: Attempt) => void = () => {};

  constructor(random: Random) {
    this.#random = random;
  }

  modeOf(integration: string): Mode {
    return this.modes.get(integration) ?? 'good';
  }

  /** One request of the `start`-th Knell; never answered when that is gone, since its clock is. */
  take(request: OutgoingRequest, clock: Clock, start: number): Promise<HttpResponse> {
    const integration = request.url.slice(request.url.lastIndexOf('/') + 1);
    const mode = this.modeOf(integration);
    const code = this.#random.pick(answers[mode]);
    const [check = '', status = ''] = String(request.body ?? '').split(' ');
    const attempt: Attempt = {
      ...{ integration, check, status, start, atMs: clock.nowMs() },
      key: request.headers['Idempotency-Key'] ?? '',
      took: code === 200 || mode === 'mute',
      refused: code === 410,
      isOver: false,
      isConfirmed: false,
    };
    this.attempts.push(attempt);
    this.came(attempt);
    return new Promise((resolve, reject) => {
      const answerMs = code === 0 ? timeoutMs : this.#random.below(answerMsMax);
      clock.after(answerMs, () => {
        attempt.isOver = true;
        if (code === 0) reject(new Error('no answer within 30 s'));
        else {
          attempt.isConfirmed = attempt.took;
          resolve({ status: code, headers: { 'retry-after': '7' }, body: '' });
        }
      });
    });
  }
}
