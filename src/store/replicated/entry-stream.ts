/**
 * The contract of what the replicated log is kept in: messages with consecutive numbers, replicated, with a conditional
 * publish. What JetStream offers and no more, so that everything which decides (`placement`, `claim`, `append-window`,
 * `follower`) is the same over the stream in memory of the tests, where answers are lost and come late.
 *
 * Invariants: a publish is stored only right behind the message whose number it expects, and only once under its id. Any
 * answer may be lost or late, and so may what is published: it may be stored long after nobody waits for it any more.
 */

export interface StreamMessage {
  readonly seq: number;
  readonly id: string;
  readonly bytes: Buffer;
}

export interface StoredMessage extends StreamMessage {
  /** When the leader of that time took it, by its clock; NaN when it does not say so. */
  readonly storedAtMs: number;
}

export interface PublishedMessage {
  readonly id: string;
  readonly bytes: Buffer;
  /** The number of the last message, which this one follows. */
  readonly expectedSeq: number;
}

/**
 * - `stored`: on the disks of a majority, at `seq`; by an earlier attempt under the same id perhaps.
 * - `refused`: the last message has another number. This attempt has stored nothing.
 * - `full`: no space. This attempt has stored nothing.
 * - `busy`: nobody took it, or an earlier attempt is still being stored. Try again.
 */
export type PublishAnswer =
  | { readonly kind: 'stored'; readonly seq: number }
  | { readonly kind: 'refused' | 'full' | 'busy' };

export interface StreamInfo {
  readonly incarnation: string;
  /** The number of the first message that there ever was, or will be. */
  readonly originSeq: number;
  /** Number of the first message that is kept. */
  readonly firstSeq: number;
  /** `firstSeq - 1` while there is no message. */
  readonly lastSeq: number;
}

export interface StreamListener {
  /** Every message that is stored, soon after; some may be lost. In order. */
  message(message: StoredMessage): void;
  /** The connection was gone: messages may have been lost. */
  resumed(): void;
}

export interface EntryStream {
  readonly incarnation: string;
  /** Largest message that can be published, in bytes. */
  readonly messageBytesMax: number;
  /** `answer` is called once or never. Never throws, never waits: what cannot be sent is lost. */
  publish(message: PublishedMessage, answer: (answer: PublishAnswer) => void): void;
  /** Asked of the leader; null when it has no message of this number. Rejects when it does not answer in time. */
  get(seq: number): Promise<StoredMessage | null>;
  /**
   * Messages from `fromSeq` on, one behind the other: `countMax` at most. Answered by any server, from what it has: what comes was
   * stored, but that fewer come, or none, says nothing. Never rejects.
   */
  getMany(fromSeq: number, countMax: number): Promise<readonly StoredMessage[]>;
  /** Asked of the leader. Rejects when it does not answer in time; null when there is no such stream any more. */
  info(): Promise<StreamInfo | null>;
  listen(listener: StreamListener): { stop(): void };
  /** Ends what is in flight. The connection stays open: others use it. */
  close(): Promise<void>;
}
