/** What `npm run check` says of the subjects of commits, in a real repository. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { tempDir } from './support/temp-dirs.ts';

const script = fileURLToPath(new URL('../scripts/check-commits.js', import.meta.url));

let repository = '';

beforeEach(() => {
  repository = join(tempDir(), 'repository');
  for (const folder of ['src/engine', 'src/web', 'scripts'])
    mkdirSync(join(repository, folder), { recursive: true });
  git('init', '-q');
  commit('Anything from before the rule.');
  writeFileSync(join(repository, 'scripts', 'check-commits.js'), '');
  git('add', '.');
  commit('scripts: check the subjects');
});

function git(...args: readonly string[]): void {
  const who = ['-c', 'user.name=Knell', '-c', 'user.email=knell@example.org', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...who, ...args], { cwd: repository });
}

function commit(subject: string): void {
  git('commit', '-q', '--allow-empty', '-m', subject);
}

function checked(): { readonly status: number | null; readonly said: string } {
  const { status, stdout } = spawnSync(process.execPath, [script, repository], { encoding: 'utf8' });
  return { status, said: stdout };
}

test('a good subject passes, and what was there before the rule', () => {
  commit('engine: refuse a check that is gone');
  commit('web: show the zone of a time');
  commit(`engine: ${'a'.repeat(52)}`);
  expect(checked()).toEqual({ status: 0, said: '' });
});

test.each([
  ['no prefix at all', 'has no "module: "'],
  ['page: show it', 'begins with page, which is no module: bench, ci, config, engine,'],
  [`engine: ${'a'.repeat(53)}`, 'has 61 characters, of at most 60'],
  ['engine: Fix it', 'does not go on with a verb in lower case'],
  ['engine: fixed it', 'is no imperative sentence'],
  ['engine: fix it.', 'ends with a full stop'],
])('%j', (subject, fault) => {
  commit(subject);
  const { status, said } = checked();
  expect(status).toBe(1);
  expect(said).toContain(`"${subject}" ${fault}`);
});

test('a folder without git has nothing to say', () => {
  const dir = tempDir();
  mkdirSync(join(dir, 'src'));
  expect(spawnSync(process.execPath, [script, dir]).status).toBe(0);
});
