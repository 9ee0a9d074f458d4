/** Commands as users type them: each in a process of its own, or many in one (see `child-commands.js`). */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { builtFile } from './built.ts';

export type Env = Readonly<Record<string, string>>;

export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env: Env;
  readonly cwd?: string;
  readonly input?: string;
}

/** Runs the built program with `args`, in a process of its own. */
export function runProcess(args: readonly string[], options: RunOptions): Promise<Run> {
  return runFile(builtFile('main.js'), args, options);
}

/** The same for the one file that does nothing but `knell run`, and starts in half the time. */
export function runAlone(args: readonly string[], options: RunOptions): Promise<Run> {
  return runFile(builtFile('knell-run.mjs'), args, options);
}

async function runFile(
  file: string,
  args: readonly string[],
  { env, cwd, input = '' }: RunOptions,
): Promise<Run> {
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env.PATH, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A command that refuses its arguments ends before it has read all of its input.
  child.stdin.on('error', () => {}).end(input);
  const [status]: (number | null)[] = await once(child, 'close');
  return { status: status ?? null, stdout, stderr };
}

/** One process that runs one command after the other. */
export class CommandRunner {
  readonly #child: ChildProcess;
  readonly #ended: Promise<null>;
  #last: Promise<unknown>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = once(child, 'exit').then(() => null);
    this.#last = once(child, 'message');
  }

  /** `more`: variables that Node reads when it starts. */
  static start(more: Env = {}): CommandRunner {
    const script = fileURLToPath(new URL('child-commands.js', import.meta.url));
    const env = { PATH: process.env.PATH, ...more };
    return new CommandRunner(fork(script, [builtFile('cli/args.js')], { env, execArgv: [] }));
  }

  /** In the directory `cwd`, or that of the tests. Rejects when the process ended instead of answering. */
  run(args: readonly string[], env: Env, cwd: string = process.cwd()): Promise<Run> {
    const answer = this.#last.then(async () => {
      const answered = once(this.#child, 'message');
      // Left behind when the process ends: the error is thrown below.
      answered.catch(() => {});
      this.#child.send({ args, env, cwd });
      const [run]: Run[] = (await Promise.race([answered, this.#ended])) ?? [];
      if (!run) throw new Error(`knell ${args.join(' ')} ended the process instead of returning`);
      return run;
    });
    this.#last = answer.catch(() => {});
    return answer;
  }

  async stop(): Promise<void> {
    this.#child.disconnect();
    await this.#ended;
  }
}
