/** The bytes between clients and the leader: there and back, and what damage does to them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  forwardedPingBytesMax,
  ReadPing,
  writeForwardedPing,
} from '../../../src/cluster/requests/forwarded-ping.ts';
import {
  forwardedRequestBytesMax,
  Pieces,
  readForwardedRequest,
  readReply,
  replyBytes,
  writeForwardedRequest,
} from '../../../src/cluster/requests/forwarded-request.ts';
import {
  answerKinds,
  beginAnswers,
  beginRequest,
  beginRequests,
  endMessage,
  endRequest,
  openAnswers,
  openRequests,
  RequestHead,
  readHttpAnswer,
  readOutcome,
  requestHeadBytes,
  requestKinds,
  writeAgain,
  writeHttpAnswer,
  writeMore,
  writePingAnswer,
  writeRequestPart,
} from '../../../src/cluster/requests/request-codec.ts';
import { type PingRequest, pingOutcomes } from '../../../src/engine/contract/engine.ts';
import { UuidWords } from '../../../src/lib/uuid-words.ts';
import { ByteReader } from '../../../src/store/codec/byte-reader.ts';
import { ByteWriter } from '../../../src/store/codec/byte-writer.ts';
import {
  anyForwardedReply,
  anyForwardedRequest,
  anyPingRequest,
} from '../../support/cluster/request-arbitraries.ts';

const head = { name: 'a', id: 0xfedcba98, epoch: 2 ** 40 };
const marks = { echoMs: 1234.5, sentAtMs: 1_700_000_000_500, lowestPing: 7, lowestRequest: 2 ** 40 + 3 };
const stampMs = 98_765.25;
const writer = new ByteWriter(64);
const reader = new ByteReader();

function pingsMessage(requests: readonly PingRequest[]): Buffer {
  beginRequests(writer, head, marks);
  for (const [number, request] of requests.entries()) {
    writer.reserve(requestHeadBytes + forwardedPingBytesMax(request));
    const start = writer.length;
    beginRequest(writer, requestKinds.ping, number);
    writeForwardedPing(writer, request);
    endRequest(writer, start);
    expect(writer.length - start).toBeLessThanOrEqual(requestHeadBytes + forwardedPingBytesMax(request));
  }
  return endMessage(writer);
}

/** In memory of its own, as bytes and words. */
function plain({ target, error, action, exitStatus, rid, host, scheme, method, ...rest }: PingRequest) {
  const { remoteAddr, ua, body, searchable, receivedAtMs } = rest;
  const ownTarget = target.by === 'uuid' ? { ...target.uuid } : { ...target };
  const own = searchable.via === 'http' ? { via: 'http', body: [...searchable.body] } : searchable;
  const facts = { error, action, exitStatus, rid, host, scheme, method, remoteAddr, ua, receivedAtMs };
  return { ...facts, target: ownTarget, body: [...body], searchable: own };
}

describe('pings', () => {
  test('come back as they were, in their order, however many are in a message', () => {
    const ping = new ReadPing();
    const pending = new RequestHead();
    const holds = (requests: readonly PingRequest[]): void => {
      expect(openRequests(reader, pingsMessage(requests))).toEqual({ ...head, ...marks });
      for (const [number, request] of requests.entries()) {
        pending.read(reader);
        expect(pending).toMatchObject({ kind: requestKinds.ping, number, again: false, part: false });
        expect(plain(ping.read(reader))).toEqual(plain(request));
        expect(reader.at).toBe(pending.end);
      }
      expect(reader.left).toBe(0);
    };
    fc.assert(fc.property(fc.array(anyPingRequest, { maxLength: 5 }), holds));
  });

  test('that are sent again say so, and are the same otherwise', () => {
    fc.assert(
      fc.property(anyPingRequest, (request) => {
        const message = pingsMessage([request]);
        openRequests(reader, message);
        const entry = message.subarray(reader.at, reader.end);
        beginRequests(writer, { ...head, epoch: 7 }, marks);
        writeAgain(writer, entry);
        expect(openRequests(reader, endMessage(writer))).toEqual({ ...head, ...marks, epoch: 7 });
        const pending = new RequestHead();
        pending.read(reader);
        expect(pending.again).toBe(true);
        expect(plain(new ReadPing().read(reader))).toEqual(plain(request));
      }),
    );
  });
});

test('the bytes of version 2 stay what they are: nodes of two versions talk to each other', () => {
  const uuid = new UuidWords();
  uuid.parse('00112233-4455-6677-8899-aabbccddeeff');
  const body = Buffer.from('ok');
  const ping: PingRequest = {
    target: { by: 'uuid', uuid },
    error: null,
    action: 'fail',
    exitStatus: 3,
    rid: null,
    host: '',
    results: [],
    scheme: 'https',
    method: 'POST',
    remoteAddr: '::1',
    ua: 'curl',
    body,
    searchable: { via: 'http', body },
    receivedAtMs: 1_700_000_000_000,
  };
  expect(pingsMessage([ping]).toString('hex')).toBe(
    '0201000000000000704298badcfe016100000000004a934000409f56febc78420000000000001c4000300000000070420100000000000000003200000000560200008056febc784200112233445566778899aabbccddeeff033a3a31046375726c0000000000000840020000006f6b12320959',
  );
  beginAnswers(writer, head, stampMs);
  writer.reserve(100);
  writePingAnswer(writer, 1, 'created');
  writeHttpAnswer(writer, { number: 2, offset: 0, total: 2, bytes: body });
  expect(endMessage(writer).toString('hex')).toBe(
    '0202000000000000704298badcfe016100000000d41cf84001000000000000f03f01020000000000000040000000000000020000000000020000006f6b226c89d5',
  );
});

describe('HTTP', () => {
  test('requests come back as they were, in parts too', () => {
    const whole = new ByteWriter(64);
    const holds = (request: Parameters<typeof writeForwardedRequest>[1], size: number): void => {
      whole.clear();
      whole.reserve(forwardedRequestBytesMax(request));
      writeForwardedRequest(whole, request);
      const content = whole.copy();
      expect(content.length).toBeLessThanOrEqual(forwardedRequestBytesMax(request));
      beginRequests(writer, head, marks);
      for (let offset = 0; offset < content.length; offset += size) {
        const bytes = content.subarray(offset, offset + size);
        writeRequestPart(writer, {
          kind: requestKinds.http,
          number: 3,
          offset,
          total: content.length,
          bytes,
        });
      }
      openRequests(reader, endMessage(writer));
      const parts: Buffer[] = [];
      const pending = new RequestHead();
      while (reader.left > 0) {
        pending.read(reader);
        expect(pending).toMatchObject({
          kind: requestKinds.http,
          part: true,
          number: 3,
          total: content.length,
        });
        expect(pending.offset).toBe(Buffer.concat(parts).length);
        parts.push(reader.raw(pending.end - reader.at));
      }
      expect(readForwardedRequest(new ByteReader(Buffer.concat(parts)))).toEqual(request);
    };
    fc.assert(fc.property(anyForwardedRequest, fc.integer({ min: 1, max: 400 }), holds));
  });

  test('replies come back as the same bytes, whatever parts they are in', () => {
    const bytesOf = (body: Parameters<typeof replyBytes>[0]['body']): Buffer =>
      Buffer.concat(
        typeof body === 'string' ? [Buffer.from(body)] : body instanceof Uint8Array ? [body] : body.parts,
      );
    fc.assert(
      fc.property(anyForwardedReply, fc.nat(400), (reply, extra) => {
        const pieces = new Pieces(replyBytes(reply));
        const headBytes = replyBytes({ ...reply, body: '' })[0]?.length ?? 0;
        const parts: Uint8Array[] = [];
        while (pieces.offset < pieces.length || parts.length === 0) {
          const offset = pieces.offset;
          beginAnswers(writer, head, stampMs);
          const bytes = pieces.take(headBytes + extra);
          writeHttpAnswer(writer, { number: 5, offset, total: pieces.length, bytes });
          openAnswers(reader, endMessage(writer));
          expect(reader.u8()).toBe(answerKinds.http);
          const part = readHttpAnswer(reader);
          expect([part.number, part.offset, part.total]).toEqual([5, offset, pieces.length]);
          parts.push(part.bytes);
        }
        const read = readReply(new ByteReader(), parts);
        expect([read.status, read.headers]).toEqual([reply.status, reply.headers]);
        expect(bytesOf(read.body).equals(bytesOf(reply.body))).toBe(true);
      }),
    );
  });

  test('a client says how much of a reply has come', () => {
    beginRequests(writer, head, marks);
    writeMore(writer, 9, 2 ** 40);
    openRequests(reader, endMessage(writer));
    const pending = new RequestHead();
    pending.read(reader);
    expect([pending.kind, pending.number, reader.u48()]).toEqual([requestKinds.more, 9, 2 ** 40]);
  });
});

test('every outcome has its byte, and one that is not known asks for another try', () => {
  beginAnswers(writer, head, stampMs);
  writer.reserve(200);
  for (const outcome of pingOutcomes) writePingAnswer(writer, 1, outcome);
  writer.u8(255);
  openAnswers(reader, endMessage(writer));
  const read = pingOutcomes.map(() => [reader.u8(), reader.f64(), readOutcome(reader)]);
  expect(read).toEqual(pingOutcomes.map((outcome) => [answerKinds.ping, 1, outcome]));
  expect(readOutcome(reader)).toBe('unavailable');
});

describe('a message', () => {
  test('that was cut off or has a flipped bit is refused as a whole', () => {
    const message = fc.array(anyPingRequest, { maxLength: 3 }).map(pingsMessage);
    fc.assert(
      fc.property(message, fc.nat(), fc.nat(7), (bytes, at, bit) => {
        expect(openRequests(reader, bytes.subarray(0, at % bytes.length))).toBeNull();
        const flipped = Buffer.from(bytes);
        flipped[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ (1 << bit);
        expect(openRequests(reader, flipped)).toBeNull();
      }),
    );
  });

  test('of a newer format or of the other kind is refused, and so are bytes of any kind', () => {
    const message = pingsMessage([]);
    expect(openAnswers(reader, message)).toBeNull();
    const newer = Buffer.from(message);
    newer[0] = 3;
    expect(openRequests(reader, newer)).toBeNull();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(openRequests(reader, bytes)).toBeNull();
      }),
    );
  });
});
