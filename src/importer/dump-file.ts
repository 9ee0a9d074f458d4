/**
 * Reads a dump of Healthchecks (`manage.py dumpdata --format jsonl`), a row a line. Not here: what the rows mean.
 * Invariant: memory stays bounded, however long the file is; what is no such dump is refused by name and line.
 */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { KnellError, messageOf } from '../lib/errors.ts';
import { DumpFields } from './dump-fields.ts';
import { lineBytesMax, partBytes } from './limits.ts';

export interface DumpRow {
  /** `api.check`. */
  readonly model: string;
  readonly key: string;
  readonly fields: DumpFields;
  /** Offset of its line in the file. */
  readonly at: number;
  readonly length: number;
}

export class DumpFile {
  readonly #file: string;
  readonly #fd: number;
  readonly #size: number;

  constructor(file: string) {
    this.#file = file;
    try {
      this.#fd = openSync(file, 'r');
    } catch (error) {
      throw new KnellError('not-found', `cannot read ${file}: ${messageOf(error)}`);
    }
    const status = fstatSync(this.#fd);
    this.#size = status.size;
    if (!status.isFile()) throw this.#foreign('it is not a file');
  }

  /** `progress` is called with 0..1. */
  *rows(progress: (fraction: number) => void): Iterable<DumpRow> {
    let line = 0;
    for (const { text, at, length } of this.#lines(progress)) {
      line++;
      if (text.trim() !== '') yield this.#rowOf(text, line, at, length);
    }
  }

  /** The row whose line lies there. */
  rowAt(at: number, length: number): DumpRow {
    const bytes = Buffer.alloc(length);
    this.#read(bytes, at);
    return this.#rowOf(bytes.toString(), 0, at, length);
  }

  close(): void {
    closeSync(this.#fd);
  }

  *#lines(progress: (fraction: number) => void): Iterable<{ text: string; at: number; length: number }> {
    let buffer = Buffer.alloc(0);
    let at = 0;
    for (let read = 0; read < this.#size; ) {
      const part = Buffer.alloc(Math.min(partBytes, this.#size - read));
      this.#read(part, read);
      read += part.length;
      buffer = buffer.length === 0 ? part : Buffer.concat([buffer, part]);
      let start = 0;
      for (let end = buffer.indexOf(10); end >= 0; end = buffer.indexOf(10, start)) {
        yield { text: buffer.toString('utf8', start, end), at: at + start, length: end - start };
        start = end + 1;
      }
      buffer = buffer.subarray(start);
      at += start;
      if (buffer.length > lineBytesMax) throw this.#foreign('a line is too long');
      progress(read / this.#size);
    }
    if (buffer.length > 0) yield { text: buffer.toString('utf8'), at, length: buffer.length };
  }

  #read(target: Buffer, at: number): void {
    for (let done = 0; done < target.length; ) {
      const count = readSync(this.#fd, target, done, target.length - done, at + done);
      if (count === 0) throw this.#foreign('it became shorter while it was read');
      done += count;
    }
  }

  #rowOf(text: string, line: number, at: number, length: number): DumpRow {
    const parsed = this.#parsed(text, line);
    const row = typeof parsed === 'object' && parsed !== null ? new Map(Object.entries(parsed)) : null;
    const model = row?.get('model');
    const fields: unknown = row?.get('fields');
    if (typeof model !== 'string' || typeof fields !== 'object' || fields === null)
      throw this.#foreign(`line ${line} is not a row of a database`);
    return {
      model,
      key: String(row?.get('pk')),
      fields: new DumpFields(`${model} ${row?.get('pk')}`, new Map(Object.entries(fields))),
      at,
      length,
    };
  }

  #parsed(text: string, line: number): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw this.#foreign(`line ${line} is not JSON (${messageOf(error)})`);
    }
  }

  #foreign(why: string): KnellError {
    const how = 'create it with "manage.py dumpdata --format jsonl", see "knell import healthchecks --help"';
    return new KnellError('usage', `${this.#file} is not a dump of Healthchecks: ${why}; ${how}`);
  }
}
