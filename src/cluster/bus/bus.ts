/**
 * Messages between the nodes of a cluster: the contract, which knows no NATS. At most once, in order from one sender to one
 * subject, and lost without a word when nobody listens or the connection is gone: a sender that needs an answer waits for one.
 */
export interface Bus {
  /** Sends a message of at most `messageBytesMax`. Never throws, never waits: a message that cannot be sent is lost. */
  publish(subject: string, message: Uint8Array): void;
  /** `take` must not throw; `message` is its own. */
  subscribe(subject: string, take: (message: Uint8Array) => void): { stop(): void };
  /** 1 MB is what NATS takes by default. */
  readonly messageBytesMax: number;
}
