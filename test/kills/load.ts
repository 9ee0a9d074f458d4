/**
 * Clients that ping all the time, each its own checks, and go to another node when one fails them. Each attempt has a number of
 * its own, in its user agent: one that was acknowledged is in the log once, any other at most once.
 */
import { Agent, request } from 'node:http';
import { pause, until } from '../support/real-time.ts';
import type { Cluster } from './cluster.ts';

/** The log shows the last thousand pings of a check: more could not be verified. */
export const attemptsMax = 950;
/** A round in which a node is stopped must not come to `attemptsMax`. */
const pauseMs = 40;
/** Longer than any take-over takes, and than a node is stopped: what was sent to it waits until it goes on. */
const attemptMs = 40_000;

export interface Attempt {
  readonly sentMs: number;
  /** Null as long as nothing is known. */
  endedMs: number | null;
  /** 0 when the connection failed, or nobody answered. */
  status: number;
  readonly node: string;
}

export interface Job {
  readonly uuid: string;
  readonly attempts: Attempt[];
}

export class Load {
  readonly jobs: readonly Job[];
  readonly #cluster: Cluster;
  readonly #agent = new Agent({ keepAlive: true });
  #isOver = false;
  #running: Promise<unknown> = Promise.resolve();

  private constructor(cluster: Cluster, uuids: readonly string[]) {
    this.#cluster = cluster;
    this.jobs = uuids.map((uuid) => ({ uuid, attempts: [] }));
  }

  static async start(cluster: Cluster, clients: number): Promise<Load> {
    const created = Array.from({ length: clients }, () =>
      cluster.ask<{ readonly uuid: string }>('POST', '/api/v3/checks/', { timeout: 86_400 }),
    );
    const load = new Load(
      cluster,
      (await Promise.all(created)).map(({ uuid }) => uuid),
    );
    load.#running = Promise.all(load.jobs.map((job, client) => load.#ping(job, client)));
    return load;
  }

  get attempts(): readonly Attempt[] {
    return this.jobs.flatMap(({ attempts }) => attempts);
  }

  /** Resolves when every attempt has ended. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
    this.#agent.destroy();
  }

  /** Resolves when `count` pings are acknowledged that were sent from now on. */
  async untilAnswered(count: number): Promise<void> {
    const fromMs = performance.now();
    const answered = (): number =>
      this.attempts.filter(({ status, sentMs }) => status === 200 && sentMs >= fromMs).length;
    await until(`${count} pings are answered`, () => answered() >= count);
  }

  async #ping({ uuid, attempts }: Job, client: number): Promise<void> {
    let at = client;
    while (!this.#isOver && attempts.length < attemptsMax) {
      const { nodes } = this.#cluster;
      const node = nodes[at % nodes.length];
      if (!node || node.url === null) {
        at++;
        await pause(pauseMs);
        continue;
      }
      const attempt: Attempt = { sentMs: performance.now(), endedMs: null, status: 0, node: node.name };
      const number = attempts.push(attempt);
      attempt.status = await this.#send(`${node.url}/ping/${uuid}`, `attempt-${number}`);
      attempt.endedMs = performance.now();
      if (attempt.status !== 200) at++;
      await pause(pauseMs);
    }
  }

  #send(url: string, agentName: string): Promise<number> {
    return new Promise((resolve) => {
      const headers = { 'User-Agent': agentName };
      const outgoing = request(url, { agent: this.#agent, headers, timeout: attemptMs }, (reply) => {
        reply.resume();
        reply.on('end', () => resolve(reply.statusCode ?? 0));
        reply.on('error', () => resolve(0));
        reply.on('close', () => resolve(0));
      });
      outgoing.on('timeout', () => outgoing.destroy());
      outgoing.on('error', () => resolve(0));
      outgoing.end();
    });
  }
}
