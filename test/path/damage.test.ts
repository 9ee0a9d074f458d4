/** Damage to a data directory, and a change of the journal, as an owner meets them: the built program, real files. */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ChildKnell } from '../support/process/child-knell.ts';
import { CommandRunner, type Run, runProcess } from '../support/process/commands.ts';
import { mountSmallDisk } from '../support/store/small-disk.ts';
import { tempDir } from '../support/temp-dirs.ts';

let runner: CommandRunner;
const pingsSent = 60;
const running: ChildKnell[] = [];
/** Outlives the single tests. */
const templatesDir = mkdtempSync(join(tmpdir(), 'knell-test-'));

beforeAll(() => {
  runner = CommandRunner.start();
});

afterAll(async () => {
  await runner.stop();
  rmSync(templatesDir, { recursive: true, force: true });
});

afterEach(async () => {
  for (const knell of running.splice(0)) await knell.kill();
});

type Journal = 'lmdb' | 'file';

interface Filled {
  readonly dataDir: string;
  readonly key: string;
  readonly uuid: string;
}

async function start(
  dataDir: string,
  journal: Journal,
  said: (text: string) => void = () => {},
): Promise<ChildKnell> {
  const knell = await ChildKnell.start(dataDir, { KNELL_JOURNAL: journal }, said);
  running.push(knell);
  return knell;
}

async function ping(knell: ChildKnell, uuid: string, body: string): Promise<number> {
  return (await fetch(`${knell.url}/ping/${uuid}`, { method: 'POST', body })).status;
}

const templates = new Map<Journal, Filled>();

/** A data directory with pings that were acknowledged and are not folded: Knell was killed before. A copy for each test. */
async function filled(journal: Journal, dataDir = join(tempDir(), 'data')): Promise<Filled> {
  const template = templates.get(journal) ?? (await fill(journal, join(templatesDir, journal)));
  templates.set(journal, template);
  cpSync(template.dataDir, dataDir, { recursive: true, filter: (name) => !name.endsWith('.sock') });
  return { ...template, dataDir };
}

async function fill(journal: Journal, dataDir: string): Promise<Filled> {
  let said = '';
  const knell = await start(dataDir, journal, (text) => {
    said = text;
  });
  const key = /hcw_\w+/.exec(said)?.[0] ?? '';
  const headers = { 'X-Api-Key': key };
  const created = await fetch(`${knell.url}/api/v3/checks/`, {
    method: 'POST',
    headers,
    body: '{"timeout":3600}',
  });
  const { uuid } = (await created.json()) as { uuid: string };
  for (let n = 1; n <= pingsSent; n++)
    expect(await ping(knell, uuid, `body of ping ${n} ${'x'.repeat(200)}`)).toBe(200);
  await knell.kill();
  return { dataDir, key, uuid };
}

async function numbersOf(knell: ChildKnell, { key, uuid }: Filled): Promise<readonly number[]> {
  const reply = await fetch(`${knell.url}/api/v3/checks/${uuid}/pings/`, { headers: { 'X-Api-Key': key } });
  const { pings } = (await reply.json()) as { pings: { n: number }[] };
  return pings.map(({ n }) => n).reverse();
}

/** A server in a process of its own, as damage might end it; the other commands in one process that runs them all. */
function knell(args: readonly string[], dataDir: string, more: Record<string, string> = {}): Promise<Run> {
  const env = { KNELL_DATA_DIR: dataDir, KNELL_HTTP: '127.0.0.1:0', KNELL_SMTP: 'off', ...more };
  return args[0] === 'serve' ? runProcess(args, { env }) : runner.run(args, env);
}

/** Names and bytes of what counts: the lock and LMDB's own lock files come and go. */
function imageOf(dataDir: string): ReadonlyMap<string, string> {
  const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => !/lock/.test(name) && statSync(join(dataDir, name)).isFile());
  return new Map(files.map((name) => [name, readFileSync(join(dataDir, name), 'base64')]));
}

/** Flips a bit in the body of a ping, wherever in the file it is. */
function flipInBody(file: string, n: number): void {
  const bytes = readFileSync(file);
  const at = bytes.lastIndexOf(`body of ping ${n} `);
  expect(at).toBeGreaterThan(0);
  bytes[at + 30] = (bytes[at + 30] ?? 0) ^ 4;
  writeFileSync(file, bytes);
}

function change(file: string, edit: (bytes: Buffer) => void): void {
  const bytes = readFileSync(file);
  edit(bytes);
  writeFileSync(file, bytes);
}

/** Where the frame that holds the body of ping `n` begins: its length is 16 bytes before the batch. */
function frameOf(bytes: Buffer, n: number): number {
  const body = bytes.indexOf(`body of ping ${n} `);
  for (let at = body; at > 0; at--) {
    const end = at + 16 + bytes.readUInt32LE(at);
    const seq = bytes.readDoubleLE(at + 4);
    if (end > body && end < body + 400 && Number.isSafeInteger(seq) && seq > 0 && seq < 1e6) return at;
  }
  throw new Error('no frame holds that body');
}

const newest = (dataDir: string): string => {
  const dir = join(dataDir, 'journal');
  const name = readdirSync(dir)
    .filter((one) => one.endsWith('.log'))
    .find((one) => readFileSync(join(dir, one)).includes('body of ping 30 '));
  return join(dir, name ?? '');
};

const damages: readonly (readonly [string, Journal, (dataDir: string) => void])[] = [
  ['a bit of a body', 'file', (dir) => flipInBody(newest(dir), 30)],
  [
    'a bit of a length',
    'file',
    (dir) =>
      change(newest(dir), (bytes) => {
        const at = frameOf(bytes, 30);
        bytes[at] = (bytes[at] ?? 0) ^ 1;
      }),
  ],
  [
    'a zeroed page',
    'file',
    (dir) => change(newest(dir), (bytes) => bytes.fill(0, frameOf(bytes, 30), frameOf(bytes, 30) + 4096)),
  ],
  ['a file that is gone', 'file', (dir) => rmSync(newest(dir))],
  ['no manifest', 'file', (dir) => rmSync(join(dir, 'journal', 'manifest'))],
  ['no journal', 'file', (dir) => rmSync(join(dir, 'journal'), { recursive: true })],
  ['a bit of a body', 'lmdb', (dir) => flipInBody(join(dir, 'journal', 'data.mdb'), 30)],
  ['no journal', 'lmdb', (dir) => rmSync(join(dir, 'journal'), { recursive: true })],
];

describe('a damaged journal', () => {
  test.each(damages)(
    '(%s, %s) is refused with a sentence and untouched; check lists it, salvage goes on with the rest',
    async (what, journal, damage) => {
      const found = await filled(journal);
      const { dataDir } = found;
      damage(dataDir);
      const before = imageOf(dataDir);

      const refused = await knell(['serve'], dataDir, { KNELL_JOURNAL: journal });
      expect(refused.status).toBe(1);
      expect(refused.stderr).toMatch(
        /^knell: the journal(’s|'s)? .*(damaged|missing).*store check.*store salvage/m,
      );
      expect(imageOf(dataDir)).toEqual(before);

      const checked = await knell(['store', 'check'], dataDir);
      expect(checked.status).toBe(1);
      expect(checked.stdout).toMatch(/^history: ok/m);
      expect(checked.stdout).toMatch(/^journal: DAMAGED/m);
      expect(imageOf(dataDir)).toEqual(before);

      expect(await knell(['store', 'salvage'], dataDir)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('--yes'),
      });
      expect(imageOf(dataDir)).toEqual(before);
      const salvaged = await knell(['store', 'salvage', '--yes', '--json'], dataDir);
      expect(salvaged.status).toBe(0);
      expect(salvaged.stderr).toContain('This will be lost');
      const { lost, keptIn } = JSON.parse(salvaged.stdout);
      expect(lost.length).toBeGreaterThan(0);
      if (what !== 'no journal') expect(existsSync(keptIn)).toBe(true);

      const again = await start(dataDir, journal);
      if (what.startsWith('a ') && what !== 'a file that is gone') {
        const numbers = await numbersOf(again, found);
        // One ping was in each damaged frame; the page holds some more.
        expect(numbers.length).toBeGreaterThan(pingsSent - 20);
        expect(numbers).toContain(pingsSent);
        expect(await ping(again, found.uuid, 'next')).toBe(200);
        expect(await numbersOf(again, found)).toEqual([...numbers, pingsSent + 1]);
      }
    },
  );

  test('of which only the head is damaged loses nothing', async () => {
    const found = await filled('file');
    change(newest(found.dataDir), (bytes) => {
      bytes[3] = 0;
    });
    const numbers = await numbersOf(await start(found.dataDir, 'file'), found);
    expect(numbers).toEqual(Array.from({ length: pingsSent }, (_, at) => at + 1));
  });

  test('that is whole is nothing to salvage', async () => {
    const { dataDir } = await filled('lmdb');
    expect(await knell(['store', 'check'], dataDir)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('journal: ok'),
    });
    expect(await knell(['store', 'salvage', '--yes'], dataDir)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('nothing to salvage'),
    });
  });
});

describe('a damaged history', () => {
  test('and journal both gone while the format marker is there: refused, not begun anew', async () => {
    const { dataDir } = await filled('lmdb');
    for (const name of ['history', 'journal']) rmSync(join(dataDir, name), { recursive: true });
    const before = imageOf(dataDir);
    const refused = await knell(['serve'], dataDir);
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/history is missing.*knell restore/),
    ]);
    expect(imageOf(dataDir)).toEqual(before);
    expect((await knell(['store', 'check'], dataDir)).status).toBe(1);
  });

  test.each(['history', 'journal'])(
    'file of the %s shorter than its meta page says is a sentence, not a signal',
    async (part) => {
      const { dataDir } = await filled('lmdb');
      // Folds what the journal holds, so that the history is more than its first pages.
      if (part === 'history')
        expect((await knell(['snapshot', join(tempDir(), 'file')], dataDir)).status).toBe(0);
      const file = join(dataDir, part, 'data.mdb');
      const whole = readFileSync(file);
      for (const share of [0.3, 0.5, 0.7]) {
        writeFileSync(file, whole);
        truncateSync(file, Math.floor((whole.length * share) / 4096) * 4096);
        const refused = await knell(['serve'], dataDir);
        expect(refused.status).toBe(1);
        expect(refused.stderr).toMatch(/data\.mdb is damaged: its last \d+ bytes are missing/);
        expect(await knell(['store', 'check'], dataDir)).toMatchObject({
          status: 1,
          stdout: expect.stringContaining('bytes are missing'),
        });
      }
      if (part === 'history') return;
      expect(await knell(['store', 'salvage', '--yes'], dataDir)).toMatchObject({
        status: 0,
        stderr: expect.stringContaining('batches from 1 on'),
      });
      await start(dataDir, 'lmdb');
    },
  );
});

describe('the journal', () => {
  test.each([
    ['lmdb', 'file'],
    ['file', 'lmdb'],
  ] as const)('written as %s with an unfolded tail is opened as %s, and back', async (first, second) => {
    const found = await filled(first);
    const all = Array.from({ length: pingsSent }, (_, at) => at + 1);
    const other = await start(found.dataDir, second);
    expect(await numbersOf(other, found)).toEqual(all);
    expect(await ping(other, found.uuid, 'over the other log')).toBe(200);
    await other.kill();
    const back = await start(found.dataDir, first);
    expect(await numbersOf(back, found)).toEqual([...all, pingsSent + 1]);
  });

  test.each([
    ['lmdb', 'file'],
    ['file', 'lmdb'],
  ] as const)(
    'on a disk that is full while it changes from %s to %s: a sentence, and everything is there later',
    async (first, second) => {
      const disk = mountSmallDisk(40_000_000);
      if (!disk) return expect(process.getuid?.()).not.toBe(0);
      const found = await filled(first, join(disk.dir, 'data'));
      disk.fill();
      const refused = await knell(['serve'], found.dataDir, { KNELL_JOURNAL: second });
      expect([refused.status, refused.stderr]).toEqual([1, expect.stringMatching(/no space/)]);
      disk.free();
      const later = await start(found.dataDir, second);
      expect(await numbersOf(later, found)).toEqual(Array.from({ length: pingsSent }, (_, at) => at + 1));
      await later.kill();
    },
  );

  test('of a kind that does not exist is a wrong call, named in one line', async () => {
    const refused = await knell(['serve'], join(tempDir(), 'data'), { KNELL_JOURNAL: 'typo' });
    expect(refused).toMatchObject({
      status: 2,
      stderr: 'knell: KNELL_JOURNAL: "typo" must be lmdb or file\n',
    });
  });
});

test('a data directory of a newer format is refused untouched', async () => {
  const { dataDir } = await filled('lmdb');
  writeFileSync(join(dataDir, 'format'), 'knell data directory, format 99\n');
  const before = imageOf(dataDir);
  expect(await knell(['serve'], dataDir)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('format 99'),
  });
  expect(imageOf(dataDir)).toEqual(before);
});
