/**
 * Before and after a whole run: a folder of its own in the temporary folder, in which every test file gets one (`file-folder`).
 * Invariant: a run after which something is left in it fails, and says what. What other programs leave elsewhere is not looked
 * at, so that two runs do not disturb each other.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The variable by which test files know it. Not KNELL_…: the server refuses such variables that it does not know. */
const variable = 'TEST_RUN_FOLDER';

/** Called once for each project of the configuration: the first one is for all. */
export function setup(): (() => void) | undefined {
  if (process.env[variable] !== undefined) return undefined;
  // Short: sockets in it have addresses of at most 100 bytes.
  const folder = mkdtempSync(join(tmpdir(), 'knell-t-'));
  process.env[variable] = folder;
  return () => {
    const left = readdirSync(folder);
    rmSync(folder, { recursive: true, force: true });
    if (left.length === 0) return;
    // An error thrown here would be printed, and the run would succeed all the same.
    process.stderr.write(`FAIL tests left ${left.length} in the temporary folder: ${left.join(', ')}\n`);
    process.exitCode = 1;
  };
}
