/**
 * Three nats-servers and three Knells, and what a client asks of them: of any that answers. Not here: what is done to them
 * (`blows`), the pings (`load`).
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { NatsServers, ServerName } from '../support/cluster/nats-server.ts';
import { until } from '../support/real-time.ts';
import { ClusterNode } from './node.ts';

export const nodeNames = ['a', 'b', 'c'] as const;

export interface ClusterOptions {
  /** The built program. */
  readonly main: string;
  readonly servers: NatsServers;
  /** Of a project that is there already; null where the first leader creates one. */
  readonly key: string | null;
}

/** No take-over takes so long. */
const answerMs = 15_000;
const commandMs = 60_000;
/** What a node logs when it has claimed the log. */
const claimedLine = 'leading the cluster';

export class Cluster {
  readonly servers: NatsServers;
  readonly nodes: readonly ClusterNode[];
  /** When a leader was stopped, in epoch milliseconds. */
  readonly stops: { readonly fromMs: number; readonly untilMs: number }[] = [];
  readonly #dir = mkdtempSync(join(tmpdir(), 'knell-test-kills-'));
  readonly #main: string;
  #key: string;
  #next = 0;

  constructor({ main, servers, key }: ClusterOptions) {
    this.servers = servers;
    this.#main = main;
    this.#key = key ?? '';
    this.nodes = nodeNames.map(
      (name) => new ClusterNode({ main, name, dataDir: join(this.#dir, name), env: clusterEnv(servers) }),
    );
  }

  /** Resolves when one leads and all listeners are open. */
  async start(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.start()));
    if (this.#key === '') this.#key = await until('a first key', () => this.#printedKey());
    await this.ask('GET', '/api/v3/checks/');
  }

  #printedKey(): string | null {
    return this.nodes.map(({ printed }) => /hcw_\w+/.exec(printed)?.[0]).find(Boolean) ?? null;
  }

  async remove(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.end('SIGKILL')));
    await this.servers.remove();
    rmSync(this.#dir, { recursive: true, force: true });
  }

  /** Forgets what the node, which does not run, has. */
  forget(node: ClusterNode): void {
    rmSync(node.options.dataDir, { recursive: true, force: true });
  }

  /** That has claimed last, and runs. */
  leader(): Promise<ClusterNode> {
    return until('a node leads', () => {
      const epochs = this.nodes.map(claimedBy);
      const latest = this.nodes[epochs.indexOf(Math.max(...epochs, 1))];
      return latest && latest.url !== null && !latest.isStopped ? latest : null;
    });
  }

  /** When a node first claimed the log from this instant on, both in epoch milliseconds; null when none did. */
  ownedSince(fromMs: number): number | null {
    const claims = this.nodes.flatMap(({ lines }) =>
      lines.filter(({ msg, atMs }) => msg === claimedLine && atMs >= fromMs).map(({ atMs }) => atMs),
    );
    return claims.length === 0 ? null : Math.min(...claims);
  }

  streamLeader(): Promise<ServerName> {
    return until('a server leads the stream', () => this.servers.leaderOf('knell-knell'));
  }

  /** Of any node that answers: those that do not are passed over, until one does. */
  async ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await until(`${method} ${path}`, async () => {
      const node = this.nodes[this.#next++ % this.nodes.length];
      if (!node || node.url === null || node.isStopped) return null;
      const response = await this.#send(`${node.url}${path}`, method, body).catch(() => null);
      if (response === null || response.status >= 500) return null;
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return { json: await response.json() };
    });
    return answer.json as Answer;
  }

  #send(url: string, method: string, body: unknown): Promise<Response> {
    return fetch(url, {
      method,
      headers: { 'X-Api-Key': this.#key },
      signal: AbortSignal.timeout(answerMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Runs a command of the program at the first node that runs. */
  async command(...words: readonly string[]): Promise<string> {
    const node = this.nodes.find(({ url }) => url !== null);
    if (!node) throw new Error('no node runs');
    const dir = ['--data-dir', node.options.dataDir];
    const { stdout } = await promisify(execFile)(process.execPath, [this.#main, ...words, ...dir], {
      timeout: commandMs,
    });
    return stdout;
  }
}

function clusterEnv(servers: NatsServers): Readonly<Record<string, string>> {
  return {
    KNELL_CLUSTER: servers.urls(),
    KNELL_WEBHOOK_ALLOW: '127.0.0.0/8',
    // The deadlines that fall due while nobody leads count at once.
    KNELL_OUTAGE_CREDIT: 'off',
  };
}

function claimedBy(node: ClusterNode): number {
  return node.lines.findLast(({ msg }) => msg === claimedLine)?.epoch ?? 0;
}
