/**
 * Reads mails on a thread of its own. A mail from a stranger can keep a MIME parser busy for hours (a few hundred kilobytes of
 * tabs are enough) or make it throw where nothing catches; on its own thread that costs one thread and one mail, while HTTP
 * pings go on.
 * Invariant: every mail is answered once, in order. The one that a thread ends on, or does not answer in time, is
 * unreadable; those behind it are read by the next thread.
 */
import { Worker } from 'node:worker_threads';
import { messageOf } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { type MailText, unreadableMail } from './mail-text.ts';

interface MailReaderOptions {
  readonly readMsMax: number;
  readonly readHeapMB: number;
  readonly logger: Logger;
  /** Words for the log: what becomes of a mail that cannot be parsed. */
  readonly unreadable: string;
  /** Location of the thread's compiled code, if it is not beside the code of this file. */
  readonly url?: URL;
}

interface Reading {
  readonly message: Uint8Array;
  readonly resolve: (text: MailText) => void;
}

export class MailReader {
  readonly #options: MailReaderOptions;
  /** Readings in the order in which the thread answers. */
  readonly #readings: Reading[] = [];
  /** The thread, started when the first mail has to be read: most checks do not filter. */
  #worker: Worker | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: MailReaderOptions) {
    this.#options = options;
  }

  /** Resolves to the texts of the mail when it is read; never rejects. */
  read(message: Uint8Array): Promise<MailText> {
    return new Promise((resolve) => {
      this.#readings.push({ message, resolve });
      this.#worker ??= this.#start();
      this.#worker.postMessage(message);
      if (this.#readings.length === 1) this.#watch();
    });
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    for (const { resolve } of this.#readings.splice(0)) resolve(unreadableMail);
    this.#watch();
    await worker?.terminate();
  }

  #start(): Worker {
    const { url, readHeapMB } = this.#options;
    const worker = new Worker(url ?? new URL('./read-worker.js', import.meta.url), {
      name: 'read-mail',
      resourceLimits: { maxOldGenerationSizeMb: readHeapMB },
    });
    worker.on('message', (text: MailText) => {
      if (worker !== this.#worker) return;
      this.#readings.shift()?.resolve(text);
      this.#watch();
    });
    let why = 'its thread ended';
    worker.on('error', (error) => {
      why = messageOf(error);
    });
    // Gives up at the exit, not at the error, which may overtake messages from before it: at the exit all have come.
    worker.on('exit', () => this.#giveUp(worker, why));
    worker.unref();
    return worker;
  }

  /** Starts the clock for the mail that is being read now. */
  #watch(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const worker = this.#worker;
    if (worker === null || this.#readings.length === 0) return;
    this.#timer = setTimeout(() => this.#giveUp(worker, 'it took too long'), this.#options.readMsMax);
  }

  #giveUp(worker: Worker, why: string): void {
    if (worker !== this.#worker) return;
    this.#worker = null;
    void worker.terminate();
    const bytes = this.#readings[0]?.message.length;
    this.#options.logger.warn({ bytes, why }, `a mail could not be parsed; ${this.#options.unreadable}`);
    this.#readings.shift()?.resolve(unreadableMail);
    if (this.#readings.length > 0) {
      this.#worker = this.#start();
      for (const { message } of this.#readings) this.#worker.postMessage(message);
    }
    this.#watch();
  }
}
