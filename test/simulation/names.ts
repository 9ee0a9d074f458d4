/**
 * Names for what only Knell has ids for: the model and the receivers speak of `c3` and `i1`.
 * Invariant: a name once learned stays, also when what it named is gone.
 */
import type { Engine } from '../../src/engine/contract/engine.ts';
import {
  asChannelId,
  asCheckId,
  asProjectId,
  type ChannelId,
  type CheckId,
  type ProjectId,
} from '../../src/lib/ids.ts';

export class Names {
  readonly #idOf = new Map<string, string>();
  readonly #nameOf = new Map<string, string>();

  learn(name: string, id: string): void {
    this.#idOf.set(name, id);
    this.#nameOf.set(id, name);
  }

  /** Everything that the engine has by now. */
  learnAll({ read }: Engine, nowMs: number): void {
    for (const project of read.projects()) {
      this.learn(project.name, project.id);
      for (const channel of read.channels(project.id)) this.learn(channel.name, channel.id);
      for (const check of read.checks(project.id, nowMs)) this.learn(check.config.name, check.id);
    }
  }

  /** Of the checks that there ever were. */
  get checks(): readonly string[] {
    return [...this.#idOf.keys()].filter((name) => name.startsWith('c'));
  }

  of(id: string): string {
    return this.#nameOf.get(id) ?? `unknown ${id}`;
  }

  check(name: string): CheckId {
    return asCheckId(this.#idOf.get(name) ?? 'no such check');
  }

  channel(name: string): ChannelId {
    return asChannelId(this.#idOf.get(name) ?? 'no such integration');
  }

  project(name: string): ProjectId {
    return asProjectId(this.#idOf.get(name) ?? 'no such project');
  }
}
