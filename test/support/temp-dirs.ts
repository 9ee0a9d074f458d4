/** Temporary directories of a test file. They lie in its folder, and are removed with it (`file-folder`). */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function tempDir(): string {
  return mkdtempSync(join(tmpdir(), 'knell-test-'));
}
