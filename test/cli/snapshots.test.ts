/** `knell snapshot` and `knell restore` as a user types them: the built program, exit statuses, both streams. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CommandRunner, type Run } from '../support/process/commands.ts';
import { KnellProcess } from '../support/process/knell-process.ts';
import { damagedSnapshots } from '../support/store/damaged-snapshots.ts';
import { tempDir } from '../support/temp-dirs.ts';

const goldenFile = fileURLToPath(new URL('../../snapshots/format-1.knell', import.meta.url));
const golden = readFileSync(goldenFile);
const said = JSON.parse(readFileSync(goldenFile.replace('.knell', '.json'), 'utf8'));
const goldenChecks: number = said.checks.length;
let dataDir = '';

beforeEach(() => {
  dataDir = join(tempDir(), 'data');
});

let runner: CommandRunner;

beforeAll(() => {
  runner = CommandRunner.start();
});

afterAll(() => runner.stop());

const knell = (args: readonly string[], cwd: string = tempDir()): Promise<Run> =>
  runner.run(args, { KNELL_DATA_DIR: dataDir }, cwd);

/** A file in `snapshots/`, whole unless other bytes are given. */
function put(name: string, bytes: Buffer = golden, atMs = Date.now()): string {
  const file = join(dataDir, 'snapshots', name);
  mkdirSync(join(dataDir, 'snapshots'), { recursive: true });
  writeFileSync(file, bytes);
  utimesSync(file, atMs / 1000, atMs / 1000);
  return file;
}

const damaged = Buffer.from(golden).fill(7, golden.length >> 1, (golden.length >> 1) + 1);
const oneLine = /^knell: [^\n]+\n$/;
const older = 'knell-20261120T031500Z.snapshot';
const newer = 'knell-20261121T031500Z.snapshot';

describe('knell snapshot list', () => {
  test('lists newest first what is there, by the date in the name, or else of the file', async () => {
    const hourAgoMs = Date.now() - 3_600_000;
    const files = [
      put(older),
      put(newer),
      put('mine.knell', golden, hourAgoMs),
      put('manual-20261121T120000Z.snapshot'),
    ];
    for (const name of ['notes.txt', `${newer}.unverified`, `${newer}.0123456789ab.partial`]) put(name);
    const run = await knell(['snapshot', 'list', '--json']);
    expect([run.status, run.stderr]).toEqual([0, '']);
    const rows = JSON.parse(run.stdout);
    expect(new Set(rows.map(({ file }: { file: string }) => file))).toEqual(new Set(files));
    const at = rows.map((row: { at: string }) => Date.parse(row.at));
    expect(at).toEqual([...at].sort((a, b) => b - a));
    expect(rows).toContainEqual({
      file: join(dataDir, 'snapshots', newer),
      at: '2026-11-21T03:15:00.000Z',
      age_seconds: expect.any(Number),
      bytes: golden.length,
      checks: goldenChecks,
      pings: expect.any(Number),
    });
    const table = (await knell(['snapshot', 'list'])).stdout.split('\n');
    expect(table[0]).toMatch(/^FILE +AGE +BYTES +CHECKS +PINGS$/);
    expect(table).toHaveLength(files.length + 2);
  });

  test('shows what is not whole all the same: only verify says so', async () => {
    put(newer, golden.subarray(0, 100));
    put(older, Buffer.alloc(0));
    const run = await knell(['snapshot', 'list', '--json']);
    expect(JSON.parse(run.stdout)).toMatchObject([
      { checks: null, pings: null, bytes: 100 },
      { checks: null, pings: null, bytes: 0 },
    ]);
    expect((await knell(['snapshot', 'list'])).stdout).toMatch(/100 +\? +\?/);
  });

  test.each([[['snapshot', 'list']], [['snapshot', 'verify']]])(
    '%j where nothing is kept says so',
    async (args) => {
      const run = await knell(args);
      expect([run.status, run.stdout]).toEqual([1, '']);
      expect(run.stderr).toMatch(/^knell: no Knell data in [^\n]+\n$/);
      expect(existsSync(dataDir)).toBe(false);
    },
  );
});

describe('knell snapshot verify', () => {
  test('reads all of them, and says which are whole', async () => {
    const files = [put(newer), put(older), put('mine.snapshot')];
    const run = await knell(['snapshot', 'verify']);
    expect([run.status, run.stderr]).toEqual([0, '']);
    for (const file of files) expect(run.stdout).toContain(`${file}: ok, ${goldenChecks} checks, `);
    const json = JSON.parse((await knell(['snapshot', 'verify', '--json'])).stdout);
    expect(json.map(({ whole }: { whole: boolean }) => whole)).toEqual([true, true, true]);
  });

  test('ends with 1 when one is damaged, with a sentence that says what, and goes on to the others', async () => {
    const bad = put(newer, damaged);
    const good = put(older);
    const run = await knell(['snapshot', 'verify']);
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(oneLine);
    expect(run.stderr).toContain(`${bad}: the snapshot is damaged: `);
    expect(run.stdout).toMatch(new RegExp(`^${good}: ok, [^\n]+\n$`));
    const asJson = await knell(['snapshot', 'verify', '--json']);
    expect([asJson.status, JSON.parse(asJson.stdout)]).toEqual([
      1,
      [
        { file: bad, whole: false, problem: expect.stringContaining('damaged') },
        expect.objectContaining({ file: good, whole: true, checks: goldenChecks }),
      ],
    ]);
  });

  test('refuses every kind of damage, each in a sentence of its own', async () => {
    const kinds = [...damagedSnapshots(golden)];
    expect(kinds.length).toBeGreaterThan(22);
    for (const [index, [, bytes]] of kinds.entries())
      put(`damaged-${String(index).padStart(2, '0')}.snapshot`, bytes);
    put('whole.snapshot');
    const run = await knell(['snapshot', 'verify']);
    expect(run.status).toBe(1);
    const lines = run.stderr.trimEnd().split('\n');
    for (const [index, [what]] of kinds.entries()) {
      const name = `damaged-${String(index).padStart(2, '0')}.snapshot`;
      const line = lines.find((one) => one.includes(name));
      expect(line, what).toMatch(
        /(: the snapshot is damaged: .+|is no Knell snapshot|has snapshot format \d+; .+)$/,
      );
    }
    expect(lines).toHaveLength(kinds.length);
    expect(run.stdout).toMatch(/whole\.snapshot: ok/);
  });

  test('takes a file by name, by the directory of the caller, whether there is a data directory or not', async () => {
    const dir = tempDir();
    copyFileSync(goldenFile, join(dir, 'list'));
    expect(await knell(['snapshot', 'verify', 'list'], dir)).toMatchObject({ status: 0, stderr: '' });
    expect(await knell(['snapshot', 'verify', dir], dir)).toMatchObject({ status: 1, stdout: '' });
    const absent = await knell(['snapshot', 'verify', 'none'], dir);
    expect([absent.status, absent.stderr]).toEqual([1, expect.stringMatching(/^knell: [^\n]*none[^\n]*\n$/)]);
  });

  test('where there is none says so, and ends with 1', async () => {
    mkdirSync(join(dataDir, 'snapshots'), { recursive: true });
    const run = await knell(['snapshot', 'verify']);
    expect([run.status, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toMatch(/^knell: no snapshots in [^\n]+\n$/);
  });
});

describe('knell restore without a file', () => {
  test('takes the latest, says which, and leaves the snapshots where they are', async () => {
    put(older, damaged);
    const file = put(newer);
    const run = await knell(['restore']);
    expect([run.status, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toContain(`${goldenChecks} checks`);
    expect(run.stdout).toContain(`from ${file}\n`);
    expect(readdirSync(join(dataDir, 'snapshots')).sort()).toEqual([older, newer]);
    expect((await knell(['project', 'list', '--json'])).stdout).toContain(said.projects[0].name);
    const again = await knell(['restore']);
    expect([again.status, again.stderr]).toEqual([
      1,
      expect.stringContaining('restore needs an empty data directory'),
    ]);
  });

  test('passes over what is damaged, and says so', async () => {
    const bad = [put(newer, damaged), put('knell-20261122T031500Z.snapshot', golden.subarray(0, 50))];
    const file = put(older);
    const run = await knell(['restore', '--json']);
    expect([run.status, JSON.parse(run.stdout)]).toEqual([0, expect.objectContaining({ file })]);
    const lines = run.stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    for (const one of bad) expect(run.stderr).toContain(`knell: ${one}: `);
  });

  test.each([
    ['there is none', {}, 'there is no snapshot'],
    ['none is whole', { [newer]: damaged, [older]: Buffer.alloc(10) }, 'no snapshot in'],
  ])('says so where %s, and creates nothing', async (_what, files, sentence) => {
    for (const [name, bytes] of Object.entries(files)) put(name, bytes);
    const run = await knell(['restore']);
    expect([run.status, run.stdout]).toEqual([1, '']);
    expect(run.stderr.trimEnd().split('\n').at(-1)).toContain(sentence);
    expect(existsSync(join(dataDir, 'format'))).toBe(false);
    expect(existsSync(join(dataDir, 'history'))).toBe(false);
  });

  test('does not take one that it may not restore over what is there', async () => {
    put(newer);
    writeFileSync(join(dataDir, 'notes.txt'), 'of somebody');
    const run = await knell(['restore']);
    expect([run.status, run.stderr]).toEqual([1, expect.stringMatching(oneLine)]);
    expect(run.stderr).toContain('notes.txt');
    expect(readdirSync(dataDir).sort()).toEqual(['notes.txt', 'snapshots']);
  });
});

describe('knell snapshot', () => {
  test('without a file names one after the time, which list shows, verify reads and restore takes', async () => {
    expect((await knell(['project', 'create', 'kept'])).status).toBe(0);
    const run = await knell(['snapshot']);
    expect([run.status, run.stderr]).toEqual([0, '']);
    const [name = '', ...others] = readdirSync(join(dataDir, 'snapshots'));
    expect([name, others]).toEqual([expect.stringMatching(/^manual-\d{8}T\d{6}Z\.snapshot$/), []]);
    expect(run.stdout).toContain(name);
    expect(JSON.parse((await knell(['snapshot', 'list', '--json'])).stdout)).toMatchObject([
      { checks: 0, pings: 0 },
    ]);
    expect((await knell(['snapshot', 'verify'])).status).toBe(0);
    for (const one of readdirSync(dataDir).filter((entry) => entry !== 'snapshots'))
      rmSync(join(dataDir, one), { recursive: true });
    expect((await knell(['restore'])).stdout).toContain(name);
    expect((await knell(['project', 'list', '--json'])).stdout).toContain('kept');
  });

  test('never replaces one of the same second', async () => {
    expect((await knell(['project', 'create', 'kept'])).status).toBe(0);
    for (let made = 0; made < 3; made++) await knell(['snapshot']);
    expect(readdirSync(join(dataDir, 'snapshots'))).toHaveLength(3);
  });

  test('takes a file that is called as one of its commands, with its directory', async () => {
    const dir = tempDir();
    expect((await knell(['project', 'create', 'kept'])).status).toBe(0);
    expect(await knell(['snapshot', './list'], dir)).toMatchObject({ status: 0, stderr: '' });
    expect(readdirSync(dir)).toEqual(['list']);
    expect((await knell(['snapshot', '--help'])).stdout).toContain('./list');
  });

  test.each([
    [['snapshot', 'list', 'x']],
    [['snapshot', 'verify', 'x', 'y']],
    [['snapshot', 'x', 'y']],
    [['snapshot', '--nonsense']],
    [['snapshot', 'list', '--nonsense']],
    [['restore', 'x', 'y']],
  ])('%j is a wrong call', async (args) => {
    const run = await knell(args);
    expect([run.status, run.stdout]).toEqual([2, '']);
    expect(existsSync(dataDir)).toBe(false);
  });

  test.each([
    [['snapshot', 'list', '--data-dir']],
    [['snapshot', 'verify', '--data-dir']],
    [['snapshot', '--data-dir']],
  ])('%j names another directory', async (args) => {
    const other = join(tempDir(), 'other');
    expect((await knell([...args, other])).stderr).toContain(other);
  });

  test('is made beside a running Knell, which owns what it writes', async () => {
    const server = await KnellProcess.start(dataDir);
    const run = await knell(['snapshot', '--json']);
    expect([run.status, JSON.parse(run.stdout)]).toEqual([0, expect.objectContaining({ checks: 0 })]);
    expect((await knell(['snapshot', 'verify'])).status).toBe(0);
    const refused = await knell(['restore']);
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining('restore needs an empty data directory'),
    ]);
    expect(await server.end('SIGTERM')).toBe(0);
  });
});
