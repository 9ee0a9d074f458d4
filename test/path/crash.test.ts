/** Eight times `kill -9` under load, four over each log: see `scripts/crash.js` for what must hold after each. For more: `npm run test:crash`. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('eight kills at random moments lose no acknowledged ping', () => {
  const script = fileURLToPath(new URL('../../scripts/crash.js', import.meta.url));
  const run = spawnSync(process.execPath, [script, '--rounds', '8', '--clients', '12'], {
    encoding: 'utf8',
  });
  expect(run.stderr).toBe('');
  expect(run.stdout).toMatch(/8 kills, \d+ acknowledged pings, none lost/);
  expect(run.status).toBe(0);
});
