/** Prometheus' Alertmanager, where this machine has it: on a free port of loopback, to be ended and started again. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../patience.ts';
import { KeptProcess } from '../process/kept-process.ts';
import { freePort } from './free-port.ts';

/** Debian's name for it, and that of its own release. */
const programs = ['prometheus-alertmanager', 'alertmanager'];
const program = programs.find((file) => spawnSync(file, ['--version']).status === 0);

/** For `describe.skipIf(!…)`, whose title says what is missing. */
export const hasAlertmanager = program !== undefined;

/** An alert that it has. */
export interface KeptAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly status: { readonly state: string };
  readonly startsAt: string;
  readonly endsAt: string;
}

export class Alertmanager {
  readonly url: string;
  readonly #dir: string;
  readonly #port: number;
  #process: KeptProcess | null = null;

  private constructor(dir: string, port: number) {
    this.#dir = dir;
    this.#port = port;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(dir: string): Promise<Alertmanager> {
    const file = join(dir, 'alertmanager.yml');
    writeFileSync(file, JSON.stringify({ route: { receiver: 'none' }, receivers: [{ name: 'none' }] }));
    const alertmanager = new Alertmanager(dir, await freePort());
    await alertmanager.#open();
    return alertmanager;
  }

  async #open(): Promise<void> {
    const args = [
      `--config.file=${join(this.#dir, 'alertmanager.yml')}`,
      `--storage.path=${join(this.#dir, 'data')}`,
      `--web.listen-address=127.0.0.1:${this.#port}`,
      '--cluster.listen-address=',
    ];
    this.#process = new KeptProcess(program ?? '', args, { stdio: 'ignore' });
    await eventually(async () => {
      const { ok } = await fetch(`${this.url}/-/ready`);
      if (!ok) throw new Error('not ready yet');
    });
  }

  /** Ends it as SIGTERM does, and starts it again with the same data. */
  async restart(): Promise<void> {
    await this.stop();
    await this.#open();
  }

  async stop(): Promise<void> {
    await this.#process?.end('SIGTERM');
    this.#process = null;
  }

  /** Those that fire. */
  async alerts(): Promise<readonly KeptAlert[]> {
    return (await (await fetch(`${this.url}/api/v2/alerts`)).json()) as KeptAlert[];
  }
}
