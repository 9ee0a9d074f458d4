/**
 * A receiver of webhooks on loopback, and checks whose deadlines fall due while nodes and servers come and go: each is alerted,
 * and no idempotency key comes with two contents.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Cluster } from './cluster.ts';

/** A leader was stopped, in epoch milliseconds. */
export interface Stop {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** What it had sent before it was stopped has come by then; another one leads no earlier. */
const sentMs = 2000;

interface Alert {
  readonly content: string;
  readonly uuid: string;
  readonly atMs: number;
}

/** The shortest that there is, in seconds. */
export const graceS = 60;

export class Alerts {
  /** By their idempotency keys. */
  readonly #alerts = new Map<string, Alert>();
  /** When the deadline of each check falls due, in epoch milliseconds. */
  readonly #due = new Map<string, number>();
  /** Came again with the same content, in epoch milliseconds: accepted, and its record was lost with the leader. */
  readonly #repeats: { readonly key: string; readonly firstMs: number; readonly againMs: number }[] = [];
  readonly #wrong: string[] = [];
  readonly #server = createServer((request, response) => {
    const key = String(request.headers['idempotency-key']);
    const content = request.url ?? '';
    request.resume();
    request.on('end', () => {
      this.#take(key, content);
      response.end('ok');
    });
  });

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** For a webhook: says which check, and what became of it. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/$CODE/$STATUS`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** A job has begun which does not end in time. */
  expect(uuid: string, dueMs: number): void {
    this.#due.set(uuid, dueMs);
  }

  /** Begins jobs that do not end in time: their deadlines fall due while the next rounds run. */
  async begin(cluster: Cluster, count: number): Promise<void> {
    for (let at = 0; at < count; at++) {
      const { uuid } = await cluster.ask<{ readonly uuid: string }>('POST', '/api/v3/checks/', {
        grace: graceS,
        channels: '*',
      });
      const node = cluster.nodes.find(({ url, isStopped }) => url !== null && !isStopped);
      const answer = await fetch(`${node?.url}/ping/${uuid}/start`).catch(() => null);
      if (answer?.ok) this.expect(uuid, Date.now() + graceS * 1000);
    }
  }

  get count(): number {
    return this.#alerts.size;
  }

  get repeated(): number {
    return this.#repeats.length;
  }

  /** What came while a leader was stopped, so of another one, and again once that went on: it must have seen first that it has lost. */
  repeatedByStopped(stops: readonly Stop[]): readonly string[] {
    return stops.flatMap(({ fromMs, untilMs }) =>
      this.#repeats
        .filter(({ firstMs, againMs }) => firstMs > fromMs + sentMs && firstMs < untilMs && againMs > untilMs)
        .map(({ key }) => `${key} was sent again by a leader that had been stopped`),
    );
  }

  get latestDueMs(): number {
    return Math.max(0, ...this.#due.values());
  }

  /** What is wrong by now: deadlines that fell due before `nowMs` and were not alerted, or more than once. */
  problems(nowMs: number): readonly string[] {
    const problems = [...this.#wrong];
    for (const [uuid, dueMs] of this.#due) {
      const its = [...this.#alerts.values()].filter((alert) => alert.uuid === uuid);
      if (its.length === 0 && dueMs <= nowMs) problems.push(`${uuid}: fell due and was not alerted`);
      if (its.length > 1) problems.push(`${uuid}: alerted ${its.length} times under different keys`);
      if (its.some(({ atMs }) => atMs < dueMs - 2000)) problems.push(`${uuid}: alerted before it was due`);
    }
    return problems;
  }

  #take(key: string, content: string): void {
    const known = this.#alerts.get(key);
    if (known === undefined)
      this.#alerts.set(key, { content, uuid: content.split('/')[1] ?? '', atMs: Date.now() });
    else if (known.content === content) this.#repeats.push({ key, firstMs: known.atMs, againMs: Date.now() });
    else this.#wrong.push(`${key} came with ${known.content} and with ${content}`);
  }
}
