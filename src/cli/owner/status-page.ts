/** The output of `knell status-page`. */
import type { CommandResult } from '../../commands/table.ts';
import { print, printTable } from '../io/terminal.ts';
import type { Printers } from './printer.ts';

type ShownPage = CommandResult<'status-page show'>;

export const statusPagePrinters = {
  'status-page list': { print: (pages) => printTable(pages.map(rowOf)) },
  'status-page show': { print: printPage },
  'status-page create': { print: ({ url }) => print(url) },
  'status-page delete': { print: ({ slug }) => print(`deleted ${slug}`) },
  'status-page notice': {
    print({ notices }, { notice, stage }) {
      const written = notices.find(({ id }) => id === notice) ?? notices[0];
      print(`notice ${written?.id ?? ''}, ${stage}`);
    },
  },
} satisfies Printers;

function rowOf({ slug, title, services, hasPassword, url }: ShownPage) {
  return { slug, title, services: services.length, access: hasPassword ? 'password' : 'public', url };
}

function printPage({ title, url, timeZone, hasPassword, services, notices }: ShownPage): void {
  print(`${title}, ${hasPassword ? 'with a password' : 'public'}, time zone ${timeZone}`);
  print(url);
  for (const { name, tag, checks } of services)
    print(`service ${JSON.stringify(name)}: ${tag === '' ? checks.join(', ') : `tag ${tag}`}`);
  for (const { id, title, updates } of notices)
    print(`notice ${id}, ${updates.at(-1)?.stage ?? ''}: ${title}`);
}
