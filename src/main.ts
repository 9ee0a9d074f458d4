#!/usr/bin/env node
/**
 * argv in, exit status out: 0 done, 1 failed, 2 called wrongly. Nothing else happens here.
 */
import { pingCommands, runPingCommand } from './cli/ping-commands.ts';

const words = process.argv.slice(2);

async function run(): Promise<number> {
  if (pingCommands.includes(words[0] ?? '')) return runPingCommand(words);
  const commands = await import('./cli/args.ts');
  return commands.run(words);
}

process.exitCode = await run();
