/** `knell audit`: who changed what, when, from where. */
import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import { adminSession } from '../io/admin-client.ts';
import { printColumns } from '../io/output.ts';
import type { Flags } from '../io/show.ts';
import type { Column } from '../io/table.ts';
import { exitDone, print } from '../io/terminal.ts';
import type { CommandTools } from './notify-commands.ts';

interface ShownEntry {
  readonly at: string;
  readonly actor: string;
  readonly actor_name: string;
  readonly address: string;
  readonly action: string;
  readonly subject: string;
  readonly name: string;
  readonly project: string;
  readonly fields: readonly string[];
  readonly detail: string;
}

interface Page {
  readonly entries: readonly ShownEntry[];
  readonly next: string | null;
}

export function addAudit(program: Command, { finish, onData, configOf }: CommandTools): void {
  onData(
    program.command('audit').description('print the audit log, newest first: who changed what, and when'),
  )
    .option('--since <time>', 'only from this time on, such as 2026-01-31 or 2026-01-31T12:00:00Z')
    .addHelpText('after', '\nWith --json one JSON object a line. Entries are kept for 90 days.')
    .action(async (flags: Flags) => finish(await printAudit(configOf(flags), flags)));
}

/** A page at a time: all of it can be 100 MB. */
async function printAudit(config: Config, { since = '', json }: Flags): Promise<number> {
  const session = adminSession(config);
  try {
    let before = '';
    for (;;) {
      const asked = { command: 'audit list', args: { since, before } };
      const { entries, next } = (await session.run(asked, () => {})) as Page;
      if (json) for (const entry of entries) print(JSON.stringify(entry));
      else if (entries.length > 0 || before === '') printColumns(columns, entries);
      if (next === null) return exitDone;
      before = next;
    }
  } finally {
    await session.close();
  }
}

const columns: readonly Column<ShownEntry>[] = [
  { title: 'TIME', cell: ({ at }) => at.replace(/\.\d+Z$/, 'Z') },
  { title: 'WHO', cell: whoOf, shrinks: true },
  { title: 'FROM', cell: ({ address }) => address },
  { title: 'ACTION', cell: ({ action, subject }) => `${subject} ${action}` },
  { title: 'WHAT', cell: ({ name }) => name, shrinks: true },
  { title: 'PROJECT', cell: ({ project }) => project, shrinks: true },
  { title: 'DETAILS', cell: detailsOf, shrinks: true },
];

function whoOf({ actor, actor_name: name }: ShownEntry): string {
  return name === '' ? actor : `${actor} ${name}`;
}

function detailsOf({ fields, detail }: ShownEntry): string {
  return [fields.join(', '), detail].filter((part) => part !== '').join('; ');
}
