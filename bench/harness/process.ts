/**
 * Servers under test as processes of their own, so that a bench measures what a user runs.
 * Invariant: every process started here is ended by its id, whatever the bench does.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The built program, as `npm run build` leaves it. */
const knellMain = fileURLToPath(new URL('../../../main.js', import.meta.url));
const bareMain = fileURLToPath(new URL('../bare/uws.js', import.meta.url));
const bareSmtpMain = fileURLToPath(new URL('../bare/smtp.js', import.meta.url));

export interface Server {
  readonly url: string;
  /** `host:port` of the mail door; `off` without one. */
  readonly smtp: string;
  readonly pid: number;
  /** From the start of the process to its ready line. */
  readonly readyMs: number;
  end(signal?: NodeJS.Signals): Promise<void>;
}

export interface KnellOptions {
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
}

export function startKnell({ dataDir, env }: KnellOptions): Promise<Server> {
  return start([knellMain, 'serve'], {
    KNELL_DATA_DIR: dataDir,
    KNELL_HTTP: '127.0.0.1:0',
    KNELL_SMTP: 'off',
    KNELL_API_RATE_LIMIT: '0',
    KNELL_LOG_LEVEL: 'warn',
    ...env,
  });
}

export function startBare(): Promise<Server> {
  return start([bareMain], {});
}

export function startBareSmtp(): Promise<Server> {
  return start([bareSmtpMain], {});
}

async function start(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Server> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { url, smtp } = await ready(child, args);
  return {
    url,
    smtp,
    pid: child.pid ?? 0,
    readyMs: performance.now() - startedMs,
    end: (signal = 'SIGTERM') => end(child, signal),
  };
}

function ready(child: ChildProcess, args: readonly string[]): Promise<Pick<Server, 'url' | 'smtp'>> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout?.on('data', (chunk) => {
      said += chunk;
      const [line, url = '', smtp = 'off'] = /ready http=(\S+)(?: smtp=(\S+))?\n/.exec(said) ?? [];
      if (line !== undefined) resolve({ url, smtp });
    });
    child.once('exit', (code) =>
      reject(new Error(`${args.join(' ')} ended with ${code} before it was ready`)),
    );
  });
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}

/** Memory that the process holds, in bytes; NaN where the system has no /proc. */
export function residentBytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
  } catch {
    return Number.NaN;
  }
}
