/** Whether cron could run `knell`: real programs, run with the PATH of cron's jobs. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { whyNotByCron } from '../../../src/cli/discover/cron-path.ts';
import { tempDir } from '../../support/temp-dirs.ts';

function program(script: string): string {
  const path = join(tempDir(), 'knell');
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return path;
}

test('a script whose interpreter is only on the PATH of a login is refused, with what the system says', () => {
  const path = program('#!/usr/bin/env node-of-a-login\n');
  expect(whyNotByCron(path)).toMatch(
    /\/knell does not run with the PATH .* \/usr\/bin:\/bin \(.*node-of-a-login/,
  );
  expect(whyNotByCron(program('#!/opt/node/bin/node\n'))).toContain('does not run with the PATH');
});

test('one that runs is not, whatever it answers', () => {
  expect(whyNotByCron(program('#!/bin/sh\nexit 0\n'))).toBeNull();
  expect(whyNotByCron(program('#!/bin/sh\nexit 3\n'))).toBeNull();
});
