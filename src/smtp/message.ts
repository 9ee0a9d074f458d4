/**
 * A mail as plain values and a reply as plain values: the contract between `server.ts`, which alone knows the native
 * library, and the endpoint's own rules.
 */

/** A mail as it came in, whole: its final dot has been seen. */
export interface ReceivedMail {
  /** The envelope's sender; empty for the null sender. */
  readonly sender: string;
  /** The envelope's recipients that were accepted, as written. */
  readonly recipients: readonly string[];
  readonly remoteAddr: string;
  /** The message, dots unstuffed and nothing else changed: all of it, or its beginning when `cut`. */
  readonly bytes: Uint8Array;
  /** `bytes` is not the whole message. */
  readonly cut: boolean;
  /** Epoch milliseconds of the final dot, stamped once. */
  readonly receivedAtMs: number;
}

export interface SmtpReply {
  readonly code: number;
  /** One line, without the code. */
  readonly text: string;
}

/** The endpoint behind the listener. None of it throws for what a client can cause. */
export interface MailEndpoint {
  /** Null for a mailbox that there is, else the refusal; later, where another node has to say so. Never rejects. */
  refusal(recipient: string): SmtpReply | null | Promise<SmtpReply | null>;
  /** Bytes of a mail to these recipients that are worth keeping. */
  bytesWanted(recipients: readonly string[]): number;
  /** `answer` is called once: when the pings are durable, or refused. */
  deliver(mail: ReceivedMail, answer: (reply: SmtpReply) => void): void;
}
