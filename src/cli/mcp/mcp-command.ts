/** The options of `knell mcp`. What it does is loaded when it runs: the protocol's library is large. */
import type { Command } from 'commander';
import type { Flags } from '../io/flags.ts';
import type { CommandTools } from '../io/owner-command.ts';

const help = `
A client of the Model Context Protocol starts it, and talks to it on stdin and stdout. With a read-only key, or with
--read-only, the tools that change something are not offered. No tool pings or deletes.

Examples:
  knell mcp --server https://knell.example.org      # with KNELL_API_KEY in the client's configuration
  knell mcp --read-only                             # the Knell of this machine, over its socket`;

export function addMcp(program: Command, { finish, onData, configOf }: CommandTools): void {
  onData(
    program.command('mcp').description('offer the checks to a language model (Model Context Protocol)'),
    false,
  )
    .option('--server <url>', 'a Knell on another machine (KNELL_SERVER)')
    .option('--key <key>', 'a key of the project there (KNELL_API_KEY)')
    .option('--project <project>', 'show only this project, by name or id')
    .option('--read-only', 'offer only what reads, whatever the key may do')
    .addHelpText('after', help)
    .action(async (flags: Flags) => {
      const { serveMcp } = await import('./mcp-server.ts');
      finish(await serveMcp(flags, configOf));
    });
}
