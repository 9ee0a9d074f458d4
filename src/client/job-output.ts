/**
 * Passes a command's stdout and stderr on: to the reader of the output, and to this process's own streams.
 * Not here: how the command is started and how it ends (`job`), and what is kept of its output (`output-tail`).
 * Invariant: the command finds what it would find alone: pipes that can be opened again, the order of what it writes if both
 * of its streams end up in one file, and SIGPIPE once what it wrote could not be passed on.
 */
import type { ChildProcess, StdioPipe } from 'node:child_process';
import { closeSync, fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { openPipes, type Pipe } from './open-pipes.ts';

type Take = (part: Buffer) => void;
type Target = NodeJS.WriteStream & { readonly fd: number };

export interface JobOutput {
  /** Stdout and stderr, for `spawn`. */
  readonly stdio: readonly [
    'inherit' | 'ignore' | StdioPipe | number,
    'inherit' | 'ignore' | StdioPipe | number,
  ];
  /**
   * To be called once the command was started (null: it could not be). Resolves when no process can write any more, or
   * nobody reads it any more.
   */
  started(child: ChildProcess | null): Promise<void>;
}

/** Nobody reads it here. */
export function unreadOutput(prints: boolean): JobOutput {
  const stream = prints ? 'inherit' : 'ignore';
  return { stdio: [stream, stream], started: () => Promise.resolve() };
}

/** Each part is given to `take`, and printed if `prints`. */
export function readOutput(take: Take, prints: boolean): JobOutput {
  const targets = prints ? [process.stdout, process.stderr] : [null, null];
  const pipes = openPipes(!prints || isOneFile(process.stdout, process.stderr) ? 1 : 2);
  return pipes === null ? throughSockets(take, targets) : throughPipes(take, targets, pipes);
}

function isOneFile(one: Target, other: Target): boolean {
  const [first, second] = [fstatSync(one.fd), fstatSync(other.fd)];
  return first.dev === second.dev && first.ino === second.ino;
}

function throughPipes(take: Take, targets: readonly (Target | null)[], pipes: readonly Pipe[]): JobOutput {
  const ends = pipes.map(({ reader }, index) => pump(reader, take, targets[index] ?? null));
  const [first = 0, second = first] = pipes.map(({ writer }) => writer);
  const started = async (): Promise<void> => {
    // The reading ends do not end while this process holds the writing ends.
    for (const { writer } of pipes) closeSync(writer);
    await Promise.all(ends);
  };
  return { stdio: [first, second], started };
}

/** The next best thing, where there are no pipes. */
function throughSockets(take: Take, targets: readonly (Target | null)[]): JobOutput {
  const started = async (child: ChildProcess | null): Promise<void> => {
    const streams = [child?.stdout, child?.stderr];
    await Promise.all(streams.map((from, index) => from && pump(from, take, targets[index] ?? null)));
  };
  return { stdio: ['pipe', 'pipe'], started };
}

/** Resolves when `from` is closed. */
function pump(from: Readable, take: Take, to: Target | null): Promise<void> {
  const closed = new Promise<void>((resolve) => from.once('close', () => resolve()));
  from.on('data', (part: Buffer) => {
    take(part);
    if (to?.write(part) === false) from.pause();
  });
  if (to === null) return closed;
  // The reader has gone: the command notices it by its next write. This process notices it only when it writes.
  const stop = (): void => void from.destroy();
  const goOn = (): void => void from.resume();
  to.on('error', stop).on('drain', goOn);
  return closed.then(() => void to.off('error', stop).off('drain', goOn));
}
