/** The servers under load, each a process of its own on a directory of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Target {
  /** `host:port` of the mail door. */
  readonly smtp: string;
  /** Where mails go. */
  readonly recipient: string;
  /** A ping's whole address; empty for a server that has none. */
  readonly pingUrl: string;
  stop(): Promise<void>;
}

/** Lines of `child` until one matches. */
async function lineOf(child: ChildProcess, pattern: RegExp, seen: (line: string) => void): Promise<string[]> {
  if (!child.stdout) throw new Error('no stdout');
  for await (const line of createInterface(child.stdout)) {
    seen(line);
    const match = pattern.exec(line);
    if (match) return [...match];
  }
  throw new Error('the server ended before it was ready');
}

function stopper(child: ChildProcess, after: () => void): () => Promise<void> {
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return async () => {
    child.kill('SIGTERM');
    await exited;
    after();
  };
}

function start(file: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return spawn(process.execPath, [path, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
}

export async function startBare(): Promise<Target> {
  const child = start('./bare-server.js', [], { PATH: process.env.PATH });
  const [, smtp = ''] = await lineOf(child, /^ready (\S+)$/, () => {});
  return { smtp, recipient: 'x@localhost', pingUrl: '', stop: stopper(child, () => {}) };
}

/** `filters`: the check searches subject and body, so that every mail is read. */
export async function startKnell(filters: boolean): Promise<Target> {
  const dataDir = mkdtempSync(join(tmpdir(), 'knell-bench-'));
  const ports = { KNELL_HTTP: '127.0.0.1:0', KNELL_SMTP: '127.0.0.1:0', KNELL_LOG_LEVEL: 'error' };
  const child = start('../../src/main.js', ['serve'], { ...ports, KNELL_DATA_DIR: dataDir });
  let key = '';
  const [, http = '', smtp = ''] = await lineOf(child, /^knell: ready http=(\S+) smtp=(\S+)$/, (line) => {
    key = /^ {2}read-write +(\S+)$/.exec(line)?.[1] ?? key;
  });
  const spec = filters ? { filter_subject: true, filter_body: true, success_kw: 'OK' } : {};
  const made = await fetch(`${http}/api/v3/checks/`, {
    method: 'POST',
    headers: { 'X-Api-Key': key },
    body: JSON.stringify(spec),
  });
  const uuid = /"uuid":"([^"]+)"/.exec(await made.text())?.[1];
  if (!uuid) throw new Error('no check was made');
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true });
  return {
    smtp,
    recipient: `${uuid}@localhost`,
    pingUrl: `${http}/ping/${uuid}`,
    stop: stopper(child, remove),
  };
}
