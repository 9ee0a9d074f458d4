/** What every page asks of all projects holds up nothing else, with nine thousand of them, over a real socket. */
import { get } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectsPerTurn } from '../../../src/http/limits.ts';
import { eachInTurns, jsonListInTurns } from '../../../src/http/wire/list-in-turns.ts';
import { countTurns } from '../../support/count-turns.ts';
import { type Json, Knell } from '../../support/knell.ts';
import { leastLongestTurnMs } from '../../support/longest-turn.ts';
import { ownerPage, type PageClient } from '../../support/page/page-client.ts';

const count = 9000;
let knell: Knell;
let owner: PageClient;

beforeAll(async () => {
  knell = await Knell.start();
  owner = await ownerPage(knell);
  const { change } = knell.app.engine;
  for (let made = 0; made < count; made += 500) {
    const names = Array.from({ length: 500 }, (_, at) => `project ${made + at}`);
    await Promise.all(names.map((name, at) => change.createProject(name, 'paid', made + at)));
  }
  // Lists that nobody has looked at are read first.
  await owner.get('/web/overview');
}, 120_000);

afterAll(() => knell?.stop());

/** As a client elsewhere: what arrives is not read here. */
const asked = (path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { cookie: owner.cookie, 'accept-encoding': 'gzip' };
    get(`${knell.app.httpUrl}${path}`, { headers, agent: false }, (response) => {
      let bytes = 0;
      response.on('data', (part: Buffer) => {
        bytes += part.length;
      });
      response.on('end', () => resolve(bytes)).on('error', reject);
    }).on('error', reject);
  });

test.each(['/web/state', '/web/overview'])('%s takes no turn of 10 ms', async (path) => {
  expect(await asked(path)).toBeGreaterThan(count);
  expect(await leastLongestTurnMs(10, () => asked(path))).toBeLessThan(10);
});

test('they have every project, and the same overview has the same short revision', async () => {
  const { projects } = (await owner.get('/web/state')).json();
  expect(new Set(projects.map(({ name }: Json) => name)).size).toBe(count + 1);
  const overview = (await owner.get('/web/overview')).json();
  expect(new Set(overview.projects.map(({ id }: Json) => id)).size).toBe(count + 1);
  // It is sent back in the address, which has a bound.
  expect(overview.revision.length).toBeLessThan(100);
  const again = await owner.get(`/web/overview?known=${overview.revision}`);
  expect(again.json()).toEqual({ same: true });
});

test('a list is gone through, and rendered, in as many turns as it is long', async () => {
  const items = Array.from({ length: 10 * projectsPerTurn + 1 }, (_, at) => ({ at }));
  const seen: unknown[] = [];
  const turns = countTurns();
  await eachInTurns(items, projectsPerTurn, (item) => seen.push(item));
  const json = await jsonListInTurns(items, projectsPerTurn);
  expect(turns.stop()).toBeGreaterThanOrEqual(20);
  expect([seen, JSON.parse(json)]).toEqual([items, items]);
  expect(await jsonListInTurns([], projectsPerTurn)).toBe('[]');
});
