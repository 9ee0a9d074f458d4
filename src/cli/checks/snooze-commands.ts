/**
 * The options and help of `knell check acknowledge`, `unacknowledge`, `snooze` and `unsnooze`. `snooze` does their work.
 */

import type { Command } from 'commander';
import type { Management } from '../../client/management.ts';
import type { Flags } from '../io/flags.ts';

interface SnoozeTools {
  /** Adds the options that name the server of the checks. */
  listener(command: Command): Command;
  run(flags: Flags, act: (management: Management) => Promise<number>): Promise<void>;
}

const reminders = `
Integrations that repeat their notifications send no more of them until the check is up again. The next
outage is notified as usual. Only a check that is down can be acknowledged.`;

const quiet = `
Pings are recorded and statuses change as always, but nothing is sent about the checks until then: not that
they are down, late or up, and no reminder. What is still true at the end is sent then: that a check is down,
or that it came up if it was down before.

TIME is a time of day here (09:00, the next one), a date (2030-05-04), both (2030-05-04T09:00), or an instant
with its offset (2030-05-04T09:00Z). At most a year ahead.

Examples:
  knell check snooze backup --for 2h            # during an upgrade
  knell check snooze web db --until 09:00       # until the morning
  knell check unsnooze backup                   # ready early`;

export function addSnoozes(group: Command, { listener, run }: SnoozeTools): void {
  const add = (
    action: 'acknowledge' | 'unacknowledge' | 'snooze' | 'unsnooze',
    description: string,
    help = '',
  ): Command =>
    listener(group.command(`${action} <checks...>`).description(description))
      .addHelpText('after', help)
      .action((words: string[], flags: Flags) =>
        run(flags, async (management) => {
          const { changeAlerts } = await import('./snooze.ts');
          return changeAlerts(management, action, { words, flags });
        }),
      );
  add('acknowledge', 'send no more reminders about checks that are down', reminders);
  add('unacknowledge', 'withdraw the acknowledgement: reminders go on');
  add('snooze', 'send nothing about checks for a while', quiet)
    .option('--for <time>', 'how long, e.g. 30m, 2h, 1d')
    .option('--until <time>', 'or until when');
  add('unsnooze', 'end a snooze now, as if its time had come');
}
