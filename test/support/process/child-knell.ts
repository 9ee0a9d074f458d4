/** Knell as users run it: the built program in a process of its own, to be killed at will. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtFile } from './built.ts';

export class ChildKnell {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #gone: Promise<unknown>;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.#gone = once(child, 'exit');
    this.url = url;
  }

  /** `said` gets what it prints before it is ready: the first keys. `flags`: of Node. */
  static async start(
    dataDir: string,
    env: Readonly<Record<string, string>>,
    said: (text: string) => void = () => {},
    flags: readonly string[] = [],
  ): Promise<ChildKnell> {
    const child = spawn(process.execPath, [...flags, builtFile('main.js'), 'serve'], {
      env: {
        PATH: process.env.PATH,
        KNELL_DATA_DIR: dataDir,
        KNELL_HTTP: '127.0.0.1:0',
        KNELL_SMTP: 'off',
        KNELL_API_RATE_LIMIT: '0',
        KNELL_LOG_LEVEL: 'error',
        KNELL_SNAPSHOTS: 'off',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let printed = '';
    const url = await new Promise<string>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`knell ended with ${code} before it was ready`)));
      child.stdout?.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        const ready = /ready http=(\S+)/.exec(printed)?.[1];
        if (ready) resolve(ready);
      });
    });
    said(printed);
    return new ChildKnell(child, url);
  }

  /** May be asked for any number of times. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.#child.kill(signal);
    await this.#gone;
  }
}
