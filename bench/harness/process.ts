/**
 * Servers under test as processes of their own, so that a bench measures what a user runs. Where asked to, one is
 * profiled, or watched for how late its event loop is; both by options of Node, nothing of it is in the product.
 */
import type { ChildProcess } from 'node:child_process';
import { existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endChild, startChild } from './children.ts';
import type { LoopDelay } from './loop-delay.ts';

/** The built program, as `npm run build` leaves it. */
const knellMain = fileURLToPath(new URL('../../../main.js', import.meta.url));
const bareMain = fileURLToPath(new URL('../bare/uws.js', import.meta.url));
const bareSmtpMain = fileURLToPath(new URL('../bare/smtp.js', import.meta.url));
const webhooksMain = fileURLToPath(new URL('../bare/webhooks.js', import.meta.url));
const loopDelayHook = fileURLToPath(new URL('./loop-delay.js', import.meta.url));

export interface Server {
  readonly url: string;
  /** `host:port` of the mail endpoint; `off` without one. */
  readonly smtp: string;
  readonly pid: number;
  /** From the start of the process to its ready line. */
  readonly readyMs: number;
  /** What it has printed so far. */
  printed(): string;
  end(signal?: NodeJS.Signals): Promise<void>;
}

export interface KnellOptions {
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Watch its event loop: see `loopDelay`. */
  readonly watched?: boolean;
  /** Where its log goes, if not to where the suite's own goes. */
  readonly logFile?: string;
}

/** Set by the suite while a bench is profiled: where Node leaves the profiles, and what kind of server each process is. */
export const profiling: { dir: string | null; readonly servers: Map<number, string> } = {
  dir: null,
  servers: new Map(),
};
export const bareServer = 'bare uWebSockets.js';

function profilerOptions(): readonly string[] {
  return profiling.dir === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiling.dir}`];
}

export function startKnell({ dataDir, env, watched = false, logFile }: KnellOptions): Promise<Server> {
  const options = [...profilerOptions(), ...(watched ? ['--import', loopDelayHook] : [])];
  const ours = {
    KNELL_DATA_DIR: dataDir,
    KNELL_HTTP: '127.0.0.1:0',
    KNELL_SMTP: 'off',
    KNELL_API_RATE_LIMIT: '0',
    KNELL_LOG_LEVEL: 'warn',
    // One must not begin in the middle of a measurement: "snapshots" measures them.
    KNELL_SNAPSHOTS: 'off',
    ...(watched ? { BENCH_LOOP_DELAY: delayFile(dataDir) } : {}),
    ...env,
  };
  return named(`${env?.KNELL_JOURNAL ?? 'lmdb'} log`, start([...options, knellMain, 'serve'], ours, logFile));
}

/** `watchedAs`: watch its event loop; `loopDelay` takes the same path. Nothing has to be there. */
export function startBare({ watchedAs }: { readonly watchedAs?: string } = {}): Promise<Server> {
  const hook = watchedAs === undefined ? [] : ['--import', loopDelayHook];
  const env = watchedAs === undefined ? {} : { BENCH_LOOP_DELAY: delayFile(watchedAs) };
  return named(bareServer, start([...profilerOptions(), ...hook, bareMain], env));
}

async function named(kind: string, starting: Promise<Server>): Promise<Server> {
  const server = await starting;
  profiling.servers.set(server.pid, kind);
  return server;
}

/** Takes webhooks, and lists them at `/report`. */
export function startWebhookReceiver(): Promise<Server> {
  return start([webhooksMain], {});
}

export function startBareSmtp(): Promise<Server> {
  return start([bareSmtpMain], {});
}

async function start(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  logFile?: string,
): Promise<Server> {
  const startedMs = performance.now();
  const child = startChild(process.execPath, [...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'pipe', logFile === undefined ? 'inherit' : openSync(logFile, 'a')],
  });
  let said = '';
  child.stdout?.on('data', (chunk) => {
    said += chunk;
  });
  const { url, smtp } = await ready(child, args, () => said);
  return {
    url,
    smtp,
    pid: child.pid ?? 0,
    readyMs: performance.now() - startedMs,
    printed: () => said,
    end: (signal = 'SIGTERM') => endChild(child, signal),
  };
}

function ready(
  child: ChildProcess,
  args: readonly string[],
  printed: () => string,
): Promise<Pick<Server, 'url' | 'smtp'>> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      const [line, url = '', smtp = 'off'] = /ready http=(\S+)(?: smtp=(\S+))?\n/.exec(printed()) ?? [];
      if (line !== undefined) resolve({ url, smtp });
    });
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`${args.join(' ')} ended with ${code} before it was ready`)),
    );
  });
}

/** What a process holds, in bytes; NaN where the system has no /proc. */
export interface Memory {
  /** With the pages of mapped files, as many as were touched: the system takes those back where it needs them. */
  readonly resident: number;
  /** Without them: what no other process can have. */
  readonly anonymous: number;
}

export function memoryOf(pid: number): Memory {
  let status = '';
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // NaN says it.
  }
  const bytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) * 1024;
  return { resident: bytes('VmRSS'), anonymous: bytes('RssAnon') };
}

function delayFile(dataDir: string): string {
  return join(dataDir, '..', `${dataDir.split('/').at(-1)}.loop-delay`);
}

const writtenWithinMs = 10_000;
const lookEveryMs = 10;

/** How late the event loop of a watched server was since the last time this was asked, or since its start. */
export async function loopDelay({ pid }: Server, dataDir: string): Promise<LoopDelay> {
  const file = delayFile(dataDir);
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (let leftMs = writtenWithinMs; leftMs > 0 && !existsSync(file); leftMs -= lookEveryMs)
    await sleep(lookEveryMs);
  const delay: LoopDelay = JSON.parse(readFileSync(file, 'utf8'));
  return delay;
}
