/**
 * Runs one command as if nothing were around it: its streams pass through, signals reach it, its exit status is kept.
 * Invariant: whether and how Knell is reached changes nothing here.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { systemCode } from '../lib/errors.ts';
import { readOutput, unreadOutput } from './job-output.ts';
import { drainMs } from './limits.ts';
import type { Signals } from './signals.ts';

export interface JobEnd {
  /** 0 to 255; 128 + n if signal n ended it, 127 if there is no such command, 126 if it cannot be executed. */
  readonly status: number;
  /** Why it could not be started; null if it ran. */
  readonly error: string | null;
}

interface JobOptions {
  /** Null: nobody reads it here. */
  readonly output: ((part: Buffer) => void) | null;
  /** Whether it reaches this process's own stdout and stderr: of a command whose output nobody reads, as if it ran alone. */
  readonly prints: boolean;
  readonly signals: Signals;
}

/** Resolves when the command has ended, and its output, or most of it, has arrived. */
export async function runJob(
  command: readonly string[],
  { output, prints, signals }: JobOptions,
): Promise<JobEnd> {
  const [program = '', ...args] = command;
  const streams = output ? readOutput(output, prints) : unreadOutput(prints);
  let child: ChildProcess;
  try {
    child = spawn(program, args, { stdio: ['inherit', ...streams.stdio] });
  } catch (error) {
    await streams.started(null);
    return startError(program, error);
  }
  signals.passTo(child);
  const closed = streams.started(child);
  const end = await endOf(child, program);
  signals.passTo(null);
  if (end.error === null) await drained(closed);
  return end;
}

function endOf(child: ChildProcess, program: string): Promise<JobEnd> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve(startError(program, error));
    });
    child.once('exit', (code, signal) => {
      const status = signal === null ? (code ?? 1) : 128 + constants.signals[signal];
      resolve({ status, error: null });
    });
  });
}

/** The end of a command that could not be started, with the statuses of a shell. */
function startError(program: string, error: unknown): JobEnd {
  const code = systemCode(error);
  if (code === 'ENOENT') return { status: 127, error: `${program}: command not found` };
  const reason = reasons[code] ?? code;
  return { status: 126, error: `${program}: cannot be executed: ${reason}` };
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  ENOEXEC: 'it is no program, and no script with a #! line',
  E2BIG: 'its arguments are too long',
};

/**
 * Until both streams are closed, but not longer than a moment: a process that the command left in the background may hold
 * them open for days. What it writes is passed through all the same.
 */
async function drained(closed: Promise<void>): Promise<void> {
  const limit = new AbortController();
  const moment = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, drainMs);
    limit.signal.addEventListener('abort', () => clearTimeout(timer));
  });
  await Promise.race([closed, moment]);
  limit.abort();
}
