/**
 * What open pages cost those who ping, and how soon they show what has happened: pings at a steady rate with a hundred pages of
 * the list open and with none, rounds interleaved; meanwhile one watched check is pinged again and again, and it is measured when
 * a page is notified of it. And how soon a browser shows the first row of a long list, where there is a Chromium.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context, Figure, Found } from '../harness/bench.ts';
import type { Loaded } from '../harness/generator.ts';
import { applyLoad } from '../harness/load.ts';
import { median, percentile } from '../harness/numbers.ts';
import { OpenPage, pagesEnv, userHeader } from '../harness/open-page.ts';
import { type Server, startKnell } from '../harness/process.ts';
import { inRounds, type Plans } from '../harness/rounds.ts';
import { lostPings, seed } from '../harness/seed.ts';

interface Plan {
  readonly rate: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly pages: number;
  readonly checks: number;
  /** How many checks the lists have that a browser opens. */
  readonly lists: readonly number[];
}

const plans: Plans<Plan> = {
  smoke: { rate: 100, seconds: 0.5, rounds: 1, pages: 3, checks: 100, lists: [100] },
  quick: { rate: 2000, seconds: 1, rounds: 1, pages: 30, checks: 1000, lists: [1000] },
  normal: { rate: 5000, seconds: 4, rounds: 5, pages: 100, checks: 10_000, lists: [10_000, 100_000] },
  full: { rate: 5000, seconds: 10, rounds: 7, pages: 100, checks: 10_000, lists: [10_000, 100_000] },
};

const connections = 16;
const p99FactorTarget = 1.2;
const updateMsTarget = 300;
const noticeEveryMs = 100;
const firstRowMsTargets: Readonly<Record<number, number>> = { 10000: 600, 100000: 2000 };
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
const opens = 5;

export async function run(context: Context): Promise<Found> {
  const plan = plans[context.size];
  const dataDir = join(context.dir, 'data');
  const { uuids } = await seed(dataDir, { checks: plan.checks });
  const knell = await startKnell({ dataDir, env: pagesEnv });
  const measured = await interleave(context, plan, knell, uuids);
  await knell.end();
  const firstRows: Figure[] = [];
  for (const checks of plan.lists) firstRows.push(...(await firstRow(context, checks)));
  const figures = [
    { name: 'pings offered', value: plan.rate, unit: '/s' },
    { name: 'pages open', value: plan.pages, unit: '' },
    ...figuresOf(measured),
    ...firstRows,
    await lostPings(dataDir, measured.acknowledged),
  ];
  return { figures, load: 'own' };
}

type Round = readonly [none: Loaded, open: Loaded];

interface Measured {
  readonly rounds: readonly Round[];
  /** From the answer to a ping to the message of it. */
  readonly updateMs: readonly number[];
  readonly acknowledged: number;
  /** A second, to each page. */
  readonly messages: number;
}

async function interleave(
  context: Context,
  plan: Plan,
  knell: Server,
  uuids: readonly string[],
): Promise<Measured> {
  // One gets no other pings, so that its updates are of those that are timed.
  const [timed = '', ...pinged] = uuids;
  const load = { url: knell.url, paths: pinged.map((uuid) => `/ping/${uuid}`), connections, ...plan };
  const rounds: Round[] = [];
  const updateMs: number[] = [];
  let [acknowledged, messages, seconds] = [0, 0, 0];
  await inRounds(context, plan, async (round) => {
    const none = await applyLoad(load);
    const watcher = new UpdateWatcher(knell.url, timed);
    const opened = await openPages(plan.pages, knell.url, watcher);
    const pinging = watcher.start();
    const open = await applyLoad(load);
    watcher.stop();
    await pinging;
    for (const page of opened) page.close();
    acknowledged += none.requests + open.requests + watcher.pings;
    if (round < 0) return;
    rounds.push([none, open]);
    updateMs.push(...watcher.delaysMs);
    messages += opened.reduce((sum, page) => sum + page.messages, 0) / opened.length;
    seconds += plan.seconds;
  });
  return { rounds, updateMs, acknowledged, messages: messages / seconds };
}

async function openPages(count: number, url: string, watcher: UpdateWatcher): Promise<OpenPage[]> {
  const opened: OpenPage[] = [];
  // Each of a user of its own; the first one is notified of the check that is timed.
  for (let at = 0; at < count; at++) {
    const page = { url, user: `user-${at}` };
    const more = { also: watcher.id, onUpdate: (text: string) => watcher.updates(text) };
    opened.push(await OpenPage.open(at === 0 ? { ...page, ...more } : page));
  }
  return opened;
}

/** Pings one check again and again, and notes when a message says so. */
class UpdateWatcher {
  readonly id: string;
  readonly #url: string;
  readonly delaysMs: number[] = [];
  pings = 0;
  #answeredAtMs = Number.NaN;
  #notified: () => void = () => {};
  #isOver = false;

  constructor(url: string, id: string) {
    this.#url = url;
    this.id = id;
  }

  async start(): Promise<void> {
    while (!this.#isOver) {
      const notified = new Promise<void>((resolve) => {
        this.#notified = resolve;
      });
      const reply = await fetch(`${this.#url}/ping/${this.id}`);
      await reply.arrayBuffer();
      this.pings++;
      this.#answeredAtMs = performance.now();
      await notified;
      await pause(noticeEveryMs);
    }
  }

  updates(text: string): void {
    if (!text.includes(this.id) || Number.isNaN(this.#answeredAtMs)) return;
    this.delaysMs.push(performance.now() - this.#answeredAtMs);
    this.#answeredAtMs = Number.NaN;
    this.#notified();
  }

  stop(): void {
    this.#isOver = true;
    this.#notified();
  }
}

function figuresOf({ rounds, updateMs, messages }: Measured): Figure[] {
  const factors = rounds.map(([none, open]) => open.p99Ms / none.p99Ms);
  const of = (side: 0 | 1, name: 'p50Ms' | 'p99Ms'): number => median(rounds.map((pair) => pair[side][name]));
  const spread = { min: Math.min(...factors), max: Math.max(...factors) };
  const updates = updateMs.length === 0 ? [0] : updateMs;
  return [
    { name: 'p50, no page', value: of(0, 'p50Ms'), unit: 'ms' },
    { name: 'p50, pages open', value: of(1, 'p50Ms'), unit: 'ms' },
    { name: 'p99, no page', value: of(0, 'p99Ms'), unit: 'ms' },
    { name: 'p99, pages open', value: of(1, 'p99Ms'), unit: 'ms' },
    { name: 'p99 factor', value: median(factors), ...spread, unit: '×', target: { atMost: p99FactorTarget } },
    { name: 'messages to each page', value: messages, unit: '/s' },
    { name: 'ping answered to page notified, p50', value: percentile(updates, 50), unit: 'ms' },
    {
      name: 'ping answered to page notified, p99',
      value: percentile(updates, 99),
      unit: 'ms',
      target: { atMost: updateMsTarget },
    },
  ];
}

/** From the address to the first row in sight, in a browser without a cache; nothing where there is no browser. */
async function firstRow(context: Context, checks: number): Promise<readonly Figure[]> {
  if (!existsSync(chromium)) return [];
  const dataDir = join(context.dir, `list-${checks}`);
  await seed(dataDir, { checks });
  const knell = await startKnell({ dataDir, env: pagesEnv });
  const { chromium: browserType } = await import('playwright-core');
  const browser = await browserType.launch({
    executablePath: chromium,
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  });
  const tookMs: number[] = [];
  const { port } = new URL(knell.url);
  for (let open = 0; open <= opens; open++) {
    const page = await (await browser.newContext({ extraHTTPHeaders: { [userHeader]: 'first' } })).newPage();
    const beganMs = performance.now();
    await page.goto(`http://localhost:${port}/`);
    await page.locator('.row a').first().waitFor();
    tookMs.push(performance.now() - beganMs);
    await page.context().close();
  }
  await browser.close();
  await knell.end();
  // The first one finds nothing warm: it is a figure of its own.
  const [cold = 0, ...warm] = tookMs;
  const target = firstRowMsTargets[checks];
  const goal = target === undefined ? {} : { target: { atMost: target } };
  const title = `first row of ${checks.toLocaleString('en')} checks`;
  return [
    { name: `${title}, nobody has looked before`, value: cold, unit: 'ms', ...goal },
    { name: `${title}, again`, value: median(warm), unit: 'ms', ...goal },
  ];
}
