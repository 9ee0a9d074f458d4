/** Imports of the files of `vendor/`, by `knell import` against a real server: what the tests of all of them share. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Json } from '../../support/knell.ts';
import { CheckCommands } from '../../support/process/check-commands.ts';
import type { Run } from '../../support/process/commands.ts';
import { tempDir } from '../../support/temp-dirs.ts';

export const vendor = (name: string): string => fileURLToPath(new URL(`./vendor/${name}`, import.meta.url));

/** The file with another address of its status page: no two projects have the same. */
export const withPage = (name: string, slug: string): string => {
  const file = join(tempDir(), name);
  writeFileSync(file, readFileSync(vendor(name), 'utf8').replace('"slug": "backups"', `"slug": "${slug}"`));
  return file;
};

/** The server of one file's tests, with no checks at the start of each. */
export class VendorImports {
  #commands: CheckCommands | null = null;

  static forFile(): VendorImports {
    const imports = new VendorImports();
    beforeAll(async () => {
      imports.#commands = await CheckCommands.start();
    });
    afterEach(() => imports.commands.deleteChecks());
    afterAll(() => imports.#commands?.stop());
    return imports;
  }

  get commands(): CheckCommands {
    if (!this.#commands) throw new Error('the tests of this file have not begun');
    return this.#commands;
  }

  readonly run = (...args: string[]): Promise<Run> => this.commands.run('import', ...args);

  /** Imports a file of a vendor; resolves to what was printed and the checks by slug. */
  readonly imported = async (source: string, name: string, project: string, file = vendor(name)) => {
    const { status, stdout, stderr } = await this.run(source, file, '--project', project, '--yes');
    expect([status, stderr]).toEqual([0, '']);
    const checks: Json[] = await this.commands.json('check', 'list', '--project', project);
    return { stdout, checks: Object.fromEntries(checks.map((check) => [check.slug, check])) };
  };
}
