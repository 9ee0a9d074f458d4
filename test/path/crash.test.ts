/** Twenty times `kill -9` under load: see `scripts/crash.js` for what must hold after each. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('twenty kills at random moments lose no acknowledged ping', () => {
  const script = fileURLToPath(new URL('../../scripts/crash.js', import.meta.url));
  const run = spawnSync(process.execPath, [script, '--rounds', '20', '--clients', '12'], {
    encoding: 'utf8',
  });
  expect(run.stderr).toBe('');
  expect(run.stdout).toMatch(/20 kills, \d+ acknowledged pings, none lost/);
  expect(run.status).toBe(0);
}, 90_000);
