/**
 * Puts asks into messages: those of one turn of the event loop into one, as far as they fit. Not here: when a message is sent.
 * Invariant: no message exceeds what the bus takes; what is larger goes in parts, as the entries of its ask.
 */
import type { PingRequest } from '../../engine/contract/engine.ts';
import { ByteWriter } from '../../store/codec/byte-writer.ts';
import {
  type AskMarks,
  askHeadBytes,
  askKinds,
  beginAsk,
  beginAsks,
  type Client,
  emptyMessageBytesMax,
  endAsk,
  endMessage,
  partBytesMax,
  partHeadBytes,
  writeAgain,
  writeAskPart,
  writeMore,
} from './ask-codec.ts';
import { type ForwardedRequest, httpAskBytesMax, writeHttpAsk } from './http-ask.ts';
import type { Ask, HttpAsk, PingAsk } from './in-flight.ts';
import { pingAskBytesMax, writePingAsk } from './ping-ask.ts';

const moreBytes = askHeadBytes + 6;

interface AskBatchOptions {
  readonly client: Client;
  readonly messageBytesMax: number;
  /** As they are when a message is begun. */
  readonly marks: () => AskMarks;
  readonly send: (message: Uint8Array) => void;
}

export class AskBatch {
  readonly #client: Client;
  readonly #bytesMax: number;
  readonly #partMax: number;
  readonly #marks: () => AskMarks;
  readonly #send: (message: Uint8Array) => void;
  readonly #writer = new ByteWriter(64_000);
  readonly #large = new ByteWriter(1000);
  /** Those whose entries are in the writer. */
  #open: Ask[] = [];
  #isBegun = false;
  /** Of the leader that messages are for; 0 for none: they are not sent. */
  epoch = 0;

  constructor({ client, messageBytesMax, marks, send }: AskBatchOptions) {
    this.#client = client;
    this.#marks = marks;
    this.#bytesMax = messageBytesMax - emptyMessageBytesMax(client);
    this.#partMax = Math.min(partBytesMax, this.#bytesMax - emptyMessageBytesMax(client) - partHeadBytes);
    this.#send = send;
  }

  addPing(ask: PingAsk, request: PingRequest): void {
    const size = pingAskBytesMax(request);
    if (size > this.#partMax) {
      const content = this.#contentOf(size, (writer) => writePingAsk(writer, request));
      this.#addLarge(ask, askKinds.ping, content);
      return;
    }
    const writer = this.#begin(askHeadBytes + size);
    ask.start = writer.length;
    beginAsk(writer, askKinds.ping, ask.number);
    writePingAsk(writer, request);
    endAsk(writer, ask.start);
    ask.end = writer.length;
    this.#open.push(ask);
  }

  /** Its bytes are its own: it may take long, and would keep the pings beside it in memory. */
  addRequest(ask: HttpAsk, request: ForwardedRequest): void {
    const content = this.#contentOf(httpAskBytesMax(request), (writer) => writeHttpAsk(writer, request));
    this.#addLarge(ask, askKinds.http, content);
  }

  addMore(number: number, received: number): void {
    writeMore(this.#begin(moreBytes), number, received);
  }

  /** For another leader. The entries say so if an earlier one may have had them: it is not written on those of no leader. */
  addAgain(ask: Ask): void {
    for (const entry of ask.entries()) {
      const writer = this.#begin(entry.length);
      if (ask.sentEpoch === 0) writer.raw(entry);
      else writeAgain(writer, entry);
    }
    ask.sentTo(this.epoch);
  }

  /** Sends what is there. */
  flush(): void {
    const message = this.#seal();
    if (message !== null && this.epoch !== 0) this.#send(message);
  }

  /** A message without any ask: whether that leader is well, and what time it is there. */
  greeting(epoch: number): Uint8Array {
    const writer = this.#large;
    beginAsks(writer, { ...this.#client, epoch }, this.#marks());
    return endMessage(writer);
  }

  /** Ends the message without sending it: its leader is not the present one. */
  discard(): void {
    const { epoch } = this;
    this.epoch = 0;
    this.#seal();
    this.epoch = epoch;
  }

  #seal(): Uint8Array | null {
    if (!this.#isBegun) return null;
    const message = endMessage(this.#writer);
    for (const ask of this.#open) {
      if (ask.parts === null) ask.message = message;
      ask.sentTo(this.epoch);
    }
    this.#open = [];
    this.#isBegun = false;
    return message;
  }

  /** The writer, with space for `size` more bytes in the message. */
  #begin(size: number): ByteWriter {
    if (this.#isBegun && this.#writer.length + size > this.#bytesMax) this.flush();
    if (!this.#isBegun) {
      beginAsks(this.#writer, { ...this.#client, epoch: this.epoch }, this.#marks());
      this.#isBegun = true;
    }
    this.#writer.reserve(size);
    return this.#writer;
  }

  #contentOf(sizeMax: number, write: (writer: ByteWriter) => void): Uint8Array {
    const writer = this.#large;
    writer.clear();
    writer.reserve(sizeMax);
    write(writer);
    return writer.copy();
  }

  #addLarge(ask: Ask, kind: number, content: Uint8Array): void {
    ask.parts = this.#entriesOf(kind, ask.number, content);
    for (const entry of ask.parts) this.#begin(entry.length).raw(entry);
    this.#open.push(ask);
  }

  #entriesOf(kind: number, number: number, content: Uint8Array): readonly Uint8Array[] {
    const writer = this.#large;
    const entries: Uint8Array[] = [];
    const total = content.length;
    if (total <= this.#partMax) {
      writer.clear();
      writer.reserve(askHeadBytes + total);
      beginAsk(writer, kind, number);
      writer.raw(content);
      endAsk(writer, 0);
      return [writer.copy()];
    }
    for (let offset = 0; offset < total; offset += this.#partMax) {
      writer.clear();
      const bytes = content.subarray(offset, offset + this.#partMax);
      writeAskPart(writer, { kind, number, offset, total, bytes });
      entries.push(writer.copy());
    }
    return entries;
  }
}
