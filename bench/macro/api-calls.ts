/** The calls that the api bench times. Invariant: a call that changes something changes it each time. */
import { ApiClient, type Call } from '../harness/client.ts';
import type { Seeded } from '../harness/seed.ts';

export interface ApiCalls {
  /** By name: makes the call once, resolves to the milliseconds it took. */
  readonly calls: ReadonlyMap<string, () => Promise<number>>;
  /** Pings that were sent to prepare, each acknowledged. */
  readonly pings: number;
  close(): void;
}

export interface Projects {
  readonly url: string;
  readonly bareUrl: string;
  readonly large: Seeded;
  readonly small: Seeded;
  /** Gets the checks that are created, so that the lists stay as long as they are. */
  readonly scratch: Seeded;
}

const flipsToShow = 100;

export async function openApiCalls({ url, bareUrl, large, small, scratch }: Projects): Promise<ApiCalls> {
  const [inLarge, inSmall, inScratch, bare] = [large, small, scratch, large].map(
    ({ apiKey }, at) => new ApiClient(at === 3 ? bareUrl : url, apiKey),
  );
  if (!inLarge || !inSmall || !inScratch || !bare) throw new Error('no clients');
  const [uuid = ''] = large.uuids;
  const check = `/api/v3/checks/${uuid}`;
  await flip(inLarge, uuid);
  const { badge_url }: { badge_url: string } = JSON.parse((await inLarge.call({ path: check })).text);
  let made = 0;
  const timed = (client: ApiClient, callOf: () => Call) => async (): Promise<number> =>
    (await client.call(callOf())).ms;
  const list = '/api/v3/checks/';
  const calls = new Map([
    ['bare uWebSockets.js, any call', timed(bare, () => ({ path: list }))],
    ['list 100 checks', timed(inSmall, () => ({ path: list }))],
    [`list ${large.uuids.length} checks`, timed(inLarge, () => ({ path: list }))],
    [`list ${large.uuids.length} checks again, with its tag`, () => again(inLarge, list)],
    ['get a check', timed(inLarge, () => ({ path: check }))],
    ['create a check', timed(inScratch, () => ({ path: list, body: { name: `made ${made++}` } }))],
    ['update a check', timed(inLarge, () => ({ path: check, body: { desc: `changed ${made}` } }))],
    ['page of 1,000 pings', timed(inLarge, () => ({ path: `${check}/pings/` }))],
    ['flips', timed(inLarge, () => ({ path: `${check}/flips/` }))],
    ['badge', timed(inLarge, () => ({ path: new URL(badge_url).pathname }))],
  ]);
  const close = (): void => {
    for (const client of [inLarge, inSmall, inScratch, bare]) client.close();
  };
  return { calls, pings: flipsToShow, close };
}

/** Times that are not counted: the client has the long list to clear away, and the code is compiled. */
const asksBefore = 20;

/** Asks for what the client has just got, as a poller does: 304 until a ping comes in between, which is then what is timed. */
async function again(client: ApiClient, path: string): Promise<number> {
  let last = await client.call({ path });
  for (let asked = 0; asked <= asksBefore; asked++) {
    last = await client.call({ path, ifNoneMatch: last.tag });
    if (last.text !== '') break;
  }
  return last.ms;
}

async function flip(client: ApiClient, uuid: string): Promise<void> {
  for (let n = 0; n < flipsToShow; n++) {
    await client.call({ path: `/ping/${uuid}${n % 2 === 0 ? '/fail' : ''}` });
  }
}
