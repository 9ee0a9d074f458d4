/** When Knell pings the address of its own heartbeat, on a simulated clock: how often, and what it says when a part is not well. */
import { describe, expect, test } from 'vitest';
import { limits } from '../../../src/config.ts';
import type { Logger } from '../../../src/lib/logger.ts';
import { minute, second } from '../../../src/lib/units.ts';
import { failUrlOf, Heartbeat } from '../../../src/notify/dispatch/heartbeat.ts';
import type { HttpResponse, OutgoingRequest } from '../../../src/notify/wire/send-http.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';

const url = 'https://watch.example/ping/8f7a3a4e-36be-4a5c-92ac-4a6f7d7d1e5c';

class Scene {
  readonly clock = new SimulatedClock(Date.UTC(2026, 4, 4));
  /** What was sent, and when: seconds after the start. */
  readonly sent: [atS: number, request: OutgoingRequest][] = [];
  readonly lines: string[] = [];
  problem: string | null = null;
  answer: () => Promise<HttpResponse> = () => answered(200);
  readonly heartbeat: Heartbeat;

  constructor(address = url, everyMs: number = minute) {
    const write = (level: string) => (fields: unknown, line?: string) => {
      this.lines.push(`${level} ${line ?? ''} ${JSON.stringify(fields)}`);
    };
    const logger = { info: write('info'), warn: write('warn'), error: write('error') } as unknown as Logger;
    const startMs = this.clock.elapsedMs();
    this.heartbeat = new Heartbeat({
      url: address,
      everyMs,
      parts: [
        { name: 'journal', problem: () => this.problem },
        { name: 'deadlines', problem: () => null },
      ],
      clock: this.clock,
      send: (request) => {
        this.sent.push([(this.clock.elapsedMs() - startMs) / second, request]);
        return this.answer();
      },
      logger,
      limits: limits.heartbeat,
    });
    this.heartbeat.start();
  }

  advance(ms: number): Promise<void> {
    return this.clock.advance(ms, () => new Promise((resolve) => setImmediate(resolve)));
  }

  times(): number[] {
    return this.sent.map(([atS]) => atS);
  }

  last(): OutgoingRequest | undefined {
    return this.sent.at(-1)?.[1];
  }
}

async function answered(status: number): Promise<HttpResponse> {
  return { status, headers: {}, body: '' };
}

/** Lets the first request be answered. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a Knell that is well pings at once and every interval, trusted to reach any network', async () => {
  const scene = new Scene();
  await settled();
  await scene.advance(3 * minute);
  expect(scene.times()).toEqual([0, 60, 120, 180]);
  expect(scene.last()).toEqual({ method: 'GET', url, headers: {}, body: null, trusted: true });
  expect(scene.lines).toEqual([]);
  scene.heartbeat.stop();
  await scene.advance(3 * minute);
  expect(scene.sent).toHaveLength(4);
});

test('a part that is not well is reported by /fail, with the reason, until it is well', async () => {
  const scene = new Scene();
  await settled();
  scene.problem = 'the disk is full, pings are refused';
  await scene.advance(2 * minute);
  expect(scene.times()).toEqual([0, 60, 120]);
  expect(scene.last()).toMatchObject({
    method: 'POST',
    url: `${url}/fail`,
    body: 'journal: the disk is full, pings are refused\n',
  });
  scene.problem = null;
  await scene.advance(minute);
  expect(scene.last()).toMatchObject({ method: 'GET', url });
  expect(scene.lines).toEqual([
    expect.stringMatching(/^error Knell is not well/),
    expect.stringMatching(/^info .*Knell is well again/),
  ]);
});

test('to any other address nothing is sent meanwhile', async () => {
  const scene = new Scene('https://watch.example/api/push/abc?status=up');
  await settled();
  scene.problem = 'the disk is full, pings are refused';
  await scene.advance(5 * minute);
  expect(scene.times()).toEqual([0]);
  scene.problem = null;
  await scene.advance(minute);
  expect(scene.times()).toEqual([0, 360]);
  expect(scene.last()?.url).toBe('https://watch.example/api/push/abc?status=up');
});

test.each([
  [3_600_000, 'clock: the clock was set forward by 3600 s\n'],
  [-120_000, 'clock: the clock was set back by 120 s\n'],
])('a clock that was set by %i ms is reported once', async (jumpMs, body) => {
  const scene = new Scene();
  await settled();
  scene.clock.jump(jumpMs);
  await scene.advance(minute);
  expect(scene.last()).toMatchObject({ url: `${url}/fail`, body });
  await scene.advance(minute);
  expect(scene.last()).toMatchObject({ method: 'GET', url });
  expect(scene.times()).toEqual([0, 60, 120]);
});

test('a correction by a time server is no problem', async () => {
  const scene = new Scene();
  await settled();
  scene.clock.jump(30 * second);
  await scene.advance(minute);
  expect(scene.last()).toMatchObject({ method: 'GET', url });
});

test('a receiver that does not take it is tried more seldom, at least every five minutes, and logged once', async () => {
  const scene = new Scene();
  scene.answer = () => answered(500);
  await settled();
  await scene.advance(20 * minute);
  expect(scene.times()).toEqual([0, 60, 180, 420, 720, 1020]);
  scene.answer = () => Promise.reject(new Error('connect ECONNREFUSED'));
  await scene.advance(3 * minute);
  scene.answer = () => answered(200);
  await scene.advance(6 * minute);
  expect(scene.times().slice(6)).toEqual([1320, 1620, 1680, 1740]);
  expect(scene.lines).toEqual([
    'warn the heartbeat does not arrive {"error":"HTTP 500"}',
    'info  "the heartbeat arrives again"',
  ]);
  expect(scene.lines.join()).not.toContain('/ping/');
});

test('an answer that takes long puts off the next request: there is never more than one', async () => {
  const scene = new Scene(url, 10 * second);
  let answer = (_: HttpResponse): void => {};
  scene.answer = () => new Promise((resolve) => (answer = resolve));
  await scene.advance(25 * second);
  expect(scene.times()).toEqual([0]);
  answer({ status: 200, headers: {}, body: '' });
  await settled();
  await scene.advance(second);
  expect(scene.times()).toEqual([0, 25]);
});

describe('the address for failures', () => {
  const uuid = '8f7a3a4e-36be-4a5c-92ac-4a6f7d7d1e5c';
  test.each([
    [`https://hc-ping.com/${uuid}`, `https://hc-ping.com/${uuid}/fail`],
    [`https://hc-ping.com/${uuid}/`, `https://hc-ping.com/${uuid}/fail`],
    [
      'https://hc-ping.com/abcdefghijklmnopqrstuv/knell',
      'https://hc-ping.com/abcdefghijklmnopqrstuv/knell/fail',
    ],
    [`http://10.0.0.2:8000/knell/ping/${uuid}`, `http://10.0.0.2:8000/knell/ping/${uuid}/fail`],
    [
      'http://k/ping/abcdefghijklmnopqrstuv/knell?create=1',
      'http://k/ping/abcdefghijklmnopqrstuv/knell/fail?create=1',
    ],
    ['https://kuma.example/api/push/abcdefghij', null],
    ['https://uptime.example/api/v1/heartbeat/abcdefghijklmnopqrstuvwx', null],
    ['https://other.example/abcdefghijklmnopqrstuv/knell', null],
    ['https://other.example/', null],
  ])('of %s is %s', (address, failUrl) => {
    expect(failUrlOf(address)).toBe(failUrl);
  });
});
