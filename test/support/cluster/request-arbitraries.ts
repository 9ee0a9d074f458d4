/** Arbitrary pings and HTTP requests as a client may hand them to the leader. */
import fc from 'fast-check';
import type { ForwardedReply, ForwardedRequest } from '../../../src/cluster/requests/forwarded-request.ts';
import { pingActions } from '../../../src/domain/check/classify.ts';
import type { PingRequest, PingTarget } from '../../../src/engine/contract/engine.ts';
import { asRunId } from '../../../src/lib/ids.ts';
import { uuidWordsOf } from '../../../src/lib/uuid-words.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'grapheme-ascii', minLength: 60, maxLength: 140 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
);
const instant = fc.double({ min: 0, max: 8.64e15, noNaN: true });
const bytes = fc.uint8Array({ maxLength: 300 });

const settings = fc.option(
  fc.oneof(
    fc.constant('bad' as const),
    fc.record(
      { config: fc.record({ name: text, timeoutS: fc.nat() }, { requiredKeys: [] }), channels: text },
      { requiredKeys: ['config'] },
    ),
  ),
);

const target: fc.Arbitrary<PingTarget> = fc.oneof(
  fc.uuid().map((uuid): PingTarget => {
    const words = uuidWordsOf(uuid);
    return words ? { by: 'uuid', uuid: words } : { by: 'mailbox', pingKey: '', slug: '' };
  }),
  fc.record({ by: fc.constant('slug' as const), pingKey: text, slug: text, create: fc.boolean(), settings }),
  fc.record({ by: fc.constant('mailbox' as const), pingKey: text, slug: text }),
);

const searchable: fc.Arbitrary<PingRequest['searchable']> = fc.oneof(
  fc.record({ via: fc.constant('mail' as const), subject: text, texts: fc.array(text, { maxLength: 3 }) }),
  fc.constant({ via: 'mail-unread' as const }),
  fc.constant({ via: 'by-hand' as const }),
  fc.record({ via: fc.constant('http' as const), body: bytes }),
);

export const anyPingRequest: fc.Arbitrary<PingRequest> = fc
  .record({
    target,
    error: fc.constantFrom(null, 'bad-exit-status' as const, 'bad-run-id' as const),
    action: fc.constantFrom(...pingActions),
    host: fc.constantFrom('', 'db-1'),
    results: fc.array(fc.record({ name: text, value: fc.double({ noNaN: true }) }), { maxLength: 20 }),
    exitStatus: fc.oneof(
      fc.constant(null),
      fc.nat(255),
      fc.constantFrom(256, 1e21, Number.POSITIVE_INFINITY),
    ),
    rid: fc.option(fc.uuid().map(asRunId)),
    scheme: fc.constantFrom('http' as const, 'https' as const, 'email' as const),
    method: fc.oneof(fc.constantFrom('', 'GET', 'POST', 'HEAD'), text),
    remoteAddr: text,
    ua: text,
    body: bytes,
    searchable,
    receivedAtMs: instant,
    isOwnBody: fc.boolean(),
  })
  .map(({ isOwnBody, ...request }) =>
    isOwnBody ? { ...request, searchable: { via: 'http', body: request.body } } : request,
  );

const headerName = fc.stringMatching(/^[a-z-]{1,20}$/);

export const anyForwardedRequest: fc.Arbitrary<ForwardedRequest> = fc.record({
  method: text,
  path: text,
  query: text,
  apiKey: fc.option(text),
  headers: fc.dictionary(headerName, text, { maxKeys: 5, noNullPrototype: true }),
  trusted: fc.boolean(),
  userAgent: text,
  scheme: fc.constantFrom('http' as const, 'https' as const),
  remoteAddr: text,
  clientAddr: text,
  body: bytes,
  bodyCut: fc.boolean(),
  receivedAtMs: instant,
  idempotencyKey: fc.option(fc.uuid(), { nil: undefined }),
});

export const anyForwardedReply: fc.Arbitrary<ForwardedReply> = fc.record({
  status: fc.integer({ min: 100, max: 599 }),
  headers: fc.array(fc.tuple(headerName, text), { maxLength: 5 }),
  body: fc.oneof(
    text,
    bytes,
    fc.array(bytes, { maxLength: 4 }).map((parts) => ({
      parts,
      length: parts.reduce((sum, part) => sum + part.length, 0),
    })),
  ),
});
