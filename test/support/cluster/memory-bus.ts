/**
 * A bus in memory with faults: delays, drops, partitions, nodes that stand still as under SIGSTOP. All chance from a seed, all
 * time from a simulated clock. As the contract says, messages from one sender to one subject keep their order.
 */
import type { Bus } from '../../../src/cluster/bus/bus.ts';
import { MB } from '../../../src/lib/units.ts';
import { Random } from '../../simulation/random.ts';
import type { SimulatedClock } from '../engine/simulated-clock.ts';

interface MemoryBusOptions {
  readonly clock: SimulatedClock;
  readonly seed?: number;
  readonly delayMsMax?: number;
  readonly messageBytesMax?: number;
}

interface Subscription {
  readonly node: string;
  readonly subject: string;
  readonly take: (message: Uint8Array) => void;
}

export class MemoryNetwork {
  /** Of 1: how many messages are lost. */
  dropped = 0;
  /** By node, of what it sends from now on: besides the random delay. */
  readonly delayMs = new Map<string, number>();
  /** Each message as it was published. */
  readonly published: { readonly node: string; readonly subject: string; readonly message: Uint8Array }[] =
    [];
  readonly #options: MemoryBusOptions;
  readonly #random: Random;
  readonly #subscriptions = new Set<Subscription>();
  readonly #cut = new Set<string>();
  /** What a node has sent that is held back on its way. */
  readonly #held = new Map<string, (() => void)[]>();
  /** What has come for a node that is paused. */
  readonly #paused = new Map<string, (() => void)[]>();
  /** When the latest message of a sender and a subject is delivered. */
  readonly #deliveredAtMs = new Map<string, number>();

  constructor(options: MemoryBusOptions) {
    this.#options = options;
    this.#random = new Random(options.seed ?? 1);
  }

  bus(node: string): Bus {
    const { messageBytesMax = MB } = this.#options;
    return {
      messageBytesMax,
      publish: (subject, message) => {
        if (message.length > messageBytesMax) throw new Error(`a message of ${message.length} bytes`);
        const own = Uint8Array.from(message);
        this.published.push({ node, subject, message: own });
        for (const to of [...this.#subscriptions]) if (to.subject === subject) this.#send(node, to, own);
      },
      subscribe: (subject, take) => {
        const subscription = { node, subject, take };
        this.#subscriptions.add(subscription);
        return { stop: () => this.#subscriptions.delete(subscription) };
      },
    };
  }

  /** Nothing comes from it nor to it. */
  isolate(node: string): void {
    this.#cut.add(node);
  }

  rejoin(node: string): void {
    this.#cut.delete(node);
  }

  /** What comes waits until it goes on. */
  pause(node: string): void {
    this.#paused.set(node, []);
  }

  resume(node: string): void {
    const waiting = this.#paused.get(node) ?? [];
    this.#paused.delete(node);
    for (const deliver of waiting) deliver();
  }

  /** What it sends from now on is held back on its way, as by a server that is suspended, until it is delivered. */
  hold(node: string): { deliver(): void } {
    const held: (() => void)[] = [];
    this.#held.set(node, held);
    return {
      deliver() {
        for (const send of held.splice(0)) send();
      },
    };
  }

  /** What it sends from now on goes another way. */
  pass(node: string): void {
    this.#held.delete(node);
  }

  #send(from: string, to: Subscription, message: Uint8Array): void {
    const held = this.#held.get(from);
    if (held) {
      held.push(() => this.#deliver(to, message));
      return;
    }
    const isLocal = from === to.node;
    if (!isLocal && (this.#cut.has(from) || this.#cut.has(to.node))) return;
    if (this.dropped > 0 && this.#random.chance(this.dropped)) return;
    const { clock, delayMsMax = 0 } = this.#options;
    const way = `${from} ${to.node} ${to.subject}`;
    const delayMs = (this.delayMs.get(from) ?? 0) + this.#random.below(delayMsMax + 1);
    const earliestMs = this.#deliveredAtMs.get(way) ?? 0;
    const atMs = Math.max(earliestMs, clock.elapsedMs() + delayMs);
    this.#deliveredAtMs.set(way, atMs);
    clock.after(atMs - clock.elapsedMs(), () => this.#deliver(to, message));
  }

  #deliver(to: Subscription, message: Uint8Array): void {
    const deliver = (): void => {
      if (this.#subscriptions.has(to)) to.take(Uint8Array.from(message));
    };
    const waiting = this.#paused.get(to.node);
    if (waiting) waiting.push(deliver);
    else deliver();
  }
}
