/** Lists by pages: every item once, whatever comes and goes between two pages; without the parameters a list is what it was. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, Knell } from '../support/knell.ts';

let knell: Knell;

beforeAll(async () => {
  knell = await Knell.start();
});
afterAll(() => knell.stop());

const get = async (path: string): Promise<Json> => (await knell.api('GET', `/api/v3/${path}`)).json();

test('checks come once each while others are created and deleted', async () => {
  const made: Json[] = [];
  for (let at = 0; at < 25; at++) made.push(await knell.create({ name: `check ${at}`, tags: 'paged' }));
  const found: string[] = [];
  let next: string | null = '';
  let pages = 0;
  while (next !== null) {
    const answer: Json = await get(`checks/?tag=paged&limit=10&after=${next}`);
    found.push(...answer.checks.map(({ name }: Json) => name));
    next = answer.next;
    pages++;
    if (pages !== 1) continue;
    // The one that the cursor names goes, too.
    await knell.api('DELETE', `/api/v3/checks/${made[9].uuid}`);
    await knell.api('DELETE', `/api/v3/checks/${made[15].uuid}`);
    await knell.create({ name: 'late', tags: 'paged' });
  }
  expect(pages).toBe(3);
  const left = made.map(({ name }) => name).filter((name) => name !== 'check 15');
  expect(found).toEqual([...left, 'late']);
  const whole = await get('checks/?tag=paged');
  expect(Object.keys(whole)).toEqual(['checks']);
  expect((await get('checks/?tag=paged&limit=1000')).checks).toEqual(whole.checks);
});

test('pings come once each while new ones arrive', async () => {
  const { uuid } = await knell.create({ name: 'pinged' });
  const ping = () => knell.request(`/ping/${uuid}`);
  for (let n = 0; n < 12; n++) await ping();
  const found: number[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const answer: Json = await get(`checks/${uuid}/pings/?limit=5&after=${next}`);
    found.push(...answer.pings.map(({ n }: Json) => n));
    next = answer.next;
    await ping();
  }
  expect(found).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  expect(Object.keys(await get(`checks/${uuid}/pings/`))).toEqual(['pings']);
});

test.each([
  ['limit=0', 'limit is not a number from 1 to 1000'],
  ['limit=1001', 'limit is not a number from 1 to 1000'],
  ['limit=ten', 'limit is not a number from 1 to 1000'],
  ['after=nonsense', 'after is not a cursor of this list'],
  [`after=${'A'.repeat(5000)}`, 'after is not a cursor of this list'],
])('%s is refused', async (query, words) => {
  const { uuid } = await knell.create({ name: 'refused' });
  for (const path of [`checks/?${query}`, `checks/${uuid}/pings/?${query}`]) {
    const answer = await knell.api('GET', `/api/v3/${path}`);
    expect([answer.status, answer.json().error]).toEqual([400, words]);
  }
});
