/**
 * The golden data directories: what older versions of Knell left when they were killed. Today's Knell, whole and over real
 * sockets, says of each what the version that wrote it said before. See `data-dirs/README.md`.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { restoreSnapshot } from '../../src/store/snapshot/restore.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { Knell } from '../support/knell.ts';
import { PageClient } from '../support/page/page-client.ts';
import { tempDir } from '../support/temp-dirs.ts';

type Json = Readonly<Record<string, unknown>>;

/** A question to the API and what was answered. */
interface KnownAnswer {
  readonly path: string;
  readonly key: string | null;
  readonly status: number;
  readonly json?: unknown;
  readonly base64?: string;
}

interface Facts {
  readonly takenAtMs: number;
  readonly keys: Readonly<Record<string, string>>;
  readonly answers: readonly KnownAnswer[];
  readonly outbox: readonly Json[];
  readonly channels: readonly Json[];
  readonly projects: readonly Json[];
  readonly web: {
    readonly password: string;
    readonly session: string;
    readonly signedOut: string;
    readonly project: string;
    readonly members: readonly Json[];
  };
  /** The check that was made last: it was in the journal alone. */
  readonly newest: string;
}

const goldens = fileURLToPath(new URL('./data-dirs/', import.meta.url));
const names = readdirSync(goldens).filter((name) => name.startsWith('format-'));

const running: Knell[] = [];

afterEach(async () => {
  for (const knell of running.splice(0)) await knell.stop();
});

function factsOf(name: string): Facts {
  return JSON.parse(gunzipSync(readFileSync(join(goldens, name, 'facts.json.gz'))).toString());
}

function unpack(name: string): string {
  const packed = join(goldens, name, 'files');
  const dataDir = join(tempDir(), 'data');
  for (const entry of readdirSync(packed, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const target = join(dataDir, relative(packed, file).replace(/\.gz$/, ''));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, gunzipSync(readFileSync(file)));
  }
  return dataDir;
}

/** At the instant at which the other was killed, so that no deadline has passed meanwhile. */
async function start(name: string, { takenAtMs }: Facts): Promise<Knell> {
  const knell = await Knell.start({ dataDir: unpack(name), clock: new SimulatedClock(takenAtMs) });
  running.push(knell);
  return knell;
}

async function ask(
  knell: Knell,
  { keys }: Facts,
  { path, key, ...before }: KnownAnswer,
): Promise<KnownAnswer> {
  const init = key === null ? {} : { headers: { 'X-Api-Key': keys[key] ?? '' } };
  const response = await fetch(`${knell.app.httpUrl}${path}`, init);
  const bytes = Buffer.from(await response.arrayBuffer());
  const body =
    before.base64 === undefined
      ? { json: JSON.parse(bytes.toString()) }
      : { base64: bytes.toString('base64') };
  return { path, key, status: response.status, ...body };
}

/** All that is written down: over the API, of the outbox, of the page. */
async function holds(knell: Knell, facts: Facts): Promise<void> {
  // Fields that the API has got since come on top.
  for (const before of facts.answers)
    expect(await ask(knell, facts, before), before.path).toMatchObject(before);
  expect(byId(await admin(knell, 'project list'))).toEqual(byId(facts.projects));
  const channels = await admin(knell, 'channel list', { project: 'default' });
  expect(channels.map(withoutError)).toMatchObject(facts.channels.map(withoutError));
  const lasting = (list: readonly Json[]) => byId(list).map(({ attempts, next, error, ...kept }) => kept);
  expect(lasting(await admin(knell, 'outbox list'))).toEqual(lasting(facts.outbox));
  await holdsPage(knell, facts);
}

/** Projects, and deliveries of one instant, are listed in any order. */
function byId(list: readonly Json[]): readonly Json[] {
  return [...list].sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
}

/** In the words of the version that tried last. */
function withoutError({ last_error: _, ...kept }: Json): Json {
  return kept;
}

async function admin(knell: Knell, command: string, args: Json = {}): Promise<readonly Json[]> {
  return (await knell.app.admin({ command, args }, () => {})) as readonly Json[];
}

async function holdsPage(knell: Knell, { web }: Facts): Promise<void> {
  const userOf = async (cookie: string): Promise<unknown> => {
    const client = new PageClient(knell);
    client.cookie = cookie;
    return (await client.get('/web/state')).json().user?.name ?? null;
  };
  expect(await userOf(web.session)).toBe('ada');
  expect(await userOf(web.signedOut)).toBeNull();
  const again = new PageClient(knell);
  expect((await again.signIn('ada', web.password)).status).toBe(200);
  expect((await again.get(`/web/in/${web.project}/settings`)).json().members).toMatchObject(web.members);
}

test('there is one for each format, and for either journal', () => {
  expect(names).toEqual(['format-1-files', 'format-1-lmdb']);
  for (const name of names) {
    const marker = readFileSync(join(unpack(name), 'format'), 'utf8');
    expect(`knell data directory, ${name.replace('-', ' ')}`.startsWith(marker.trim()), name).toBe(true);
  }
});

describe.each(names)('the data directory %s', (name) => {
  test('says what it said to the version that wrote it, folded or not, and after another restart', async () => {
    const facts = factsOf(name);
    const knell = await start(name, facts);
    await holds(knell, facts);
    await knell.restart();
    await holds(knell, facts);
  });

  test('is written on where it ended, and says the same out of a snapshot', async () => {
    const facts = factsOf(name);
    const knell = await start(name, facts);
    const path = `/api/v3/checks/${facts.newest}/pings/`;
    const asked = { path, key: 'readWrite', status: 200, json: null };
    const pings = async (one: Knell): Promise<Json> => (await ask(one, facts, asked)).json as Json;
    const before = (await pings(knell)).pings as readonly Json[];
    expect((await knell.request(`/ping/${facts.newest}`, { method: 'POST', body: 'later' })).text).toBe('OK');
    const after = (await pings(knell)).pings as readonly Json[];
    expect(after.slice(1)).toEqual(before);
    expect(after[0]).toMatchObject({ n: before.length + 1, type: 'success' });

    const file = join(tempDir(), 'all.snapshot');
    await knell.app.engine.writeSnapshot(file, () => {});
    const restored = await Knell.start({
      dataDir: await restoredFrom(file),
      clock: new SimulatedClock(facts.takenAtMs),
    });
    running.push(restored);
    expect((await pings(restored)).pings).toEqual(after);
    const others = facts.answers.filter(
      ({ path: one }) => !/\/checks\/(?:$|[^/]+$)/.test(one) && !one.includes(facts.newest),
    );
    expect(others.length).toBeGreaterThan(50);
    for (const one of others) expect(await ask(restored, facts, one), one.path).toEqual(one);
  });
});

async function restoredFrom(file: string): Promise<string> {
  const dataDir = join(tempDir(), 'data');
  await restoreSnapshot(file, dataDir, () => {});
  return dataDir;
}
