/** `knell audit`: who changed what, when, from where. */

import type { Command } from 'commander';
import type { ExportedEntry } from '../../commands/owner/audit-pages.ts';
import type { Flags } from '../io/flags.ts';
import { formOf, printColumns } from '../io/output.ts';
import type { Ask, CommandTools } from '../io/owner-command.ts';
import { show } from '../io/show.ts';
import type { Column } from '../io/table.ts';
import { exitDone, print } from '../io/terminal.ts';

export function addAudit(program: Command, { finish, onOwner, ask }: CommandTools): void {
  onOwner(
    program.command('audit').description('print the audit log, newest first: who changed what, and when'),
  )
    .option('--since <time>', 'only from this time on, such as 2026-01-31 or 2026-01-31T12:00:00Z')
    .addHelpText('after', '\nWith --json one JSON object a line. Entries are kept for 90 days.')
    .action(async (flags: Flags) => finish(await printAudit(ask, flags)));
}

/** A page at a time: all of it can be 100 MB. */
async function printAudit(ask: Ask, flags: Flags): Promise<number> {
  let before = '';
  for (;;) {
    const { entries, next } = await ask(flags, 'audit list', { since: flags.since ?? '', before });
    if (formOf(flags) === 'json') for (const entry of entries) print(JSON.stringify(entry));
    else if (entries.length > 0 || before === '') show(flags, entries, () => printColumns(columns, entries));
    if (next === null) return exitDone;
    before = next;
  }
}

const columns: readonly Column<ExportedEntry>[] = [
  { title: 'TIME', cell: ({ at }) => at.replace(/\.\d+Z$/, 'Z') },
  { title: 'WHO', cell: whoOf, shrinks: true },
  { title: 'FROM', cell: ({ address }) => address },
  { title: 'ACTION', cell: ({ action, subject }) => `${subject} ${action}` },
  { title: 'WHAT', cell: ({ name }) => name, shrinks: true },
  { title: 'PROJECT', cell: ({ project }) => project, shrinks: true },
  { title: 'DETAILS', cell: detailsOf, shrinks: true },
];

function whoOf({ actor, actor_name: name }: ExportedEntry): string {
  return name === '' ? actor : `${actor} ${name}`;
}

function detailsOf({ fields, detail }: ExportedEntry): string {
  return [fields.join(', '), detail].filter((part) => part !== '').join('; ');
}
