/** The MIME parser under deterministic garbage: `npm run test:fuzz` in short, and what it has found. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { builtUrl } from '../support/process/built.ts';

test('nothing that comes is too much for the mail reader', async () => {
  builtUrl('smtp/read-mail.js');
  const script = fileURLToPath(new URL('../../scripts/fuzz.js', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--rounds', '500', '--seed', '7']);
  expect(stdout).toMatch(/^500 mails read/);
});
