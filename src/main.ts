#!/usr/bin/env node
/**
 * argv in, exit status out: 0 done, 1 failed, 2 called wrongly. Nothing else happens here.
 */
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { pingCommands, runPingCommand } from './cli/checks/ping-commands.ts';

// Since Node 22.8: keeps what is compiled, beside the program, where only those may write who may change the program.
if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function')
  module.enableCompileCache(fileURLToPath(new URL('./.compiled/', import.meta.url)));

const words = process.argv.slice(2);

async function run(): Promise<number> {
  if (pingCommands.includes(words[0] ?? '')) return runPingCommand(words);
  const commands = await import('./cli/args.ts');
  return commands.run(words);
}

process.exitCode = await run();
