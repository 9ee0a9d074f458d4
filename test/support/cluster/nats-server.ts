/**
 * Real nats-servers for tests: three in one cluster on loopback, which sync every write, each to be killed, stopped and
 * started again by its name. Not here: how nats-server gets onto this machine (`scripts/nats-server.js`).
 * Invariants: nothing is installed here. A server that is started again has its port and its data.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeptProcess } from '../process/kept-process.ts';
import { until } from '../real-time.ts';
import { freePort } from '../wire/free-port.ts';

/** What Knell asks for. */
const versionMin = [2, 12, 4] as const;

/** What a test says that is skipped. */
export const noNatsServer = 'no nats-server here: "node scripts/nats-server.js" installs one where Go is';

/** A nats-server that Knell can be tested with: of PATH, or of the cache. */
export function findNatsServer(): string | null {
  const cached = join(homedir(), '.cache', 'knell-test', 'nats-server');
  return ['nats-server', cached].find(isFit) ?? null;
}

function isFit(file: string): boolean {
  const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' });
  const version =
    /v(\d+)\.(\d+)\.(\d+)/
      .exec(stdout ?? '')
      ?.slice(1)
      .map(Number) ?? [];
  const at = versionMin.findIndex((part, index) => part !== version[index]);
  return version.length > 0 && (at < 0 || (version[at] ?? 0) > (versionMin[at] ?? 0));
}

export const serverNames = ['n1', 'n2', 'n3'] as const;
export type ServerName = (typeof serverNames)[number];

interface Ports {
  readonly client: number;
  readonly route: number;
  readonly monitor: number;
}

const startsMax = 10;

export class NatsServers {
  readonly token = 'a-token-of-the-tests';
  readonly #file: string;
  readonly #dir = mkdtempSync(join(tmpdir(), 'knell-test-nats-'));
  #ports = new Map<ServerName, Ports>();
  readonly #running = new Map<ServerName, KeptProcess>();

  constructor(file: string) {
    this.#file = file;
  }

  /** Ports are chosen, nothing listens yet. */
  static async prepare(file: string): Promise<NatsServers> {
    const servers = new NatsServers(file);
    await servers.#choosePorts();
    return servers;
  }

  /** Resolves when they have elected a leader. */
  static async start(file: string): Promise<NatsServers> {
    for (let left = startsMax; ; left--) {
      const servers = await NatsServers.prepare(file);
      try {
        await servers.startAll();
        return servers;
      } catch (error) {
        await servers.remove();
        if (left === 1) throw error;
      }
    }
  }

  /** With the token, as KNELL_CLUSTER has them. */
  urls(token = this.token): string {
    return serverNames.map((name) => `nats://${token}@127.0.0.1:${this.#portsOf(name).client}`).join(',');
  }

  /** `host:port` of each. */
  addressesOf(...names: readonly ServerName[]): readonly string[] {
    return names.map((name) => `127.0.0.1:${this.#portsOf(name).client}`);
  }

  async startAll(): Promise<void> {
    await Promise.all(serverNames.map((name) => this.#launch(name)));
    await this.untilReady();
  }

  /** Starts one that has ended, or continues one that is stopped. */
  async restart(name: ServerName): Promise<void> {
    const running = this.#running.get(name);
    if (running?.isStopped) running.continue();
    else if (!running || running.hasEnded) await this.#launch(name);
  }

  async kill(...names: readonly ServerName[]): Promise<void> {
    await Promise.all(names.map((name) => this.#running.get(name)?.end('SIGKILL')));
  }

  stop(name: ServerName): void {
    this.#running.get(name)?.stop();
  }

  /** Ends all, and removes what they have written. */
  async remove(): Promise<void> {
    await this.kill(...serverNames);
    rmSync(this.#dir, { recursive: true, force: true });
  }

  /** Resolves when every server says that it is well, so that a stream can be created. */
  async untilReady(): Promise<void> {
    for (const name of serverNames)
      await until(`${name} is ready`, async () => (await this.#ask(name, 'healthz'))?.status === 'ok');
  }

  /** The server that leads the stream; null while none does, or none says so. */
  async leaderOf(stream: string): Promise<ServerName | null> {
    for (const name of serverNames) {
      const answer = await this.#ask(name, 'jsz?accounts=true&streams=true');
      const details = answer?.account_details ?? [];
      const found = details
        .flatMap(({ stream_detail = [] }) => stream_detail)
        .find((one) => one.name === stream);
      const leader = serverNames.find((one) => one === found?.cluster?.leader);
      if (leader) return leader;
    }
    return null;
  }

  log(name: ServerName): string {
    return readFileSync(join(this.#dir, `${name}.log`), 'utf8')
      .split('\n')
      .slice(-12)
      .join('\n');
  }

  #portsOf(name: ServerName): Ports {
    const ports = this.#ports.get(name);
    if (!ports) throw new Error(`no server is called ${name}`);
    return ports;
  }

  async #choosePorts(): Promise<void> {
    for (const name of serverNames)
      this.#ports.set(name, { client: await freePort(), route: await freePort(), monitor: await freePort() });
  }

  /** Rejects when it ends before it answers: its port was taken meanwhile, perhaps. */
  async #launch(name: ServerName): Promise<void> {
    const file = join(this.#dir, `${name}.conf`);
    writeFileSync(file, this.#configOf(name));
    const log = openSync(join(this.#dir, `${name}.log`), 'a');
    const child = new KeptProcess(this.#file, ['-c', file], { stdio: ['ignore', log, log] });
    this.#running.set(name, child);
    await until(`${name} answers`, () => {
      if (child.hasEnded) throw new Error(`nats-server ${name} did not start: ${this.log(name)}`);
      return this.#ask(name, 'varz');
    });
  }

  async #ask(name: ServerName, path: string): Promise<MonitorAnswer | null> {
    if (this.#running.get(name)?.isStopped) return null;
    try {
      const url = `http://127.0.0.1:${this.#portsOf(name).monitor}/${path}`;
      const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
      return (await response.json()) as MonitorAnswer;
    } catch {
      return null;
    }
  }

  #configOf(name: ServerName): string {
    const { client, route, monitor } = this.#portsOf(name);
    const routes = serverNames.map((one) => `nats-route://127.0.0.1:${this.#portsOf(one).route}`);
    return `server_name: "${name}"
listen: "127.0.0.1:${client}"
http: "127.0.0.1:${monitor}"
authorization { token: "${this.token}" }
jetstream {
  store_dir: "${join(this.#dir, name)}"
  sync_interval: always
  max_file_store: 40GB
}
cluster { name: "knell-test", listen: "127.0.0.1:${route}", routes: ${JSON.stringify(routes)} }
`;
  }
}

interface MonitorAnswer {
  readonly status?: string;
  readonly account_details?: readonly {
    readonly stream_detail?: readonly {
      readonly name: string;
      readonly cluster?: { readonly leader?: string };
    }[];
  }[];
}
