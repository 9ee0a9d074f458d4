/**
 * Real pipes for a command's output, such as a shell creates. Those of Node are sockets: they cannot be opened by a path
 * (`> /dev/stderr`, `/proc/self/fd/1`), and who writes to one whose reader has closed it gets an error, not SIGPIPE.
 * Not here: who writes into them, and what becomes of it (`job-output`).
 * Invariant: when `openPipes` returns, no name of theirs is left in any folder.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { second } from '../lib/units.ts';

export interface Pipe {
  /** Ends when no process holds the writing end any more. */
  readonly reader: Socket;
  /** The descriptor of the writing end: for a child process. It is to be closed here once that has been started. */
  readonly writer: number;
}

/** Memory comes first: it works when the disk is full, which is when a job fails. */
const folders = (): readonly string[] => ['/dev/shm', tmpdir()];

/** Null where there are none to be had: on Windows, without `mkfifo`, or where no folder can be written. */
export function openPipes(count: number): readonly Pipe[] | null {
  if (process.platform === 'win32') return null;
  for (const folder of folders()) {
    const pipes = pipesIn(folder, count);
    if (pipes !== null) return pipes;
  }
  return null;
}

function pipesIn(folder: string, count: number): readonly Pipe[] | null {
  let own: string;
  try {
    own = mkdtempSync(join(folder, 'knell-run-'));
  } catch {
    return null; // No such folder, or nobody may write there: the next one may do.
  }
  try {
    const paths = Array.from({ length: count }, (_, index) => join(own, String(index)));
    return createFifos(paths) ? openAll(paths) : null;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** A job may have any PATH; `mkfifo` is where the system keeps its programs. */
const systemPath = '/usr/bin:/bin';

/** Not asynchronous: a signal that comes meanwhile waits until there is a command that it can be passed on to. */
function createFifos(paths: readonly string[]): boolean {
  const env = { PATH: `${process.env.PATH ?? ''}:${systemPath}` };
  const { status } = spawnSync('mkfifo', ['-m', '600', ...paths], {
    env,
    stdio: 'ignore',
    timeout: 5 * second,
  });
  return status === 0;
}

function openAll(paths: readonly string[]): readonly Pipe[] | null {
  const opened: number[] = [];
  const open = (path: string, flags: number): number => {
    const descriptor = openSync(path, flags);
    opened.push(descriptor);
    return descriptor;
  };
  try {
    const ends = paths.map((path) => {
      // The reader first: it does not wait for a writer, and the writer finds it there.
      const reader = open(path, constants.O_RDONLY | constants.O_NONBLOCK);
      return { reader, writer: open(path, constants.O_WRONLY) };
    });
    return ends.map(({ reader, writer }) => {
      return { reader: new Socket({ fd: reader, readable: true, writable: false }), writer };
    });
  } catch {
    // A file system that has no pipes, or too many open files.
    for (const descriptor of opened) closeSync(descriptor);
    return null;
  }
}
