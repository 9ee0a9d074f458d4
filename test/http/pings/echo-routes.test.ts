import { expect, test } from 'vitest';
import { Echoes } from '../../../src/http/pings/echo-routes.ts';
import { minute } from '../../../src/lib/units.ts';

const nowMs = Date.UTC(2026, 0, 1);

function statusOf(echoes: Echoes, path: string, receivedAtMs = nowMs): number {
  return echoes.answer({
    method: 'GET',
    path,
    query: '',
    apiKey: null,
    headers: {},
    trusted: false,
    userAgent: '',
    scheme: 'http',
    remoteAddr: '192.0.2.7',
    clientAddr: '192.0.2.7',
    body: new Uint8Array(),
    bodyCut: false,
    receivedAtMs,
  }).status;
}

test('answers each path once, for a minute, and no other', () => {
  const echoes = new Echoes();
  const [one, other] = [echoes.open(nowMs), echoes.open(nowMs)];
  expect(statusOf(echoes, '/echo/')).toBe(404);
  expect(statusOf(echoes, `${one}0`)).toBe(404);
  expect([statusOf(echoes, one), statusOf(echoes, one)]).toEqual([200, 404]);
  expect(statusOf(echoes, other, nowMs + minute)).toBe(404);
  expect(statusOf(new Echoes(), echoes.open(nowMs))).toBe(404);
});

test('keeps a bounded number of them, the newest', () => {
  const echoes = new Echoes();
  const paths = Array.from({ length: 1000 }, () => echoes.open(nowMs));
  const answered = paths.filter((path) => statusOf(echoes, path) === 200);
  expect(answered).toEqual(paths.slice(-100));
});
