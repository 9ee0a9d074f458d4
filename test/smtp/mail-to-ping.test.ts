/** The endpoint's rules without a socket: full disks, several recipients, what is asked of the engine and when. */
import { expect, test } from 'vitest';
import type { Mailbox, PingOutcome, PingRequest } from '../../src/engine/contract/engine.ts';
import { silentLogger } from '../../src/lib/logger.ts';
import { createMailEndpoint } from '../../src/smtp/mail-to-ping.ts';
import type { SmtpReply } from '../../src/smtp/message.ts';
import { replyTo } from '../../src/smtp/replies.ts';

const ids = [1, 2, 3].map((n) => `3c1169a0-0000-4000-8000-00000000000${n}`);
const mail = {
  sender: 'a@b.c',
  recipients: ids.map((id) => `${id}@x`),
  remoteAddr: '192.0.2.1',
  bytes: Buffer.from('hello'),
  cut: false,
  receivedAtMs: 7,
};

class FakeEngine {
  readonly requests: PingRequest[] = [];
  readonly answers: ((outcome: PingOutcome) => void)[] = [];
  state: Mailbox = 'open';
  readonly read = { mailbox: (): Mailbox => this.state };

  acceptPing<Who>(request: PingRequest, answer: (outcome: PingOutcome, who: Who) => void, who: Who): void {
    this.requests.push(request);
    this.answers.push((outcome) => answer(outcome, who));
  }
}

function endpointOf(engine: FakeEngine, readMail: () => Promise<{ subject: string; texts: string[] }>) {
  return createMailEndpoint({
    engine,
    domain: 'x',
    readMail,
    pingBodyBytesMax: 3,
    mailBytesMax: 10,
    userAgentCharsMax: 12,
    logger: silentLogger,
  });
}

const unused = () => Promise.reject(new Error('this mail should not be read'));

test('a mail is answered when the last of its pings is durable', () => {
  const engine = new FakeEngine();
  const replies: SmtpReply[] = [];
  endpointOf(engine, unused).deliver(mail, (reply) => replies.push(reply));
  expect(engine.requests.length).toBe(3);
  expect(engine.requests[0]).toMatchObject({
    ua: 'Email from a',
    scheme: 'email',
    method: '',
    receivedAtMs: 7,
  });
  expect(Buffer.from(engine.requests[0]?.body ?? []).toString()).toBe('llo');
  for (const answer of engine.answers.slice(0, 2)) answer('ok');
  expect(replies).toEqual([]);
  engine.answers[2]?.('ok');
  expect(replies.map(({ code }) => code)).toEqual([250]);
});

test.each<[PingOutcome[], number]>([
  [['ok'], 250],
  [['ok', 'not-found'], 250],
  [['not-found', 'ok'], 250],
  [['ok', 'store-full', 'ok'], 451],
  [['not-found', 'store-full'], 451],
  [['not-found', 'log-silent'], 451],
  [['ok', 'unavailable'], 451],
  [['not-found'], 550],
  [['ambiguous', 'not-found'], 550],
  [[], 550],
])('%j is answered with %i', (outcomes, code) => {
  expect(replyTo(outcomes).code).toBe(code);
});

test('a mail is read only for a check that filters, once for all recipients', async () => {
  const engine = new FakeEngine();
  engine.state = 'filters';
  let reads = 0;
  const endpoint = endpointOf(engine, async () => {
    reads++;
    return { subject: 's', texts: ['t'] };
  });
  endpoint.deliver(mail, () => {});
  await new Promise((resolve) => setImmediate(resolve));
  expect(reads).toBe(1);
  expect(engine.requests.map(({ searchable }) => searchable)).toEqual(
    ids.map(() => ({ via: 'mail', subject: 's', texts: ['t'] })),
  );
  expect([endpoint.bytesWanted(mail.recipients), endpoint.bytesWanted([])]).toEqual([10, 3]);
});

test('half a mail decides nothing for a check that filters, and a bug is no verdict', async () => {
  const engine = new FakeEngine();
  engine.state = 'filters';
  const codes: number[] = [];
  endpointOf(engine, unused).deliver({ ...mail, cut: true }, ({ code }) => codes.push(code));
  endpointOf(engine, unused).deliver(mail, ({ code }) => codes.push(code));
  await new Promise((resolve) => setImmediate(resolve));
  expect([codes, engine.requests]).toEqual([[451, 451], []]);
});
