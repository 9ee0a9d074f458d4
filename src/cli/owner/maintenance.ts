/** The output of `knell maintenance`. */
import { readFileSync } from 'node:fs';
import type { CommandResult } from '../../commands/table.ts';
import { minuteWords } from '../../domain/alerting/calendar-words.ts';
import { counted } from '../../domain/words/counted.ts';
import { KnellError, messageOf } from '../../lib/errors.ts';
import { print, printTable } from '../io/terminal.ts';
import type { Printers } from './printer.ts';

type ShownWindow = CommandResult<'maintenance start'>;

export const maintenancePrinters = {
  'maintenance list': { print: (windows) => printTable(windows.map(rowOf)) },
  'maintenance create': {
    options: (command) => command.option('--ics <file>', 'or the events of an iCalendar file'),
    prepare({ args, flags }) {
      const { ics } = flags;
      return typeof ics === 'string' ? { ...args, ics: fileText(ics) } : args;
    },
    print: (window) => print(`${window.name}, id ${window.uuid}: ${whenOf(window)}`),
  },
  'maintenance start': { print: (window) => print(`${window.name}: ${whenOf(window)}`) },
  'maintenance end': { print: (window) => print(`${window.name}: ${whenOf(window)}`) },
  'maintenance delete': { print: ({ name }) => print(`deleted ${name}`) },
} satisfies Printers;

function fileText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new KnellError('usage', `cannot read ${file}: ${messageOf(error)}`);
  }
}

function rowOf(window: ShownWindow) {
  const { uuid, name, checks, tags, integrations, times, by } = window;
  const scope = [
    ...tags.map((tag) => `tag ${tag}`),
    ...(checks.length > 0 ? [counted(checks.length, 'check')] : []),
  ];
  const about = scope.join(', ') || 'all checks';
  const whose =
    integrations.length === 0 ? '' : `, quiet hours of ${counted(integrations.length, 'integration')}`;
  return { name, about: `${about}${whose}`, state: whenOf(window), times, by, id: uuid };
}

function whenOf({ until_active: until, next: [next] }: ShownWindow): string {
  if (until !== null) return `on until ${utcMinute(until)}`;
  return next === undefined ? 'over' : `next at ${utcMinute(next.from)}`;
}

/** `2026-05-04 22:00 UTC`, as in the words of the times. */
function utcMinute(iso: string): string {
  return `${minuteWords(Date.parse(iso))} UTC`;
}
