#!/usr/bin/env node
/**
 * `knell run` as a file of its own, for machines where Knell is not installed: built into `dist/knell-run.mjs`, which needs
 * only Node.
 */
import { KnellError, messageOf } from '../lib/errors.ts';
import { runCommand } from './run.ts';

try {
  process.exitCode = await runCommand('knell-run', process.argv.slice(2), { env: process.env, local: null });
} catch (error) {
  process.stderr.write(`knell-run: ${messageOf(error)}\n`);
  process.exitCode = error instanceof KnellError && error.code === 'usage' ? 2 : 1;
}
