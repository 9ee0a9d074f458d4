/** The output of `knell audit`: who changed what, when, from where. */

import type { ExportedEntry } from '../../commands/owner/audit-pages.ts';
import type { CommandResult } from '../../commands/table.ts';
import type { AuditChange } from '../../domain/accounts/audit.ts';
import { valueWords } from '../../domain/words/value-words.ts';
import { formOf, printColumns } from '../io/output.ts';
import { show } from '../io/show.ts';
import type { Column } from '../io/table.ts';
import { print } from '../io/terminal.ts';
import type { Call, Printers } from './printer.ts';

export const auditPrinters = { 'audit list': { run: printAudit } } satisfies Printers;

/** Prints the audit log page by page: all of it can be 100 MB. */
async function printAudit({ args, session, flags }: Call<'audit list'>): Promise<void> {
  for (let before: string | null = ''; before !== null; ) {
    const { entries, next }: CommandResult<'audit list'> = await session.run('audit list', {
      ...args,
      before,
    });
    if (formOf(flags) === 'json') for (const entry of entries) print(JSON.stringify(entry));
    else if (entries.length > 0 || before === '') show(flags, entries, () => printColumns(columns, entries));
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

/** Describes the changes. A field whose values are given is not named once more. */
function detailsOf({ fields, changes, detail }: ExportedEntry): string {
  const unsaid = fields.filter((name) => !changes.some(({ field }) => field === name));
  return [...changes.map(changeWords), unsaid.join(', '), detail].filter((part) => part !== '').join('; ');
}

/** `grace: 1 h → 10 min`, in the words of the page. */
function changeWords({ field, before, after }: AuditChange): string {
  return `${field}: ${valueWords(field, before)} → ${valueWords(field, after)}`;
}
