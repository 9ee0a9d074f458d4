/**
 * Walks over the records of a journal batch without decoding them. What the fold, the load and the reads of the tail share.
 * Invariant: after `next()` said true, `type`, `start` and `end` bound one whole record inside the batch.
 */

import { auditKeyBytes } from '../codec/audit-key.ts';
import { ByteReader, damaged } from '../codec/byte-reader.ts';
import { deliveryBytes } from '../codec/delivery.ts';
import { changeBytes, skipPing } from '../codec/ping.ts';
import { uuidBytes } from '../codec/uuid.ts';
import { batchVersion, recordHeadBytes, recordTypes } from './records.ts';

export class BatchCursor {
  type = 0;
  /** Offset at which the record's parts begin, behind type and length. */
  start = 0;
  end = 0;
  /** Reads the current record's parts; its position is up to the caller. */
  readonly reader = new ByteReader();
  bytes: Buffer = Buffer.alloc(0);
  #next = 0;
  #size = 0;
  #view = new DataView(this.bytes.buffer);

  open(bytes: Buffer): this {
    this.bytes = bytes;
    this.reader.open(bytes);
    this.#size = bytes.length;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    if (this.reader.u8() !== batchVersion) throw damaged('a journal batch of an unknown format');
    this.#next = 1;
    return this;
  }

  next(): boolean {
    const head = this.#next;
    if (head === this.#size) return false;
    const { reader } = this;
    reader.at = head;
    reader.end = this.#size;
    this.type = reader.u8();
    const size = reader.u32();
    this.start = reader.skip(size);
    this.end = this.#next = this.start + size;
    return true;
  }

  /** Offset at which the record begins, with its type and length. */
  get head(): number {
    return this.start - recordHeadBytes;
  }

  /** Goes to the record that begins at `head`. */
  to(head: number): void {
    this.#next = head;
    this.next();
  }

  /** The first word of the UUID of the check that the record is about; 0 for what is about none. */
  checkWord(): number {
    return this.#isAboutCheck() ? this.#view.getUint32(this.start, true) : 0;
  }

  /** Whether the record is about the check, given as `wordsOf`. */
  isOf(words: Uint32Array): boolean {
    const { start } = this;
    const view = this.#view;
    return (
      this.#isAboutCheck() &&
      view.getUint32(start, true) === words[0] &&
      view.getUint32(start + 4, true) === words[1] &&
      view.getUint32(start + 8, true) === words[2] &&
      view.getUint32(start + 12, true) === words[3]
    );
  }

  #isAboutCheck(): boolean {
    const isOfCheck =
      this.type <= recordTypes['check-deleted'] ||
      this.type === recordTypes.notification ||
      this.type === recordTypes['run-ending'];
    return isOfCheck && this.end - this.start >= 16;
  }

  /** The number of the ping, of a record of one. */
  pingNumber(): number {
    return skipPing(this.pastChanges());
  }

  /** The row of a check record, or all of a record that is one row. */
  row(): Buffer {
    if (this.type !== recordTypes.check) return this.bytes.subarray(this.start, this.end);
    const reader = this.pastChanges();
    return reader.raw(reader.left);
  }

  /** The row of a notification or of the end of a run, which follows the check's id. */
  rowOfCheck(): Buffer {
    return this.bytes.subarray(this.start + 16, this.end);
  }

  /** The key of an entry of the audit log. */
  auditKey(): Buffer {
    return this.bytes.subarray(this.start, this.start + auditKeyBytes);
  }

  /** The row of an audit entry, which follows its key. */
  auditRow(): Buffer {
    return this.bytes.subarray(this.start + auditKeyBytes, this.end);
  }

  /** Whether the record has status changes of its check, or is its deletion; cheaper than to read them. */
  changesStatus(): boolean {
    if (this.type >= recordTypes['check-deleted']) return this.type === recordTypes['check-deleted'];
    const stateAt = this.start + uuidBytes;
    return this.bytes[stateAt + 1 + (this.bytes[stateAt] ?? 0)] !== 0;
  }

  /** Is before the changes: behind the id and the state of a ping, state or check record. */
  toChanges(): ByteReader {
    const reader = this.reader.window(this.start, this.end);
    reader.skip(16);
    reader.skip(reader.u8());
    return reader;
  }

  /** Whether deliveries follow the changes; positioned before them, otherwise behind the changes. */
  toDeliveries(): boolean {
    const reader = this.toChanges();
    const changes = reader.u8();
    reader.skip(changes * changeBytes);
    return changes > 0;
  }

  /** Is behind the deliveries of the changes: before the ping of a ping record, before the row of a check record. */
  pastChanges(): ByteReader {
    const { reader } = this;
    if (this.toDeliveries()) reader.skip(reader.u16() * deliveryBytes);
    return reader;
  }
}

/** The 16 bytes of a UUID as words to compare by. */
export function uuidWordsOf(uuid: Uint8Array): Uint32Array {
  const view = new DataView(uuid.buffer, uuid.byteOffset, 16);
  return Uint32Array.of(
    view.getUint32(0, true),
    view.getUint32(4, true),
    view.getUint32(8, true),
    view.getUint32(12, true),
  );
}
