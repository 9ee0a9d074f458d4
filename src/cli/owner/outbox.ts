/** The output of `knell outbox`, in the words of the page. The JSON has the names of the stored fields. */
import { print, printTable } from '../io/terminal.ts';
import type { Printers } from './printer.ts';

export const outboxPrinters = {
  'outbox list': {
    print: (deliveries) =>
      printTable(
        deliveries.map(({ id, state, told, ...rest }) => ({
          id,
          state: shownStates.get(state) ?? 'superseded',
          event: told,
          ...rest,
        })),
      ),
  },
  'outbox retry': { print: ({ retried }) => print(`retried ${retried}`) },
  'outbox drop': { print: ({ dropped }) => print(`dropped ${dropped}`) },
} satisfies Printers;

const shownStates: ReadonlyMap<string, string> = new Map([
  ['waiting', 'pending'],
  ['dead', 'failed'],
]);
