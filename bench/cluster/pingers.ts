/**
 * A few clients that go on pinging while nodes end, as `curl --retry` does: one ping after the other, again after a refusal.
 * Invariant: what is acknowledged is counted once.
 */
import { setTimeout as sleep } from 'node:timers/promises';

interface Sent {
  readonly sentMs: number;
  readonly endMs: number;
  readonly isOk: boolean;
}

const pauseMs = 10;
/** Of each client: so that the processor is free for the nodes. */
const betweenMs = 5;

export class Pingers {
  readonly #sent: Sent[] = [];
  readonly #clients: readonly Promise<void>[];
  #isOver = false;

  /** `urls`: of clients that stay; each gets `clientsEach`. */
  constructor(urls: readonly string[], uuids: readonly string[], clientsEach: number) {
    const all = urls.flatMap((url) => Array.from({ length: clientsEach }, () => url));
    this.#clients = all.map((url, at) => this.#ping(url, uuids.slice(at)));
  }

  async #ping(url: string, uuids: readonly string[]): Promise<void> {
    for (let at = 0; !this.#isOver; at++) {
      const sentMs = performance.now();
      const isOk = await fetch(`${url}/ping/${uuids[at % uuids.length]}`).then(
        async (answer) => (await answer.text()) === 'OK',
        () => false,
      );
      this.#sent.push({ sentMs, endMs: performance.now(), isOk });
      await sleep(isOk ? betweenMs : pauseMs);
    }
  }

  get acknowledged(): number {
    return this.#sent.filter(({ isOk }) => isOk).length;
  }

  /** From `sinceMs` to the first answer to a ping that was sent later; Infinity while there is none. */
  firstAnswerMs(sinceMs: number): number {
    return this.#least(sinceMs) - sinceMs;
  }

  /** Whether a ping was answered that was sent `forMs` after `sinceMs`. */
  hasAnswered(sinceMs: number, forMs: number): boolean {
    return this.#least(sinceMs + forMs) < Number.POSITIVE_INFINITY;
  }

  #least(sinceMs: number): number {
    const later = this.#sent.filter(({ sentMs, isOk }) => isOk && sentMs >= sinceMs);
    return Math.min(...later.map(({ endMs }) => endMs));
  }

  /** Of all pings that were in flight at `sinceMs` or sent later. */
  longestAnswerMs(sinceMs: number): number {
    const later = this.#sent.filter(({ endMs, isOk }) => isOk && endMs >= sinceMs);
    return Math.max(...later.map(({ sentMs, endMs }) => endMs - sentMs));
  }

  get refused(): number {
    return this.#sent.filter(({ isOk }) => !isOk).length;
  }

  /** Resolves when the last ping is answered. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }
}
