/**
 * Requests that are too large for one message, put together again. Messages of a client come in order: a part that does not follow
 * the one before it means that a message was lost, and the request with it.
 * Invariant: at most `bytesMax` are in memory; the request that began first goes when they are not enough.
 */
import { ByteReader } from '../../store/codec/byte-reader.ts';
import type { RequestHead } from './request-codec.ts';

interface Begun {
  readonly bytes: Buffer;
  received: number;
}

export class RequestParts {
  readonly #bytesMax: number;
  readonly #begun = new Map<string, Begun>();
  readonly #reader = new ByteReader();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** A reader of the whole content with its last part; null before. */
  add(client: number, { kind, number, offset, total }: RequestHead, part: Uint8Array): ByteReader | null {
    const key = `${client} ${kind} ${number}`;
    if (offset === 0) this.#begin(key, total);
    const begun = this.#begun.get(key);
    if (begun === undefined) return null;
    if (offset !== begun.received || offset + part.length > begun.bytes.length) {
      this.#drop(key, begun);
      return null;
    }
    begun.bytes.set(part, offset);
    begun.received += part.length;
    if (begun.received < begun.bytes.length) return null;
    this.#drop(key, begun);
    return this.#reader.open(begun.bytes);
  }

  clear(): void {
    this.#begun.clear();
    this.#bytes = 0;
  }

  #begin(key: string, total: number): void {
    const before = this.#begun.get(key);
    if (before) this.#drop(key, before);
    if (total > this.#bytesMax) return;
    for (const [oldKey, old] of this.#begun) {
      if (this.#bytes + total <= this.#bytesMax) break;
      this.#drop(oldKey, old);
    }
    this.#begun.set(key, { bytes: Buffer.allocUnsafeSlow(total), received: 0 });
    this.#bytes += total;
  }

  #drop(key: string, begun: Begun): void {
    this.#begun.delete(key);
    this.#bytes -= begun.bytes.length;
  }
}
