#!/usr/bin/env node
/**
 * argv in, exit status out: 0 done, 1 failed, 2 called wrongly. Nothing else happens here.
 */
import { run } from './cli/args.ts';

process.exitCode = await run(process.argv.slice(2));
