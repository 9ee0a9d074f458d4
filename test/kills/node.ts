/**
 * A Knell of a cluster in a process of its own, kept running as a service manager does: what ends without being asked to is
 * started again. To be killed, stopped, continued and asked to end.
 */
import { createInterface } from 'node:readline';
import { KeptProcess } from '../support/process/kept-process.ts';
import { pause, until } from '../support/real-time.ts';

export interface NodeOptions {
  /** The built program. */
  readonly main: string;
  readonly name: string;
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface LogLine {
  readonly atMs: number;
  readonly level: number;
  readonly msg: string;
  readonly epoch?: number;
}

const linesMax = 2000;
const restartMs = 100;

export class ClusterNode {
  readonly options: NodeOptions;
  /** Of its log, since the test began. */
  readonly lines: LogLine[] = [];
  /** With what it ended, each time that nobody had asked. */
  readonly endings: (number | NodeJS.Signals | null)[] = [];
  /** What it has printed. */
  printed = '';
  /** Null while it does not run. */
  url: string | null = null;
  #process: KeptProcess | null = null;

  constructor(options: NodeOptions) {
    this.options = options;
  }

  get name(): string {
    return this.options.name;
  }

  get runs(): boolean {
    return this.#process !== null && !this.#process.hasEnded;
  }

  get isStopped(): boolean {
    return this.#process?.isStopped === true;
  }

  /** Begins; see `ready`. */
  launch(): void {
    const { main, name, dataDir, env } = this.options;
    const child = new KeptProcess(process.execPath, [main, 'serve'], {
      env: {
        ...(process.env.PATH === undefined ? {} : { PATH: process.env.PATH }),
        KNELL_DATA_DIR: dataDir,
        KNELL_NODE: name,
        KNELL_HTTP: '127.0.0.1:0',
        KNELL_SMTP: 'off',
        KNELL_API_RATE_LIMIT: '0',
        KNELL_SNAPSHOTS: 'off',
        KNELL_LOG_LEVEL: 'info',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    if (child.stdout) createInterface(child.stdout).on('line', (line) => this.#print(line));
    if (child.stderr) createInterface(child.stderr).on('line', (line) => this.#note(line));
    void this.#keep(child);
  }

  /** Resolves when its listeners are open; rejects when it has ended. */
  async ready(): Promise<void> {
    await until(`${this.name} is ready`, () => {
      if (!this.runs) throw new Error(`node ${this.name} ended: ${this.lastLines()}`);
      return this.url;
    });
  }

  async start(): Promise<void> {
    if (!this.runs) this.launch();
    await this.ready();
  }

  stop(): void {
    this.#process?.stop();
  }

  continue(): void {
    this.#process?.continue();
  }

  /** Ends it for good, until it is started again. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | NodeJS.Signals | null> {
    const ending = this.#process;
    this.#process = null;
    const result = (await ending?.end(signal)) ?? null;
    this.url = null;
    return result;
  }

  /** Resolves with the exit status of one that ends by itself. */
  async untilEnded(): Promise<number | NodeJS.Signals | null> {
    const ending = this.#process;
    this.#process = null;
    return (await ending?.ended) ?? null;
  }

  lastLines(count = 8): string {
    return this.lines
      .slice(-count)
      .map(({ atMs, msg }) => `${new Date(atMs).toISOString().slice(11, 23)} ${msg}`)
      .join('\n');
  }

  #print(line: string): void {
    this.printed += `${line}\n`;
    this.url = /^knell: ready http=(\S+)/.exec(line)?.[1] ?? this.url;
  }

  #note(line: string): void {
    const atMs = Date.now();
    this.lines.push(parsed(line, atMs));
    if (this.lines.length > linesMax) this.lines.splice(0, linesMax / 2);
  }

  async #keep(child: KeptProcess): Promise<void> {
    const ending = await child.ended;
    if (this.#process !== child) return;
    this.url = null;
    this.endings.push(ending);
    await pause(restartMs);
    if (this.#process === child) this.launch();
  }
}

function parsed(line: string, atMs: number): LogLine {
  try {
    return { ...(JSON.parse(line) as LogLine), atMs };
  } catch {
    return { atMs, level: 0, msg: line };
  }
}
