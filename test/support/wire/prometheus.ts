/** The programs of Prometheus, where this machine has them: its linter, and a server that scrapes. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** For `describe.skipIf(!…)`, whose title says what is missing. */
export const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
export const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0;

/** What `promtool check metrics` complains about, a line each; fails where it cannot read the metrics. */
export function complaintsAbout(metrics: string): readonly string[] {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: metrics,
    encoding: 'utf8',
  });
  // 3: it could read them, and has complaints.
  if (status !== 0 && status !== 3) throw new Error(`promtool: ${status} ${stdout}${stderr}`);
  return `${stdout}${stderr}`.split('\n').filter((line) => line !== '');
}

export class Prometheus {
  readonly #child: ChildProcess;
  readonly #url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.#url = url;
  }

  /** On a free port, with its data in `directory`. `config` is JSON, which is YAML. */
  static async start(directory: string, config: unknown): Promise<Prometheus> {
    const file = join(directory, 'prometheus.yml');
    writeFileSync(file, JSON.stringify(config));
    const child = spawn(
      'prometheus',
      [
        `--config.file=${file}`,
        `--storage.tsdb.path=${join(directory, 'data')}`,
        '--web.listen-address=127.0.0.1:0',
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const lines: string[] = [];
    for await (const line of createInterface(child.stderr)) {
      lines.push(line);
      const address = /msg="Listening on" address=(\S+)/.exec(line)?.[1];
      if (address === undefined) continue;
      child.stderr.resume();
      return new Prometheus(child, `http://${address}`);
    }
    throw new Error(`Prometheus ended before it listened: ${lines.join('\n')}`);
  }

  /** The samples that an expression has now: value by labels, as JSON without the labels of the scrape. */
  async query(expression: string): Promise<ReadonlyMap<string, number>> {
    const address = `${this.#url}/api/v1/query?query=${encodeURIComponent(expression)}`;
    const answer = (await (await fetch(address)).json()) as QueryAnswer;
    if (answer.status !== 'success') throw new Error(`${expression}: ${JSON.stringify(answer)}`);
    return new Map(
      answer.data.result.map(({ metric, value }) => {
        const { __name__, instance, job, ...labels } = metric;
        return [JSON.stringify(labels), Number(value[1])];
      }),
    );
  }

  async stop(): Promise<void> {
    const over = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await over;
  }
}

interface QueryAnswer {
  readonly status: string;
  readonly data: {
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>;
      readonly value: readonly [number, string];
    }[];
  };
}
