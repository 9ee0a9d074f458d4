/**
 * Puts requests into messages: those of one turn of the event loop into one, as far as they fit. Not here: when a message is sent.
 * Invariant: no message exceeds what the bus takes; what is larger goes in parts, as the entries of its request.
 */
import type { PingRequest } from '../../engine/contract/engine.ts';
import { ByteWriter } from '../../store/codec/byte-writer.ts';
import { requestPartBytesMax } from '../bus/limits.ts';
import { forwardedPingBytesMax, writeForwardedPing } from './forwarded-ping.ts';
import {
  type ForwardedRequest,
  forwardedRequestBytesMax,
  writeForwardedRequest,
} from './forwarded-request.ts';
import type { Pending, PendingHttp, PendingPing } from './in-flight.ts';
import {
  beginRequest,
  beginRequests,
  type Client,
  emptyMessageBytesMax,
  endMessage,
  endRequest,
  partHeadBytes,
  type RequestMarks,
  requestHeadBytes,
  requestKinds,
  writeAgain,
  writeMore,
  writeRequestPart,
} from './request-codec.ts';

const moreBytes = requestHeadBytes + 6;

interface RequestBatchOptions {
  readonly client: Client;
  readonly messageBytesMax: number;
  /** The marks at the time when a message is begun. */
  readonly marks: () => RequestMarks;
  readonly send: (message: Uint8Array) => void;
}

export class RequestBatch {
  readonly #client: Client;
  readonly #bytesMax: number;
  readonly #partMax: number;
  readonly #marks: () => RequestMarks;
  readonly #send: (message: Uint8Array) => void;
  readonly #writer = new ByteWriter(64_000);
  readonly #large = new ByteWriter(1000);
  /** Requests whose entries are in the writer. */
  #open: Pending[] = [];
  #isBegun = false;
  /** Epoch of the leader that messages are for; 0 for none: they are not sent. */
  epoch = 0;

  constructor({ client, messageBytesMax, marks, send }: RequestBatchOptions) {
    this.#client = client;
    this.#marks = marks;
    this.#bytesMax = messageBytesMax - emptyMessageBytesMax(client);
    this.#partMax = Math.min(
      requestPartBytesMax,
      this.#bytesMax - emptyMessageBytesMax(client) - partHeadBytes,
    );
    this.#send = send;
  }

  addPing(pending: PendingPing, request: PingRequest): void {
    const size = forwardedPingBytesMax(request);
    if (size > this.#partMax) {
      const content = this.#contentOf(size, (writer) => writeForwardedPing(writer, request));
      this.#addLarge(pending, requestKinds.ping, content);
      return;
    }
    const writer = this.#begin(requestHeadBytes + size);
    pending.start = writer.length;
    beginRequest(writer, requestKinds.ping, pending.number);
    writeForwardedPing(writer, request);
    endRequest(writer, pending.start);
    pending.end = writer.length;
    this.#open.push(pending);
  }

  /** Its bytes are its own: it may take long, and would keep the pings beside it in memory. */
  addRequest(pending: PendingHttp, request: ForwardedRequest): void {
    const content = this.#contentOf(forwardedRequestBytesMax(request), (writer) =>
      writeForwardedRequest(writer, request),
    );
    this.#addLarge(pending, requestKinds.http, content);
  }

  addMore(number: number, received: number): void {
    writeMore(this.#begin(moreBytes), number, received);
  }

  /** Adds a request for another leader. Its entries say so if an earlier leader may have had them; those sent to none do not. */
  addAgain(pending: Pending): void {
    for (const entry of pending.entries()) {
      const writer = this.#begin(entry.length);
      if (pending.sentEpoch === 0) writer.raw(entry);
      else writeAgain(writer, entry);
    }
    pending.sentTo(this.epoch);
  }

  /** Sends what is there. */
  flush(): void {
    const message = this.#seal();
    if (message !== null && this.epoch !== 0) this.#send(message);
  }

  /** A message without any request: whether that leader is well, and what time it is there. */
  greeting(epoch: number): Uint8Array {
    const writer = this.#large;
    beginRequests(writer, { ...this.#client, epoch }, this.#marks());
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
    for (const pending of this.#open) {
      if (pending.parts === null) pending.message = message;
      pending.sentTo(this.epoch);
    }
    this.#open = [];
    this.#isBegun = false;
    return message;
  }

  /** The writer, with space for `size` more bytes in the message. */
  #begin(size: number): ByteWriter {
    if (this.#isBegun && this.#writer.length + size > this.#bytesMax) this.flush();
    if (!this.#isBegun) {
      beginRequests(this.#writer, { ...this.#client, epoch: this.epoch }, this.#marks());
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

  #addLarge(pending: Pending, kind: number, content: Uint8Array): void {
    pending.parts = this.#entriesOf(kind, pending.number, content);
    for (const entry of pending.parts) this.#begin(entry.length).raw(entry);
    this.#open.push(pending);
  }

  #entriesOf(kind: number, number: number, content: Uint8Array): readonly Uint8Array[] {
    const writer = this.#large;
    const entries: Uint8Array[] = [];
    const total = content.length;
    if (total <= this.#partMax) {
      writer.clear();
      writer.reserve(requestHeadBytes + total);
      beginRequest(writer, kind, number);
      writer.raw(content);
      endRequest(writer, 0);
      return [writer.copy()];
    }
    for (let offset = 0; offset < total; offset += this.#partMax) {
      writer.clear();
      const bytes = content.subarray(offset, offset + this.#partMax);
      writeRequestPart(writer, { kind, number, offset, total, bytes });
      entries.push(writer.copy());
    }
    return entries;
  }
}
