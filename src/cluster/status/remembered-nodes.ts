/**
 * The nodes' last statuses, kept in this node's data directory: a node that does not run cannot say what it holds, and a node
 * that has kept its status may have been restarted since. Not here: what nodes say (`node-status`).
 * Invariant: a file that is missing or damaged is an empty one. Nothing is decided by it that a person is not asked about.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rememberedNodesLimits } from '../bus/limits.ts';
import { type HeldData, readHeld } from './held.ts';
import type { KnownNode } from './node-status.ts';

const fileName = 'cluster-nodes.json';

export interface RememberedNode {
  readonly name: string;
  readonly held: HeldData | null;
  /** Epoch milliseconds of this machine's clock. */
  readonly saidAtMs: number;
}

export class RememberedNodes {
  readonly #file: string;
  readonly #byName: Map<string, RememberedNode>;
  #writtenAtMs = Number.NEGATIVE_INFINITY;

  constructor(dataDir: string) {
    this.#file = join(dataDir, fileName);
    this.#byName = new Map(rememberedIn(dataDir).map((node) => [node.name, node]));
  }

  /** All remembered nodes, sorted by name. */
  get all(): readonly RememberedNode[] {
    return [...this.#byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Once a second; the file follows some seconds later, or at once with `now`. */
  note(nodes: readonly KnownNode[], nowMs: number, now = false): void {
    for (const { name, held, saidAtMs } of nodes)
      if (held !== null) this.#byName.set(name, { name, held, saidAtMs });
    for (const { name, saidAtMs } of this.all)
      if (saidAtMs < nowMs - rememberedNodesLimits.keptMs) this.#byName.delete(name);
    if (!now && Math.abs(nowMs - this.#writtenAtMs) < rememberedNodesLimits.everyMs) return;
    this.#writtenAtMs = nowMs;
    this.#write();
  }

  #write(): void {
    try {
      writeFileSync(`${this.#file}.new`, JSON.stringify(this.all), { mode: 0o600 });
      renameSync(`${this.#file}.new`, this.#file);
    } catch {
      // The directory is not there yet, or its disk is full: it is only a help, and tried again.
    }
  }
}

/** The nodes that the node of that data directory has noted; it may run meanwhile. */
export function rememberedIn(dataDir: string): readonly RememberedNode[] {
  try {
    const said: unknown = JSON.parse(readFileSync(join(dataDir, fileName), 'utf8'));
    return Array.isArray(said) ? said.flatMap(readRemembered) : [];
  } catch {
    return [];
  }
}

function readRemembered(said: unknown): readonly RememberedNode[] {
  if (typeof said !== 'object' || said === null) return [];
  const { name, held, saidAtMs } = said as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || typeof saidAtMs !== 'number') return [];
  return [{ name, held: readHeld(held), saidAtMs }];
}
