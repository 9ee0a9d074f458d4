/** What is kept of bodies, and what all of them together may keep. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../../src/config.ts';
import { BodyBudget, BodyReader } from '../../../src/http/wire/body-reader.ts';
import { bothEnds } from '../../../src/lib/both-ends.ts';
import { Knell } from '../../support/knell.ts';
import { ownerPage } from '../../support/page/page-client.ts';
import { eventually } from '../../support/patience.ts';
import { bodyIn, exchange, OpenExchange, statusesIn } from '../../support/wire/raw-http.ts';

describe('a body', () => {
  test('is kept up to its limit, in its own memory, and what was cut is reported', () => {
    const reader = new BodyReader(new BodyBudget(100), 5);
    const chunk = new TextEncoder().encode('abc');
    reader.take(chunk);
    chunk.fill(0);
    reader.take(new TextEncoder().encode('defg'));
    expect(Buffer.from(reader.body()).toString()).toBe('abcde');
    expect(reader.cut).toBe(true);
  });

  test.each([false, true])(
    'of any chunks is their beginning, or both ends (%s), takes at most twice its length, and gives all of it back once',
    (keepsEnd) => {
      const chunks = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 });
      fc.assert(
        fc.property(chunks, fc.integer({ min: 0, max: 2000 }), (parts, bytesMax) => {
          const budget = new BodyBudget(1_000_000);
          const reader = new BodyReader(budget, bytesMax, keepsEnd);
          for (const part of parts) reader.take(part);
          const whole = Buffer.concat(parts);
          const kept = reader.body();
          const wanted = keepsEnd ? Buffer.from(bothEnds(whole, bytesMax)) : whole.subarray(0, bytesMax);
          expect(Buffer.from(kept)).toEqual(wanted);
          expect(reader.cut).toBe(whole.length > bytesMax);
          expect(budget.used).toBeLessThanOrEqual(Math.min(bytesMax, 2 * whole.length));
          reader.release();
          reader.release();
          expect(budget.used).toBe(0);
          expect(Buffer.from(kept)).toEqual(wanted);
        }),
      );
    },
  );

  test('for which the budget has nothing left keeps nothing, and no byte of it is counted', () => {
    const budget = new BodyBudget(10);
    const [first, second] = [new BodyReader(budget, 100), new BodyReader(budget, 100)];
    first.take(new Uint8Array(8));
    second.take(new Uint8Array(2));
    second.take(new Uint8Array(2));
    expect([first.overBudget, second.overBudget, budget.used]).toEqual([false, true, 8]);
    second.take(new Uint8Array(1));
    expect(budget.used).toBe(8);
  });
});

describe('bodies in flight', () => {
  let knell: Knell;
  const listeners = [() => knell.app.httpUrl, () => knell.app.compatUrl ?? ''];

  beforeAll(async () => {
    knell = await Knell.start({ env: { KNELL_HTTP_COMPAT: '127.0.0.1:0' } });
  });

  afterAll(() => knell.stop());

  const inFlight = (): number => {
    const found = knell.app.meter.collect().find(({ name }) => name === 'knell_http_bodies_bytes');
    return found?.kind === 'gauge' ? (found.series[0]?.value ?? -1) : -1;
  };

  const head = (path: string, length: number, more = ''): string =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${more}\r\n`;

  test.each(listeners)('of strangers keep no more than 16 kB each, at listener %#', async (url) => {
    const almost = 900_000;
    const senders = await Promise.all(
      Array.from({ length: 100 }, () => OpenExchange.begin(url(), head('/web/sign-in', 1_000_000))),
    );
    for (const sender of senders) sender.write(Buffer.alloc(almost, 'x'));
    await eventually(() => expect(inFlight()).toBe(100 * limits.strangerBodyBytesMax));
    for (const sender of senders) sender.vanish();
    await eventually(() => expect(inFlight()).toBe(0));
  });

  test.each(listeners)(
    'of those who hold a key have one budget; beyond it 503, at listener %#',
    async (url) => {
      const { uuid } = await knell.create();
      const key = `X-Api-Key: ${knell.keys.readWrite}\r\n`;
      const fitting = Math.floor(limits.bodiesBytesMax / limits.apiBodyBytesMax);
      const senders = await Promise.all(
        Array.from({ length: fitting + 20 }, () =>
          OpenExchange.begin(url(), head('/api/v3/checks/', limits.apiBodyBytesMax, key)),
        ),
      );
      for (const sender of senders) sender.write(Buffer.alloc(limits.apiBodyBytesMax - 1, ' '));
      await eventually(() => expect(inFlight()).toBeGreaterThan(0.9 * limits.bodiesBytesMax));
      expect(inFlight()).toBeLessThanOrEqual(limits.bodiesBytesMax);
      expect((await knell.request(`/ping/${uuid}`)).text).toBe('OK');
      const refused = await exchange(url(), [head(`/ping/${uuid}`, 100_000) + 'x'.repeat(100_000)], 1);
      expect([200, 503]).toContain(statusesIn(refused)[0]);
      for (const sender of senders) sender.write(' ');
      const statuses = (await Promise.all(senders.map((sender) => sender.replies(1)))).flatMap(statusesIn);
      expect(new Set(statuses)).toEqual(new Set([400, 503]));
      for (const sender of senders) sender.vanish();
      await eventually(() => expect(inFlight()).toBe(0));
    },
  );

  test.each(listeners)(
    'get the error that their sender expects when they are too long, at listener %#',
    async (url) => {
      const long = 'x'.repeat(limits.strangerBodyBytesMax + 1);
      const ask = (path: string, more = '') => exchange(url(), [head(path, long.length, more) + long], 1);
      const unknown = `X-Api-Key: ${'k'.repeat(32)}\r\n`;
      const known = `X-Api-Key: ${knell.keys.readWrite}\r\n`;
      const words = [
        bodyIn(await ask('/api/v3/checks/')),
        bodyIn(await ask('/api/v3/checks/', unknown)),
        bodyIn(await ask('/api/v3/checks/', known)),
        bodyIn(await ask('/web/sign-in')),
      ];
      expect(words.map((text) => JSON.parse(text).error)).toEqual([
        `request body is too large, keep it under ${limits.strangerBodyBytesMax} bytes`,
        'wrong api key',
        'could not parse request body',
        `request body is too large, keep it under ${limits.strangerBodyBytesMax} bytes`,
      ]);
    },
  );

  test('of those who are signed in may be as long as with a key', async () => {
    const page = await ownerPage(knell);
    const { projects } = (await page.get('/web/state')).json();
    const path = `/web/in/${projects[0].id}/api/checks/`;
    const made = await page.post(path, { name: 'x', padding: 'x'.repeat(2 * limits.strangerBodyBytesMax) });
    expect(made.status).toBe(201);
  });
});
