/**
 * The batch that is being filled: encoded records and their waiters. Knows no log.
 * Invariant: `waiters` are those that have not been called yet, in the order of their records.
 */
import { ByteWriter } from '../codec/byte-writer.ts';
import type { JournalRecord, PingEntry, Waiter } from '../store.ts';
import { beginBatch, writePingRecord, writeRecord } from './records.ts';

/** A batch as it goes to disk. */
export interface SealedBatch {
  bytes: Buffer;
  records: number;
  waiters: Waiter[];
  /** Bytes of records that were acknowledged before they were written (`relaxed`): they can no longer be rolled back. */
  ackedBytes: number;
  ackedRecords: number;
}

export class OpenBatch {
  records = 0;
  beganAtMs = 0;
  ackedBytes = 0;
  ackedRecords = 0;
  waiters: Waiter[] = [];
  readonly #writer: ByteWriter;

  constructor(bytesMax: number) {
    this.#writer = new ByteWriter(bytesMax * 2);
    beginBatch(this.#writer);
  }

  get bytes(): number {
    return this.#writer.length;
  }

  add(record: JournalRecord, waiter: Waiter | null): void {
    writeRecord(this.#writer, record);
    this.records++;
    if (waiter) this.waiters.push(waiter);
  }

  addPing(entry: PingEntry, waiter: Waiter): void {
    writePingRecord(this.#writer, entry);
    this.records++;
    this.waiters.push(waiter);
  }

  /** Calls the waiters: their records are accepted. */
  acknowledge(): void {
    this.ackedBytes = this.#writer.length;
    this.ackedRecords = this.records;
    const waiters = this.waiters;
    this.waiters = [];
    for (const waiter of waiters) waiter.durable();
  }

  /** The acknowledged part, for reads; null when there is none. Changes with the next record. */
  acknowledged(): Buffer | null {
    return this.ackedRecords > 0 ? this.#writer.view().subarray(0, this.ackedBytes) : null;
  }

  /** Hands the batch over and begins the next one. */
  seal(): SealedBatch {
    const { records, waiters, ackedBytes, ackedRecords } = this;
    const bytes = this.#writer.copy();
    beginBatch(this.#writer);
    this.records = 0;
    this.waiters = [];
    this.ackedBytes = 0;
    this.ackedRecords = 0;
    return { bytes, records, waiters, ackedBytes, ackedRecords };
  }
}

/** The part of a batch that must be kept though it could not be written; null for nothing. */
export function acknowledgedPart(sealed: SealedBatch): SealedBatch | null {
  const { ackedRecords, ackedBytes } = sealed;
  if (ackedRecords === 0) return null;
  const bytes = sealed.bytes.subarray(0, ackedBytes);
  return { bytes, records: ackedRecords, waiters: [], ackedBytes, ackedRecords };
}

/** Calls the waiters before the batch is written (`relaxed`). */
export function acknowledgeSealed(sealed: SealedBatch): void {
  sealed.ackedBytes = sealed.bytes.length;
  sealed.ackedRecords = sealed.records;
  const waiters = sealed.waiters;
  sealed.waiters = [];
  for (const waiter of waiters) waiter.durable();
}
