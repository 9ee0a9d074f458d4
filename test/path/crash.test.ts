/** `kill -9` under load, half of the times over each log: see `scripts/crash.js` for what must hold after each. For more: `npm run test:crash`. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isLong } from '../support/long.ts';

const rounds = isLong ? 8 : 2;

test('kills at random moments lose no acknowledged ping', () => {
  const script = fileURLToPath(new URL('../../scripts/crash.js', import.meta.url));
  const run = spawnSync(process.execPath, [script, '--rounds', String(rounds), '--clients', '12'], {
    encoding: 'utf8',
  });
  expect(run.stderr).toBe('');
  expect(run.stdout).toMatch(new RegExp(`${rounds} kills, \\d+ acknowledged pings, none lost`));
  expect(run.status).toBe(0);
});
