/** What a client sees when the disk fills up, and when there is space again. */
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';
import { mountSmallDisk } from '../support/store/small-disk.ts';

let knell: Knell | null = null;

afterEach(() => knell?.stop());

test('on a full disk pings get 503 and leave no trace, reads go on, and writing resumes by itself', async (context) => {
  const disk = mountSmallDisk(8_000_000);
  if (!disk)
    return context.skip('this needs a small file system of its own: mounting tmpfs is not allowed here');
  knell = await Knell.start({ dataDir: join(disk.dir, 'data') });
  const { uuid } = await knell.create({ name: 'job', timeout: 3600 });
  const ping = async (rest = ''): Promise<number> =>
    (await knell?.request(`/ping/${uuid}${rest}`))?.status ?? 0;
  expect(await ping()).toBe(200);
  const before = await knell.check(uuid);

  disk.fill();
  const answers: number[] = [];
  for (let tries = 0; tries < 200 && !answers.includes(503); tries++) answers.push(await ping('/fail'));
  expect(answers.at(-1)).toBe(503);
  const acknowledged = answers.filter((status) => status === 200).length;
  const during = await knell.check(uuid);
  expect(during.n_pings).toBe(1 + acknowledged);
  if (acknowledged === 0) expect(during).toEqual(before);
  expect((await knell.request('/api/v3/status/')).status).toBe(500);
  const unready = await knell.request('/readyz');
  const { ready, parts } = unready.json();
  expect([unready.status, ready, parts.journal.problem]).toEqual([
    503,
    false,
    'the disk is full, pings are refused',
  ]);
  expect((await knell.api('POST', '/api/v3/checks/', { name: 'no space' })).status).toBe(503);
  expect((await knell.api('GET', '/api/v3/checks/')).json().checks).toHaveLength(1);

  disk.free();
  await expect.poll(() => ping('/log'), { interval: 100 }).toBe(200);
  expect((await knell.request('/api/v3/status/')).status).toBe(200);
  expect((await knell.request('/readyz')).status).toBe(200);
  const numbers = (await knell.pings(uuid)).map((logged: { n: number }) => logged.n);
  expect(numbers).toEqual(numbers.map((_: number, at: number) => numbers.length - at));
  await knell.restart();
  expect((await knell.check(uuid)).n_pings).toBe(numbers.length);
});
