/**
 * Counts what an import read, what it took, and what it left out and why: for the closing table.
 * Invariant: every row that was read is either taken or left out with a reason.
 */
import { leftOutNamedMax } from './limits.ts';

/** Kinds in the order of the table. */
export const importedKinds = [
  'projects',
  'keys',
  'users',
  'integrations',
  'checks',
  'pings',
  'status changes',
] as const;
export type ImportedKind = (typeof importedKinds)[number];

interface Count {
  read: number;
  imported: number;
}

export interface LeftOut {
  readonly kind: ImportedKind;
  readonly why: string;
  count: number;
  /** Some of them. */
  readonly names: string[];
}

export class ImportReport {
  readonly #counts = new Map<ImportedKind, Count>(
    importedKinds.map((kind) => [kind, { read: 0, imported: 0 }]),
  );
  readonly #leftOut = new Map<string, LeftOut>();
  /** Notes for the owner before going on, a sentence each. */
  readonly notes: string[] = [];

  read(kind: ImportedKind, count = 1): void {
    this.#count(kind).read += count;
  }

  imported(kind: ImportedKind, count = 1): void {
    this.#count(kind).imported += count;
  }

  leaveOut(kind: ImportedKind, why: string, name = '', count = 1): void {
    const known = this.#leftOut.get(`${kind} ${why}`);
    const entry = known ?? { kind, why, count: 0, names: [] };
    entry.count += count;
    if (name !== '' && entry.names.length < leftOutNamedMax) entry.names.push(name);
    this.#leftOut.set(`${kind} ${why}`, entry);
  }

  get rows(): readonly {
    readonly kind: ImportedKind;
    readonly read: number;
    readonly imported: number;
    readonly left_out: number;
  }[] {
    return importedKinds.map((kind) => {
      const { read, imported } = this.#count(kind);
      return { kind, read, imported, left_out: read - imported };
    });
  }

  get leftOut(): readonly LeftOut[] {
    return [...this.#leftOut.values()];
  }

  #count(kind: ImportedKind): Count {
    const known = this.#counts.get(kind);
    if (known) return known;
    const fresh = { read: 0, imported: 0 };
    this.#counts.set(kind, fresh);
    return fresh;
  }
}
