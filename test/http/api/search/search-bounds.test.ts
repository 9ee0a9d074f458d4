/**
 * How much one search may do: of many outputs, in the history and not yet there, a bounded part for each request, a slice for each
 * turn of the event loop, and a few requests at once.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outputSearchLimits } from '../../../../src/http/limits.ts';
import { type Json, Knell } from '../../../support/knell.ts';
import { leastLongestTurnMs } from '../../../support/longest-turn.ts';

const checks = 4;
const pingsEach = 200;
const filler = 'nothing to see in this line, which only takes its place\n'.repeat(1750);
const bodyBytes = filler.length;

let knell: Knell;
const uuids: string[] = [];

beforeAll(async () => {
  knell = await Knell.start({ env: { KNELL_BODY_BUDGET: '100MB' } });
  for (let at = 0; at < checks; at++) uuids.push((await knell.create({ name: `check ${at}` })).uuid);
  // The oldest has the needle, and each newest another one.
  for (let n = 0; n < pingsEach; n++) {
    await Promise.all(
      uuids.map((uuid) => {
        const body = n === 0 ? `${filler}oldest` : n === pingsEach - 1 ? `${filler}newest` : filler;
        return knell.request(`/ping/${uuid}`, { method: 'POST', body });
      }),
    );
  }
}, 120_000);

afterAll(() => knell.stop());

async function page(query: Readonly<Record<string, string>>): Promise<Json> {
  const answer = await knell.api('GET', `/api/v3/search?${new URLSearchParams({ in: 'outputs', ...query })}`);
  expect(answer.status).toBe(200);
  return answer.json();
}

async function pagesOf(query: Readonly<Record<string, string>>): Promise<Json[]> {
  const pages = [await page(query)];
  for (let last = pages[0]; last.next !== null; pages.push(last))
    last = await page({ ...query, after: last.next });
  return pages;
}

describe('a search through 78 MB', () => {
  test('finds the newest at once, and the oldest after requests that each say how far they came', async () => {
    const [first] = await pagesOf({ q: 'newest', limit: String(checks) });
    expect(first.outputs.map(({ n, line }: Json) => [n, line])).toEqual(uuids.map(() => [pingsEach, 1751]));
    expect(first.searched).toMatchObject({ pings: checks, complete: false });
    const pages = await pagesOf({ q: 'oldest' });
    expect(pages.length).toBeGreaterThan(1);
    let to = pages[0].searched.to;
    for (const { searched, next } of pages) {
      expect(searched.bytes).toBeLessThanOrEqual(outputSearchLimits.bytesMax + bodyBytes);
      expect(searched.to).toBe(to);
      expect(searched.complete).toBe(next === null);
      expect(searched.from === null).toBe(searched.complete);
      to = searched.from;
    }
    const sum = (name: string) => pages.reduce((all, { searched }) => all + searched[name], 0);
    expect([sum('pings'), sum('bytes')]).toEqual([
      checks * pingsEach,
      checks * (pingsEach * bodyBytes + 'oldest'.length + 'newest'.length),
    ]);
    expect(pages.flatMap(({ outputs }) => outputs.map(({ n }: Json) => n))).toEqual(uuids.map(() => 1));
  });

  test('finds the same after a restart, and when each page has lost the walk of the one before', async () => {
    await knell.restart();
    const found: Json[] = [];
    let after: string | null = '';
    while (after !== null) {
      const answer: Json = await page(after === '' ? { q: 'oldest' } : { q: 'oldest', after });
      found.push(...answer.outputs);
      // A walk of that name is not there: what is behind its name is all that counts.
      const [, ...place] = Buffer.from(answer.next ?? '', 'base64url')
        .toString()
        .split(' ');
      after = answer.next && Buffer.from(['00000000', ...place].join(' ')).toString('base64url');
    }
    expect(found.map(({ n }) => n)).toEqual(uuids.map(() => 1));
  });

  test('does not hold the event loop over 10 ms, while pings come in', async () => {
    let isOver = false;
    const pinging = (async () => {
      while (!isOver) await knell.request(`/ping/${uuids[0]}`, { method: 'POST', body: 'oldest and newest' });
    })();
    const heldMs = await leastLongestTurnMs(10, () =>
      Promise.all([pagesOf({ q: 'oldest zebra' }), pagesOf({ q: 'OLDEST', check: uuids[1] ?? '' })]),
    );
    isOver = true;
    await pinging;
    expect(heldMs).toBeLessThan(10);
  });

  test('a project that searches too much at once is refused, and can go on then', async () => {
    const { atOncePerProject, waitingPerProject } = outputSearchLimits;
    const count = atOncePerProject + waitingPerProject + 3;
    const answers = await Promise.all(
      Array.from({ length: count }, () => knell.api('GET', '/api/v3/search?q=zebra&in=outputs')),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBe(3);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(count - 3);
    expect(refused[0]?.json().error).toMatch(/^2 searches of this project run and 4 wait: let one end/);
    expect(refused[0]?.headers.get('Retry-After')).toBe('2');
    expect((await page({ q: 'newest' })).outputs.length).toBeGreaterThan(0);
  });
});

describe('an output that was made to be slow', () => {
  const slow = 'zzz';
  const queries = {
    'has a letter with 50,000 marks': [`a${'\u0301\u0323'.repeat(25_000)}${slow}`, slow],
    'is like the end of a long word at every byte': ['a'.repeat(100_000), `b${'a'.repeat(190)}`],
  } as const;

  test.for(Object.entries(queries))(
    'does not hold the event loop over 10 ms: it %s',
    async ([, [body, q]]) => {
      const { uuid } = await knell.create({ name: 'slow' });
      await knell.request(`/ping/${uuid}`, { method: 'POST', body });
      let found = -1;
      const heldMs = await leastLongestTurnMs(10, async () => {
        found = (await page({ q, check: uuid })).outputs.length;
      });
      expect(found).toBe(q === slow ? 1 : 0);
      expect(heldMs).toBeLessThan(10);
    },
  );
});
