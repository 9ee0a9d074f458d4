/** The commands as a user types them, on a data directory of each test's own, and servers of it in processes of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { tempDir } from '../temp-dirs.ts';
import { builtFile } from './built.ts';
import { CommandRunner, type Env, type Run, runProcess } from './commands.ts';

export interface Server {
  readonly process: ChildProcess;
  readonly url: string;
  readonly said: string;
}

/** What a command prints that could not do what it should. */
export const oneLine = /^knell: [^\n]+\n$/;

export class DirectoryCommands {
  dataDir = '';
  readonly #servers: ChildProcess[] = [];
  #runner: CommandRunner | null = null;

  /** For the tests of one file. */
  static forFile(): DirectoryCommands {
    const commands = new DirectoryCommands();
    beforeAll(() => {
      commands.#runner = CommandRunner.start();
    });
    afterAll(() => commands.#runner?.stop());
    beforeEach(() => {
      commands.dataDir = join(tempDir(), 'data');
    });
    afterEach(async () => {
      for (const server of commands.#servers.splice(0)) await commands.end(server, 'SIGKILL');
    });
    return commands;
  }

  readonly envOf = (more: Env = {}): Record<string, string> => ({
    KNELL_DATA_DIR: this.dataDir,
    KNELL_HTTP: '127.0.0.1:0',
    KNELL_SMTP: 'off',
    KNELL_SNAPSHOTS: 'off',
    ...more,
  });

  /** One after the other in one process. */
  readonly knell = async (args: readonly string[], env: Env = {}): Promise<Run> => {
    if (!this.#runner) throw new Error('the tests of this file have not begun');
    return this.#runner.run(args, this.envOf(env));
  };

  /** In a process of its own. */
  readonly knellProcess = (args: readonly string[], env: Env = {}, input = ''): Promise<Run> =>
    runProcess(args, { env: this.envOf(env), input });

  /** Resolves when it is ready. The caller ends it. */
  async startServer(env: Env): Promise<Server> {
    const server = this.spawnServer(env);
    let said = '';
    await new Promise<void>((resolve, reject) => {
      server.once('exit', (code) => reject(new Error(`knell serve ended with ${code} before it was ready`)));
      server.stdout?.on('data', (chunk) => {
        said += chunk;
        if (said.includes('knell: ready')) resolve();
      });
    });
    return { process: server, said, url: /http=(\S+)/.exec(said)?.[1] ?? '' };
  }

  spawnServer(env: Env = {}): ChildProcess {
    return spawn(process.execPath, [builtFile('main.js'), 'serve'], {
      env: { PATH: process.env.PATH, ...this.envOf(env) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Ended with the test. */
  readonly serve = async (env: Env = {}): Promise<Server> => {
    const server = await this.startServer(env);
    this.#servers.push(server.process);
    return server;
  };

  /** Its exit status; null where the signal ended it. */
  readonly end = async (server: ChildProcess, signal: NodeJS.Signals): Promise<number | null> => {
    if (server.exitCode !== null || server.signalCode !== null) return server.exitCode;
    const exited = once(server, 'exit');
    server.kill(signal);
    const [code]: (number | null)[] = await exited;
    return code ?? null;
  };
}
