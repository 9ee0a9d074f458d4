/**
 * Something between a node and the others that holds back what the node sends, as a server does that is suspended: from `hold` on.
 * After `pass` it goes another way; what was held is on its way until `deliver`.
 */
import type { Bus } from '../../../src/cluster/bus/bus.ts';

export class HeldBack {
  #held: (() => void)[] | null = null;
  #late: (() => void)[] = [];

  around(bus: Bus): Bus {
    return {
      messageBytesMax: bus.messageBytesMax,
      subscribe: (subject, take) => bus.subscribe(subject, take),
      publish: (subject, message) => {
        const own = Uint8Array.from(message);
        // What nodes say of themselves goes on: it is not asked and answered.
        if (this.#held === null || !/\.(?:requests|answers)\./.test(subject)) bus.publish(subject, own);
        else this.#held.push(() => bus.publish(subject, own));
      },
    };
  }

  /** Messages that are held. */
  get size(): number {
    return this.#held?.length ?? 0;
  }

  hold(): void {
    this.#held = [];
  }

  pass(): void {
    this.#late.push(...(this.#held ?? []));
    this.#held = null;
  }

  deliver(): void {
    for (const send of this.#late.splice(0)) send();
  }
}
