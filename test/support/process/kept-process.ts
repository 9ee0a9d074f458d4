/**
 * A child process that does not outlive its parent, however that ends: a keeper kills what is left. To be stopped, continued
 * and killed at will.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

let keeper: ChildProcess | null = null;

/** Started with the first process; it ends with this one, since its stdin does. */
function startKeeper(script: string): ChildProcess {
  const started = spawn(process.execPath, [script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  started.unref();
  started.stdin?.on('error', () => {});
  if (started.stdin && 'unref' in started.stdin && typeof started.stdin.unref === 'function')
    started.stdin.unref();
  return started;
}

/** Compiled into `dist/kills`, this file is two folders deeper below the top than its source. */
function keeperScript(): string {
  const tops = ['../../..', '../../../../..'].map(
    (top) => new URL(`${top}/test/support/process/keeper.js`, import.meta.url),
  );
  const script = tops.map((url) => fileURLToPath(url)).find(existsSync);
  if (script === undefined) throw new Error('keeper.js is not where it should be');
  return script;
}

export class KeptProcess {
  readonly #child: ChildProcess;
  /** The exit status, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  hasEnded = false;
  isStopped = false;

  constructor(file: string, args: readonly string[], options: SpawnOptions) {
    keeper ??= startKeeper(keeperScript());
    const note = (sign: '+' | '-'): void => {
      if (this.#child.pid !== undefined) keeper?.stdin?.write(`${sign}${this.#child.pid}\n`);
    };
    this.#child = spawn(file, args, options);
    note('+');
    this.ended = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('exit', (code, signal) => {
        this.hasEnded = true;
        note('-');
        resolve(signal ?? code);
      });
    });
  }

  get stdout(): ChildProcess['stdout'] {
    return this.#child.stdout;
  }

  get stderr(): ChildProcess['stderr'] {
    return this.#child.stderr;
  }

  stop(): void {
    this.#child.kill('SIGSTOP');
    this.isStopped = true;
  }

  continue(): void {
    this.#child.kill('SIGCONT');
    this.isStopped = false;
  }

  /** Resolves once it has ended. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | NodeJS.Signals | null> {
    if (!this.hasEnded) this.#child.kill(signal);
    return this.ended;
  }
}
