/** How much of making a status page is in one turn of the event loop: counted by checks and services, not by the clock. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { StatusPage } from '../../../src/domain/accounts/status-page.ts';
import type { EngineRead } from '../../../src/engine/contract/engine.ts';
import { checksPerSlice } from '../../../src/engine/contract/limits.ts';
import { piecesPerTurn } from '../../../src/http/limits.ts';
import { readyFile, StatusPageCache } from '../../../src/http/status-page/cache.ts';
import { gather } from '../../../src/http/status-page/gather.ts';
import { Histories } from '../../../src/http/status-page/histories.ts';
import { pagePieces } from '../../../src/http/status-page/render.ts';
import { incidentsOf } from '../../../src/http/status-page/report.ts';
import { asCheckId, asProjectId } from '../../../src/lib/ids.ts';
import { limits } from '../../../src/limits.ts';
import { ApiEngine, makeCheck, uuid } from '../../support/engine/api-engine.ts';
import { statusPageOf } from '../../support/store/store-facts.ts';

const nowMs = Date.UTC(2026, 2, 10, 12);
const services = 50;
const checksPerService = 100;

/** The most that was counted between two turns of the event loop. */
class PerTurn {
  most = 0;
  all = 0;
  #turn = 0;
  #at = 0;
  #count = 0;
  #isOver = false;

  constructor() {
    const turn = async (): Promise<void> => {
      for (; !this.#isOver; this.#turn++) await nextTurn();
    };
    void turn();
  }

  count(): void {
    if (this.#at !== this.#turn) this.#count = 0;
    this.#at = this.#turn;
    this.#count++;
    this.all++;
    this.most = Math.max(this.most, this.#count);
  }

  stop(): void {
    this.#isOver = true;
  }
}

function counted(read: EngineRead) {
  const [checks, histories] = [new PerTurn(), new PerTurn()];
  const counting: EngineRead = {
    ...read,
    check(id, atMs) {
      checks.count();
      return read.check(id, atMs);
    },
    *checks(project, atMs) {
      for (const check of read.checks(project, atMs)) {
        checks.count();
        yield check;
      }
    },
    statistics(id, edges, atMs) {
      histories.count();
      return read.statistics(id, edges, atMs);
    },
  };
  return { counting, checks, histories };
}

function engineOf(perService: number): ApiEngine {
  const engine = new ApiEngine();
  for (let n = 0; n < services * perService; n++)
    engine.add(makeCheck(n, { tags: `nightly t${n % services}` }, { status: 'up' }));
  return engine;
}

const named = (serviceOf: (place: number) => Pick<StatusPage['services'][number], 'checks' | 'tag'>) =>
  statusPageOf(1, {
    projectId: asProjectId('p1'),
    services: Array.from({ length: services }, (_, place) => ({
      id: `s${place}`,
      name: `Service ${place}`,
      ...serviceOf(place),
    })),
    notices: [],
  });

const byTag = named((place) => ({ tag: `t${place}`, checks: [] }));
const byName = named((place) => ({
  tag: '',
  checks: Array.from({ length: 40 }, (_, n) => asCheckId(uuid(place + n * services))),
}));

test.each([
  ['50 services of 100 checks with a tag', byTag, checksPerService],
  ['50 services of 40 checks by name', byName, 40],
])('a cold page of %s goes through some hundred of them in a turn', async (_, page, perService) => {
  const { counting, checks, histories } = counted(engineOf(perService).read);
  const cache = new StatusPageCache({
    read: counting,
    limits: limits.statusPage,
    addressesOf: () => ({ feed: 'feed', logo: 'logo' }),
    urlsOf: () => ({ url: 'url', feed: 'feed' }),
  });
  const { html } = await cache.ready(page, nowMs);
  for (const one of [checks, histories]) one.stop();
  expect(html.plain.toString().match(/<svg class="bars"/g)).toHaveLength(services);
  expect([checks.all, histories.all]).toEqual([services * perService, services * perService]);
  expect(checks.most).toBeLessThanOrEqual(checksPerSlice);
  expect(histories.most).toBe(1);
});

test('a page comes in pieces of one service, of which a few are rendered in a turn', async () => {
  const { read } = engineOf(1);
  const report = await gather(read, byTag, {
    histories: new Histories(read, limits.statusPage),
    nowMs,
  });
  const rendered = new PerTurn();
  const counting = function* (): Generator<string> {
    for (const piece of pagePieces(report, incidentsOf(report), { feed: 'feed', logo: 'logo' })) {
      rendered.count();
      expect(piece.match(/<svg class="bars"/g)?.length ?? 0).toBeLessThanOrEqual(1);
      yield piece;
    }
  };
  const html = (await readyFile(counting())).plain.toString();
  rendered.stop();
  expect(html.match(/<svg class="bars"/g)).toHaveLength(services);
  expect(rendered.all).toBeGreaterThan(services);
  expect(rendered.most).toBeLessThanOrEqual(piecesPerTurn);
});
