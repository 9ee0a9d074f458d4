/** What `knell serve` refuses, in one line, and without touching anything. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DirectoryCommands, oneLine } from '../support/process/directory-commands.ts';

const commands = DirectoryCommands.forFile();
const { knell, knellProcess } = commands;

describe('knell serve', () => {
  test.each([
    ['an unknown variable', { KNELL_TYPO: 'x' }, 2, 'KNELL_TYPO'],
    ['a malformed listener', { KNELL_HTTP: 'nowhere' }, 2, 'KNELL_HTTP'],
    ['a malformed size', { KNELL_BODY_BUDGET: 'plenty' }, 2, 'KNELL_BODY_BUDGET'],
    ['a malformed network', { KNELL_TRUST_PROXY: '10.0.0.0/99' }, 2, 'KNELL_TRUST_PROXY'],
    ['a malformed plan of snapshots', { KNELL_SNAPSHOTS: 'daily' }, 2, 'KNELL_SNAPSHOTS'],
    ['a malformed switch', { KNELL_OUTAGE_CREDIT: 'maybe' }, 2, 'KNELL_OUTAGE_CREDIT'],
    ['a secret file that is not there', { KNELL_MAIL_URL_FILE: '/nothing' }, 2, 'KNELL_MAIL_URL_FILE'],
  ] as const)(
    'refuses %s in one line that names it, and touches nothing',
    async (_what, env, status, name) => {
      const run = await knell(['serve'], env);
      expect(run.status).toBe(status);
      expect(run.stderr).toMatch(oneLine);
      expect(run.stderr).toContain(name);
      expect(existsSync(commands.dataDir)).toBe(false);
    },
  );

  test('names the flag when the flag was wrong', async () => {
    const run = await knellProcess(['serve', '--http', 'nowhere']);
    expect([run.status, run.stderr]).toEqual([
      2,
      expect.stringMatching(/^knell: --http: "nowhere" [^\n]+\n$/),
    ]);
    expect((await knell(['serve', '--nonsense'])).status).toBe(2);
  });

  test('refuses a data directory of a newer format, and touches nothing', async () => {
    mkdirSync(commands.dataDir, { recursive: true });
    writeFileSync(join(commands.dataDir, 'format'), 'knell data directory, format 99\n');
    const before = readdirSync(commands.dataDir);
    const run = await knellProcess(['serve']);
    expect([run.status, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toMatch(oneLine);
    expect(readdirSync(commands.dataDir).filter((name) => name !== 'lock')).toEqual(before);
    expect(readFileSync(join(commands.dataDir, 'format'), 'utf8')).toBe('knell data directory, format 99\n');
  });

  test('refuses a port that is in use, and touches nothing', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const run = await knellProcess(['serve'], { KNELL_HTTP: `127.0.0.1:${port}` });
    taken.close();
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(oneLine);
    expect(run.stderr).toContain(String(port));
    expect(existsSync(commands.dataDir)).toBe(false);
  });
});

test.skipIf(process.platform !== 'linux').each([['serve'], ['restore', 'snapshots/format-1.knell']])(
  'knell %s where no directory can be made says so, rather than try without end',
  async (...args) => {
    const { status, stderr } = await knellProcess(args, { KNELL_DATA_DIR: '/proc/knell/data' });
    expect([status, stderr]).toEqual([1, expect.stringMatching(oneLine)]);
  },
);
