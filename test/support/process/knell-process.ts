/** A built Knell in a process of its own: to be killed, or asked to end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { builtUrl } from './built.ts';

export class KnellProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<number | NodeJS.Signals | null>;
  httpUrl = '';
  smtp = '';
  /** Those of the first project, when this start has made it. */
  readWriteKey = '';
  pingKey = '';
  /** Where the first password is set, while there is none. */
  setUpUrl = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
  }

  static async start(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<KnellProcess> {
    const ports = { KNELL_HTTP: '127.0.0.1:0', KNELL_SMTP: '127.0.0.1:0' };
    const quiet = { KNELL_LOG_LEVEL: 'error', KNELL_SNAPSHOTS: 'off' };
    const child = spawn(process.execPath, [fileURLToPath(builtUrl('main.js')), 'serve'], {
      env: { PATH: process.env.PATH, KNELL_DATA_DIR: dataDir, ...ports, ...quiet, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const knell = new KnellProcess(child);
    for await (const line of createInterface(child.stdout)) {
      const [, key = '', value = ''] = /^ {2}(read-write|ping key) +(\S+)$/.exec(line) ?? [];
      if (key === 'read-write') knell.readWriteKey = value;
      if (key === 'ping key') knell.pingKey = value;
      knell.setUpUrl = /^ {2}(\S+\/set-password#\S+)$/.exec(line)?.[1] ?? knell.setUpUrl;
      const [, httpUrl, smtp] = /^knell: ready http=(\S+) smtp=(\S+)(?: http_compat=\S+)?$/.exec(line) ?? [];
      if (httpUrl && smtp) {
        knell.httpUrl = httpUrl;
        knell.smtp = smtp;
        return knell;
      }
    }
    throw new Error(`Knell ended before it was ready: ${await knell.#exited}`);
  }

  /** Resolves to the exit status, or to the signal that ended it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | NodeJS.Signals | null> {
    this.#child.kill(signal);
    return this.#exited;
  }
}
