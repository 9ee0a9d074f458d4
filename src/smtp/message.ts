/**
 * A mail and a reply as plain values: the contract between `server.ts`, the only file that knows the library, and the rules of
 * the endpoint.
 */

/** A mail that came in whole: its final dot has been seen. */
export interface ReceivedMail {
  /** Sender in the envelope; empty for the null sender. */
  readonly sender: string;
  /** Recipients in the envelope that were accepted, as written. */
  readonly recipients: readonly string[];
  readonly remoteAddr: string;
  /** The message, changed only by unstuffing its dots: all of it, or both its ends when `cut`. */
  readonly bytes: Uint8Array;
  /** Whether `bytes` is only the beginning of the message. */
  readonly cut: boolean;
  /** Time of the final dot in epoch milliseconds, stamped once. */
  readonly receivedAtMs: number;
}

export interface SmtpReply {
  readonly code: number;
  /** Text of the reply in one line, without the code. */
  readonly text: string;
}

/** The endpoint behind the listener. None of its functions throws for what a client can cause. */
export interface MailEndpoint {
  /** Returns null for a mailbox that exists, else the refusal; as a promise where another node has to be asked. Never rejects. */
  refusal(recipient: string): SmtpReply | null | Promise<SmtpReply | null>;
  /** Returns how many bytes of a mail to these recipients are worth keeping. */
  bytesWanted(recipients: readonly string[]): number;
  /** Pings the recipients. `answer` is called once: when the pings are durable, or refused. */
  deliver(mail: ReceivedMail, answer: (reply: SmtpReply) => void): void;
}
