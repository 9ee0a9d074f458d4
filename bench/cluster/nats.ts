/**
 * Three nats-servers on loopback that sync every write, as Knell asks for. Not here: where the program is from
 * (`scripts/nats-server.js`).
 * Invariant: a server that is started again has its port and its data.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { endChild, startChild } from '../harness/children.ts';
import { until } from './until.ts';

const token = 'a-token-of-the-bench';
const names = ['a', 'b', 'c'] as const;

interface Ports {
  readonly client: number;
  readonly route: number;
  readonly monitor: number;
}

interface NatsScript {
  findNatsServer(): string | null;
  buildNatsServer(): string | null;
}

/** The program; null where there is none. `mayBuild`: with Go it is built, in some minutes. */
export async function findNats(mayBuild: boolean): Promise<string | null> {
  // Seen from the compiled file.
  const url = new URL('../../../../scripts/nats-server.js', import.meta.url);
  const script: NatsScript = await import(url.href);
  return script.findNatsServer() ?? (mayBuild ? script.buildNatsServer() : null);
}

export class NatsServers {
  readonly #program: string;
  readonly #dir: string;
  readonly #ports: readonly Ports[];
  readonly #children: (ChildProcess | undefined)[] = [];

  private constructor(program: string, dir: string, ports: readonly Ports[]) {
    this.#program = program;
    this.#dir = dir;
    this.#ports = ports;
  }

  /** Resolves when they are ready. `dir` is theirs. */
  static async start(program: string, dir: string): Promise<NatsServers> {
    const free = await freePorts(3 * names.length);
    const ports = names.map((_, at) => {
      const [client = 0, route = 0, monitor = 0] = free.slice(3 * at);
      return { client, route, monitor };
    });
    mkdirSync(dir, { recursive: true });
    const servers = new NatsServers(program, dir, ports);
    for (const at of names.keys()) servers.#launch(at);
    await servers.untilReady();
    return servers;
  }

  /** With the token, as KNELL_CLUSTER has them. */
  get urls(): readonly string[] {
    return this.#ports.map(({ client }) => `nats://${token}@127.0.0.1:${client}`);
  }

  get pids(): readonly number[] {
    return this.#children.map((child) => child?.pid ?? 0);
  }

  async untilReady(): Promise<void> {
    for (const at of names.keys())
      await until(`nats-server ${names[at]} is ready`, async () => {
        const health = await this.#ask<{ status: string }>(at, 'healthz');
        return health?.status === 'ok';
      });
  }

  /** Which of them leads the stream. */
  async leaderOf(stream: string): Promise<number> {
    return until(`a server leads ${stream}`, async () => {
      for (const at of names.keys()) {
        const answer = await this.#ask<Streams>(at, 'jsz?accounts=true&streams=true');
        const details = (answer?.account_details ?? []).flatMap(({ stream_detail }) => stream_detail ?? []);
        const leader = details.find(({ name }) => name === stream)?.cluster?.leader;
        const index = leader === undefined ? -1 : (names as readonly string[]).indexOf(leader);
        if (index >= 0) return index;
      }
      return null;
    });
  }

  async kill(at: number): Promise<void> {
    const child = this.#children[at];
    if (child) await endChild(child, 'SIGKILL');
  }

  async restart(at: number): Promise<void> {
    this.#launch(at);
    await this.untilReady();
  }

  async end(): Promise<void> {
    await Promise.all(names.map((_, at) => this.kill(at)));
  }

  #launch(at: number): void {
    const file = join(this.#dir, `${names[at]}.conf`);
    writeFileSync(file, this.#configOf(at), { mode: 0o600 });
    const log = openSync(join(this.#dir, `${names[at]}.log`), 'a');
    this.#children[at] = startChild(this.#program, ['-c', file], { stdio: ['ignore', log, log] });
  }

  #configOf(at: number): string {
    const { client = 0, route = 0, monitor = 0 } = this.#ports[at] ?? {};
    const routes = this.#ports.map((ports) => `nats-route://127.0.0.1:${ports.route}`);
    return `server_name: ${names[at]}
listen: "127.0.0.1:${client}"
http: "127.0.0.1:${monitor}"
authorization { token: "${token}" }
jetstream { store_dir: "${join(this.#dir, names[at] ?? '')}", sync_interval: always, max_file_store: 20GB }
cluster { name: bench, listen: "127.0.0.1:${route}", routes: ${JSON.stringify(routes)} }
`;
  }

  async #ask<Answer>(at: number, path: string): Promise<Answer | null> {
    try {
      const url = `http://127.0.0.1:${this.#ports[at]?.monitor}/${path}`;
      const answer: Answer = JSON.parse(await (await fetch(url)).text());
      return answer;
    } catch {
      return null;
    }
  }
}

interface Streams {
  readonly account_details?: readonly {
    readonly stream_detail?: readonly {
      readonly name: string;
      readonly cluster?: { readonly leader?: string };
    }[];
  }[];
}

async function freePorts(count: number): Promise<readonly number[]> {
  const listeners = await Promise.all(
    Array.from({ length: count }, async () => {
      const listener = createServer().listen(0, '127.0.0.1');
      await once(listener, 'listening');
      return listener;
    }),
  );
  const ports = listeners.map((listener) => (listener.address() as AddressInfo).port);
  await Promise.all(listeners.map((listener) => new Promise((resolve) => listener.close(resolve))));
  return ports;
}
