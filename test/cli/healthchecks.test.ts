/**
 * `knell import healthchecks`, from the built package: dumps that Healthchecks itself wrote go in, and Knell answers what that
 * Healthchecks answered. See `scripts/healthchecks/make-dumps.js`.
 */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../support/knell.ts';
import { goodPassword, linkIn, PageClient } from '../support/page/page-client.ts';
import { builtUrl } from '../support/process/built.ts';
import { tempDir } from '../support/temp-dirs.ts';

const dumps = fileURLToPath(new URL('./healthchecks/', import.meta.url));
const versions = readdirSync(dumps);

interface KnownAnswer {
  readonly project: string;
  readonly scope: string | null;
  readonly path: string;
  readonly status: number;
  readonly json?: Json;
  readonly base64?: string;
}

interface Facts {
  readonly takenAtMs: number;
  readonly secretKey: string;
  readonly keys: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly answers: readonly KnownAnswer[];
}

const running: Knell[] = [];

afterEach(async () => {
  for (const knell of running.splice(0)) await knell.stop();
});

const unpacked = (version: string, name: string): string =>
  gunzipSync(readFileSync(join(dumps, version, name))).toString();

const factsOf = (version: string): Facts => JSON.parse(unpacked(version, 'answers.json.gz'));

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

function knellCommand(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const main = fileURLToPath(builtUrl('main.js'));
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env.PATH ?? '', ...env } };
    execFile(process.execPath, [main, ...args], options, (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

interface Imported extends Ended {
  readonly dataDir: string;
}

async function imported(dump: string, args: readonly string[] = [], env = {}): Promise<Imported> {
  const dir = tempDir();
  const dataDir = join(dir, 'data');
  const file = join(dir, 'hc.jsonl');
  writeFileSync(file, dump);
  const ended = await knellCommand(['import', 'healthchecks', file, ...args], {
    KNELL_DATA_DIR: dataDir,
    ...env,
  });
  return { ...ended, dataDir };
}

describe.each(versions)('a dump of Healthchecks %s', (version) => {
  test('gives a Knell that answers as that Healthchecks did', async () => {
    const facts = factsOf(version);
    const { dataDir, ...ended } = await imported(unpacked(version, 'dump.jsonl.gz'), ['--json'], {
      KNELL_HC_SECRET_KEY: facts.secretKey,
    });
    expect(ended).toMatchObject({ status: 0, stderr: '' });
    const knell = await Knell.start({ dataDir, clock: new SimulatedClock(facts.takenAtMs) });
    running.push(knell);
    for (const known of facts.answers) {
      // Of rows without a number Healthchecks cannot show a list.
      if (known.status === 500 || known.path.includes('None')) continue;
      const key = known.scope === null ? null : facts.keys[known.project]?.[known.scope];
      const answer = await knell.request(known.path, key ? { headers: { 'X-Api-Key': key } } : {});
      expect(answer.status, known.path).toBe(known.status);
      if (known.path.endsWith('/channels/'))
        expect(answer.json().channels).toHaveLength(channelsOf(known).length);
      else if (known.json === undefined) expect(answer.text, known.path).toBe(textOf(known));
      else {
        const rules = rulesOf(version, facts, known.path);
        const [here, there] = [answer.json(), known.json]
          .map(byName)
          .map((json) => comparable(json, byName(known.json), rules));
        expect(here, known.path).toEqual(there);
      }
    }
  });
});

/** Without those of retired types. */
const channelsOf = ({ json }: KnownAnswer): readonly Json[] =>
  json.channels.filter(({ kind }: Json) => kind !== 'hipchat' && kind !== 'msteams');

describe('the import', () => {
  const dump = unpacked('4.3', 'dump.jsonl.gz');
  const facts = factsOf('4.3');

  test('alerts nobody, however long the move took, and takes no check down whose pings could not arrive', async () => {
    const { dataDir } = await imported(dump, [], { KNELL_HC_SECRET_KEY: facts.secretKey });
    const clock = new SimulatedClock(Date.now());
    const knell = await Knell.start({ dataDir, clock });
    running.push(knell);
    const command = (name: string) => knell.app.admin({ command: name, args: {} }, () => {});
    expect(await command('outbox list')).toEqual([]);
    await clock.advance(1000);
    expect(await command('outbox list')).toEqual([]);
    const { checks } = (
      await knell.api('GET', '/api/v3/checks/', undefined, facts.keys.Plain?.read_write)
    ).json();
    const started = checks.find(({ name }: Json) => name === 'Started');
    expect([started.status, started.started]).toEqual(['grace', true]);
  });

  test('gives rows of before 2018 the numbers before their next, and their text as the body', async () => {
    const old = factsOf('2.10');
    const { dataDir } = await imported(unpacked('2.10', 'dump.jsonl.gz'));
    const knell = await Knell.start({ dataDir, clock: new SimulatedClock(old.takenAtMs) });
    running.push(knell);
    const key = old.keys.Plain?.read_write;
    const { checks } = (await knell.api('GET', '/api/v3/checks/', undefined, key)).json();
    const { uuid } = checks.find(({ name }: Json) => name === 'Old rows');
    const { pings } = (await knell.api('GET', `/api/v3/checks/${uuid}/pings/`, undefined, key)).json();
    expect(pings.map(({ n }: Json) => n)).toEqual([5, 4, 3, 2, 1]);
    const body = await knell.api('GET', `/api/v3/checks/${uuid}/pings/1/body`, undefined, key);
    expect(body.text).toBe('text of old – ü');
  });

  test('without the secret key leaves out what is hashed with it, and says so', async () => {
    const { dataDir, stdout, status } = await imported(dump);
    expect(status).toBe(0);
    expect(stdout).toContain(
      '2 keys: hashed with SECRET_KEY: set KNELL_HC_SECRET_KEY (read-write of Hashed, read-only of Hashed)',
    );
    const knell = await Knell.start({ dataDir, clock: new SimulatedClock(facts.takenAtMs) });
    running.push(knell);
    const asked = async (project: string) =>
      (await knell.api('GET', '/api/v3/checks/', undefined, facts.keys[project]?.read_write)).status;
    expect([await asked('Plain'), await asked('Hashed')]).toEqual([200, 401]);
  });

  test('proves the secret key by an API key that is in use, and refuses a wrong one before anything is written', async () => {
    const key = facts.keys.Hashed?.read_write ?? '';
    const check = (secret: string, checked = key) =>
      imported(dump, ['--check-key', checked], { KNELL_HC_SECRET_KEY: secret });
    const right = await check(facts.secretKey);
    expect([right.status, right.stdout.includes('nothing shows yet')]).toEqual([0, false]);
    for (const [secret, checked, said] of [
      ['another secret', key, 'KNELL_HC_SECRET_KEY is not the SECRET_KEY of this Healthchecks'],
      ['', key, 'set KNELL_HC_SECRET_KEY'],
      [
        facts.secretKey,
        `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`,
        'or the key of --check-key is mistyped',
      ],
      [facts.secretKey, 'hcw_nobodyhasthiskeyanywhere0000', 'no project in the dump has the key'],
      [facts.secretKey, facts.keys.Plain?.read_write ?? '', 'it proves nothing'],
    ] as const) {
      const wrong = await check(secret, checked);
      expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining(said)]);
      expect(existsSync(wrong.dataDir)).toBe(false);
    }
    const unproved = await imported(dump, [], { KNELL_HC_SECRET_KEY: 'another secret' });
    expect(unproved.stdout).toContain('note: nothing shows yet that KNELL_HC_SECRET_KEY is right');
  });

  test('calls a project without a name by the address of its owner, as Healthchecks does', async () => {
    const unnamed = dump
      .replaceAll('"name": "Plain"', '"name": ""')
      .replaceAll('"name": "Hashed"', '"name": ""');
    const { dataDir, stdout } = await imported(unnamed);
    const knell = await Knell.start({ dataDir });
    running.push(knell);
    const names = knell.app.engine.read.projects().map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['alice@example.org', 'bob@example.org']));
    expect(stdout).toContain('a project is now called "alice@example.org"');
  });

  test('names the addresses that were never verified in one line, and sends them nothing', async () => {
    const rows = dump.replaceAll('"email_verified": true', '"email_verified": false');
    const { stdout } = await imported(rows);
    const lines = stdout.split('\n').filter((line) => line.includes('never verified'));
    expect(lines).toEqual([
      expect.stringMatching(/^note: no alerts go to addresses that were never verified.*: \S/),
    ]);
  });

  test('ends with what was read, imported, left out and why, the settings and users to see to', async () => {
    const { stdout } = await imported(dump, [], { KNELL_HC_SECRET_KEY: facts.secretKey });
    expect(stdout).toMatch(/^KIND +READ +IMPORTED +LEFT_OUT$/m);
    expect(stdout).toMatch(/^integrations +10 +8 +2$/m);
    expect(stdout).toContain('Knell has no such type (hipchat "Retired", msteams "Teams of old")');
    expect(stdout).toContain('telegram: KNELL_TELEGRAM_TOKEN');
    expect(stdout).toMatch(/^ {2}carol@example\.org {2}http:\/\/localhost:8000\/set-password#\S+$/m);
  });

  test('prints links by which its users set their passwords', async () => {
    const { dataDir, stdout } = await imported(dump);
    const link = /carol@example\.org {2}\S+#(\S+)/.exec(stdout)?.[1];
    const knell = await Knell.start({ dataDir });
    running.push(knell);
    const page = new PageClient(knell);
    expect((await page.post('/web/set-password', { link, password: goodPassword })).status).toBe(200);
    expect((await page.get('/web/state')).json().user).toMatchObject({
      name: 'carol@example.org',
      role: 'none',
    });
  });

  test('creates an owner by the link of the first start, and leaves the others the roles that they had in their projects', async () => {
    const { dataDir } = await imported(dump);
    const knell = await Knell.start({ dataDir });
    running.push(knell);
    const page = new PageClient(knell);
    const asked = { link: linkIn(knell.app.setUpUrl), name: 'dora', password: goodPassword };
    expect((await page.post('/web/set-password', asked)).status).toBe(200);
    const { user, projects } = (await page.get('/web/state')).json();
    expect(user).toMatchObject({ name: 'dora', role: 'owner' });
    const { members } = (await page.get(`/web/in/${projects[0].id}/settings`)).json();
    expect(members.map(({ name, role }: Json) => `${name} ${role}`)).toEqual([
      ...['alice', 'bob', 'carol'].map((name) => `${name}@example.org none`),
      'dora owner',
    ]);
    const rolesIn = (project: string): readonly string[] =>
      knell.app.engine.read
        .users()
        .flatMap(({ name, projects: roles = [] }) =>
          roles
            .filter(({ projectId }) => knell.app.engine.read.project(projectId)?.name === project)
            .map(({ role }) => `${name} ${role}`),
        );
    expect(rolesIn('Plain')).toEqual([
      'alice@example.org owner',
      'bob@example.org editor',
      'carol@example.org viewer',
    ]);
    expect(rolesIn('Hashed')).toEqual(['bob@example.org owner']);
    await knell.restart();
    expect(knell.app.setUpUrl).toBeNull();
  });

  test('as a dry run prints the same, and writes nothing', async () => {
    const secret = { KNELL_HC_SECRET_KEY: facts.secretKey };
    const dry = await imported(dump, ['--dry-run'], secret);
    const real = await imported(dump, [], secret);
    expect(existsSync(dry.dataDir)).toBe(false);
    expect(readdirSync(dirname(dry.dataDir))).toEqual(['hc.jsonl']);
    expect(withoutEnd(dry.stdout)).toBe(withoutEnd(real.stdout));
    expect(dry.stdout).toContain('this was a dry run');
  });

  test.each([
    ['a sentence', 'not a dump', 'line 1 is not JSON'],
    ['a list', '[{"model": "api.check", "fields": {}}]', 'line 1 is not a row'],
    ['a dump that ends in the middle of a line', dump.slice(0, -20), 'is not JSON'],
    ['nothing', '', 'holds no projects'],
    ['rows of something else', '{"model": "blog.post", "pk": 1, "fields": {}}', 'holds no projects'],
    ['a time that is none', dump.replace(/"created": "20/, '"created": "x20'), 'is no time'],
  ])('refuses %s in one line, with status 2, before anything is written', async (_, text, why) => {
    const { status, stderr, dataDir } = await imported(text);
    expect({ status, lines: stderr.trim().split('\n').length }).toEqual({ status: 2, lines: 1 });
    expect(stderr).toContain(why);
    expect(readdirSync(dirname(dataDir))).toEqual(['hc.jsonl']);
  });

  test('refuses a data directory that is not empty, and a file that is not there', async () => {
    const first = await imported(dump);
    const file = join(dirname(first.dataDir), 'hc.jsonl');
    const again = await knellCommand(['import', 'healthchecks', file], { KNELL_DATA_DIR: first.dataDir });
    expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('empty data directory') });
    const nowhere = await knellCommand(['import', 'healthchecks', '/nowhere'], { KNELL_DATA_DIR: tempDir() });
    expect(nowhere).toMatchObject({ status: 1, stderr: expect.stringContaining('/nowhere') });
    expect(readdirSync(dirname(first.dataDir)).sort()).toEqual(['data', 'hc.jsonl']);
  });
});

/** A dry run has no links, and another last line. */
const withoutEnd = (stdout: string): string =>
  stdout
    .split('\n')
    .slice(0, -2)
    .map((line) => line.replace(/ +http:\/\/localhost.*/, ''))
    .join('\n');

/** What of an answer is left when it is held against the other. */
interface Rules {
  /** Integrations of types that Knell has. */
  readonly channels: ReadonlySet<string>;
  /** Times of the check's changes between up and down: those alone are flips in the specification, Healthchecks lists all. */
  readonly flips: ReadonlySet<string>;
}

function rulesOf(version: string, { answers }: Facts, path: string): Rules {
  const listed = answers.filter(({ path }) => path.endsWith('/channels/')).flatMap(channelsOf);
  const rows = unpacked(version, 'dump.jsonl.gz')
    .trim()
    .split('\n')
    .map((line): Json => JSON.parse(line));
  const check = rows.find(({ model, fields }) => model === 'api.check' && path.includes(fields.code))?.pk;
  const flips = rows.filter(
    ({ model, fields }) =>
      model === 'api.flip' &&
      fields.owner === check &&
      [fields.old_status, fields.new_status].sort().join() === 'down,up',
  );
  return {
    channels: new Set(listed.map(({ id }) => id)),
    flips: new Set(
      flips.map(({ fields }) => `${fields.created.slice(0, 19)}+00:00 ${Number(fields.new_status === 'up')}`),
    ),
  };
}

const textOf = ({ base64 = '' }: KnownAnswer): string =>
  new TextDecoder().decode(Buffer.from(base64, 'base64'));

/**
 * What of an answer can be the same: the fields that Healthchecks has, hosts aside, times to the millisecond that a dump keeps.
 * Of badges only which there are: each installation signs its own, and those of Healthchecks are asked for by themselves.
 */
function comparable(value: Json, like: Json, rules: Rules): Json {
  if (Array.isArray(like) && Array.isArray(value))
    return value.map((item, index) => comparable(item, like[index] ?? {}, rules));
  if (typeof like === 'object' && like !== null)
    return Object.fromEntries(
      fieldsOf(like).map((name) => [name, fieldOf(name, value?.[name], like[name], rules)]),
    );
  return typeof value === 'string'
    ? value.replace(/^http:\/\/(hc|knell)\.test/, '').replace(/^\/api\/v\d/, '')
    : value;
}

/** Healthchecks lists checks by their primary keys, Knell in the order of their creation. */
function byName(json: Json): Json {
  if (!Array.isArray(json?.checks)) return json;
  return { ...json, checks: json.checks.toSorted((a: Json, b: Json) => (a.name < b.name ? -1 : 1)) };
}

/** A ping without a number gets one. */
function fieldsOf(like: Json): readonly string[] {
  const names = Object.keys(like);
  return like.n === null ? names.filter((name) => name !== 'n' && name !== 'body_url') : names;
}

function fieldOf(name: string, value: Json, like: Json, rules: Rules): Json {
  if (name === 'badges') return Object.keys(value ?? {}).sort();
  if (name === 'channels' && typeof value === 'string')
    return value
      .split(',')
      .filter((id) => rules.channels.has(id))
      .sort();
  if (name === 'flips')
    return value.filter(({ timestamp, up }: Json) => rules.flips.has(`${timestamp} ${up}`));
  // To hundredths here; versions before 3.5 do not round.
  if (name === 'duration') return value.toFixed(1);
  if (name === 'date') return new Date(value).toISOString();
  return comparable(value, like, rules);
}
