/** How many live connections there may be. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '../../../src/config.ts';
import { Knell } from '../../support/knell.ts';
import { ownerPage, type PageClient } from '../../support/page/page-client.ts';
import { eventually } from '../../support/patience.ts';
import { bodyIn, OpenExchange, statusesIn } from '../../support/wire/raw-http.ts';

let knell: Knell;
let page: PageClient;

beforeAll(async () => {
  knell = await Knell.start();
  page = await ownerPage(knell);
});

afterAll(() => knell.stop());

test('a user has so many live connections and no more; one that closes frees its place', async () => {
  const { csrf, projects } = (await page.get('/web/state')).json();
  const head = [
    `GET /web/live?csrf=${csrf}&project=${projects[0].id} HTTP/1.1`,
    'Host: x',
    `Cookie: ${page.cookie}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==',
    'Sec-WebSocket-Version: 13',
  ].join('\r\n');
  const open = async () => {
    const connection = await OpenExchange.begin(knell.app.httpUrl, `${head}\r\n\r\n`);
    const reply = await connection.replies(1);
    return { connection, status: statusesIn(reply)[0], body: bodyIn(reply) };
  };
  const most = limits.live.connectionsPerUserMax;
  const opened = [];
  for (let at = 0; at < most; at++) opened.push(await open());
  expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([101]));
  const beyond = await open();
  expect([beyond.status, beyond.body]).toEqual([
    429,
    expect.stringContaining(`at most ${most} live connections`),
  ]);
  opened[0]?.connection.vanish();
  await eventually(async () => {
    const again = await open();
    opened.push(again);
    expect(again.status).toBe(101);
  });
  for (const { connection } of opened) connection.vanish();
});
