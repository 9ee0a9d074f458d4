/**
 * The parts that a Knell has started so far.
 * Invariant: the last to start stops first, each once, also where the start of a later one fails.
 */
interface Part {
  stop(): Promise<void> | void;
}

export class Parts {
  readonly #started: Part[] = [];

  keep<P extends Part>(part: P): P {
    this.#started.push(part);
    return part;
  }

  async stop(): Promise<void> {
    for (let part = this.#started.pop(); part; part = this.#started.pop()) await part.stop();
  }
}
