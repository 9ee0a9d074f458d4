/**
 * A snapshot from one node to another: a node that is new, or was away for longer than the log keeps, asks a node that is well
 * for its history, and reads it part by part. Not here: writing a snapshot, and what is done with it.
 * Invariants: the reader asks for each part and checks where it belongs, so that a lost message costs time and nothing else. A
 * file that nobody reads any more is removed.
 */
import { randomBytes } from 'node:crypto';
import { createReadStream, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { KnellError, messageOf } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Scheduler } from '../../store/disk/scheduler.ts';
import type { Bus } from '../bus/bus.ts';
import { snapshotExchangeLimits } from '../bus/limits.ts';
import type { Subjects } from '../requests/subjects.ts';

/** Prefix of snapshot files that are for another node, or came from one. */
export const namePrefix = '.peer-';

interface Question {
  /** Id of the process that asks. */
  readonly from: number;
  /** Offset to read from; absent: asks whether the file is ready. */
  readonly offset?: number;
}

interface AnswerHead {
  /** Size of the whole file; 0 while it is being written. */
  readonly bytes: number;
  readonly offset?: number;
  /** Why there will be none. */
  readonly error?: string;
}

interface OfferOptions {
  readonly node: string;
  readonly bus: Bus;
  readonly subjects: Pick<Subjects, 'snapshots' | 'snapshotParts'>;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  /** Files are in its snapshots/ while they are read. */
  readonly dataDir: string;
  writeSnapshot(file: string): Promise<unknown>;
}

interface Offered {
  readonly file: string;
  bytes: number;
  error: string;
  cancel: () => void;
}

/** The side that has the data. */
export class SnapshotOffers {
  readonly #options: OfferOptions;
  readonly #dir: string;
  readonly #offered = new Map<number, Offered>();
  readonly #subscription: { stop(): void };

  constructor(options: OfferOptions) {
    this.#options = options;
    const { bus, subjects, node } = options;
    this.#dir = join(options.dataDir, 'snapshots');
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    // Files that were left when a process ended in the middle.
    for (const name of readdirSync(this.#dir))
      if (name.startsWith(namePrefix)) rmSync(join(this.#dir, name), { force: true });
    this.#subscription = bus.subscribe(subjects.snapshots(node), (message) => {
      const question = readQuestion(message);
      if (question) void this.#answer(question);
    });
  }

  stop(): void {
    this.#subscription.stop();
    for (const from of [...this.#offered.keys()]) this.#remove(from);
  }

  async #answer({ from, offset }: Question): Promise<void> {
    const offered = this.#offered.get(from) ?? this.#begin(from);
    this.#keep(from, offered);
    const { bytes, error, file } = offered;
    if (error !== '') this.#send(from, { bytes: 0, error });
    else if (bytes === 0 || offset === undefined) this.#send(from, { bytes });
    else {
      try {
        this.#send(from, { bytes, offset }, await readPart(file, offset));
      } catch (reason) {
        this.#send(from, { bytes: 0, error: messageOf(reason) });
      }
    }
  }

  #begin(from: number): Offered {
    const { writeSnapshot, logger } = this.#options;
    const file = join(this.#dir, `${namePrefix}${randomBytes(6).toString('hex')}`);
    const offered: Offered = { file, bytes: 0, error: '', cancel: () => {} };
    this.#offered.set(from, offered);
    logger.info('another node asks for a snapshot');
    void writeSnapshot(file)
      .then(() => stat(file))
      .then(
        ({ size }) => {
          offered.bytes = size;
        },
        (error: unknown) => {
          offered.error = messageOf(error);
        },
      );
    return offered;
  }

  #keep(from: number, offered: Offered): void {
    offered.cancel();
    offered.cancel = this.#options.scheduler.after(snapshotExchangeLimits.keptMs, () => this.#remove(from));
  }

  #remove(from: number): void {
    const offered = this.#offered.get(from);
    if (!offered) return;
    offered.cancel();
    this.#offered.delete(from);
    rmSync(offered.file, { force: true });
  }

  #send(from: number, head: AnswerHead, part: Uint8Array = new Uint8Array(0)): void {
    const { bus, subjects } = this.#options;
    const text = Buffer.from(JSON.stringify(head));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(text.length);
    bus.publish(subjects.snapshotParts(from), Buffer.concat([length, text, part]));
  }
}

async function readPart(file: string, offset: number): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  for await (const part of createReadStream(file, {
    start: offset,
    end: offset + snapshotExchangeLimits.partBytes - 1,
  }))
    parts.push(part);
  return Buffer.concat(parts);
}

interface FetchOptions {
  /** Id of this process. */
  readonly id: number;
  /** The node that has the data. */
  readonly node: string;
  readonly bus: Bus;
  readonly subjects: Pick<Subjects, 'snapshots' | 'snapshotParts'>;
  readonly scheduler: Scheduler;
  readonly file: string;
  /** 0 to 1. */
  progress(fraction: number): void;
}

interface Answer extends AnswerHead {
  readonly part: Buffer;
}

/**
 * Writes the snapshot of another node to `file`, synced. Rejects with a KnellError `cluster-no-snapshot` when that node cannot,
 * or is gone, and with the system's error when the file cannot be written (a full disk).
 */
export async function fetchSnapshot(options: FetchOptions): Promise<void> {
  const { bus, subjects, id, file, progress } = options;
  let take: (answer: Answer) => void = () => {};
  const subscription = bus.subscribe(subjects.snapshotParts(id), (message) => {
    const answer = readAnswer(message);
    if (answer) take(answer);
  });
  const ask = (offset: number | undefined, isWanted: (answer: Answer) => boolean): Promise<Answer> =>
    untilAnswered(options, { from: id, ...(offset === undefined ? {} : { offset }) }, isWanted, (next) => {
      take = next;
    });
  let output: FileHandle | null = null;
  try {
    output = await open(file, 'w');
    const { bytes } = await ask(undefined, (answer) => answer.bytes > 0);
    for (let offset = 0; offset < bytes; ) {
      const at = offset;
      const { part } = await ask(at, (answer) => answer.offset === at && answer.part.length > 0);
      await output.writeFile(part);
      offset += part.length;
      progress(offset / bytes);
    }
    await output.sync();
  } finally {
    subscription.stop();
    await output?.close();
  }
}

function untilAnswered(
  { bus, subjects, scheduler, node }: FetchOptions,
  question: Question,
  isWanted: (answer: Answer) => boolean,
  listen: (take: (answer: Answer) => void) => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let latestMs = scheduler.elapsedMs();
    let cancel = (): void => {};
    const ask = (): void => {
      if (scheduler.elapsedMs() - latestMs >= snapshotExchangeLimits.goneMs) {
        reject(new KnellError('cluster-no-snapshot', `node ${node} does not send its data any more`));
        return;
      }
      bus.publish(subjects.snapshots(node), Buffer.from(JSON.stringify(question)));
      cancel = scheduler.after(snapshotExchangeLimits.askAgainMs, ask);
    };
    listen((answer) => {
      latestMs = scheduler.elapsedMs();
      if (answer.error !== undefined) {
        cancel();
        reject(new KnellError('cluster-no-snapshot', `node ${node} cannot send its data: ${answer.error}`));
      } else if (isWanted(answer)) {
        cancel();
        resolve(answer);
      }
    });
    ask();
  });
}

function readQuestion(message: Uint8Array): Question | null {
  const said = parsed(message);
  const { from, offset } = (said ?? {}) as { from?: unknown; offset?: unknown };
  if (typeof from !== 'number') return null;
  return typeof offset === 'number' ? { from, offset } : { from };
}

function readAnswer(message: Uint8Array): Answer | null {
  const bytes = Buffer.from(message);
  if (bytes.length < 4) return null;
  const end = 4 + bytes.readUInt32LE(0);
  const head = parsed(bytes.subarray(4, end)) as AnswerHead | null;
  return head && typeof head.bytes === 'number' ? { ...head, part: bytes.subarray(end) } : null;
}

function parsed(message: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(message).toString());
  } catch {
    return null;
  }
}
