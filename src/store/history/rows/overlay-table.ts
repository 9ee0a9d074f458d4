/**
 * A table as a read or a snapshot would have it: what is written lies in memory over the stored rows and goes with the object. Only
 * for reading and writing single rows. Invariant: the table below stays as it is.
 */
import type { Table } from '../../disk/lmdb-env.ts';

type Below = Pick<Table, 'get' | 'scan'>;

export class OverlayTable implements Pick<Table, 'get' | 'put' | 'remove' | 'scan'> {
  readonly #below: Below;
  /** Maps a key as latin1 to its row; null: removed. */
  readonly #rows = new Map<string, Buffer | null>();

  constructor(below: Below) {
    this.#below = below;
  }

  get(key: Uint8Array): Buffer | null {
    const row = this.#rows.get(textOf(key));
    return row === undefined ? this.#below.get(key) : row;
  }

  put(key: Uint8Array, value: Uint8Array): void {
    this.#rows.set(textOf(key), Buffer.from(value));
  }

  remove(key: Uint8Array): void {
    this.#rows.set(textOf(key), null);
  }

  /** Scans in the order of keys. */
  scan(
    { start, end }: { readonly start: Uint8Array; readonly end: Uint8Array },
    visit: (key: Buffer, value: Buffer) => unknown,
  ): void {
    const found = new Map<string, Buffer>();
    this.#below.scan({ start, end }, (key, value) => {
      found.set(textOf(key), Buffer.from(value));
    });
    const [from, until] = [textOf(start), textOf(end)];
    for (const [text, value] of this.#rows) {
      if (text < from || text >= until) continue;
      if (value) found.set(text, value);
      else found.delete(text);
    }
    for (const [text, value] of [...found].sort(([one], [other]) => (one < other ? -1 : 1)))
      visit(Buffer.from(text, 'latin1'), value);
  }
}

function textOf(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
}
