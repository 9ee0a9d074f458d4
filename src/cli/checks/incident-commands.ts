/**
 * The options and help of `knell incidents` and `knell incident`. `incidents` does their work.
 */

import type { Command } from 'commander';
import type { Management } from '../../client/management.ts';
import type { Flags } from '../io/flags.ts';

interface IncidentTools {
  /** Adds the options that name the server of the incidents. */
  listener(command: Command): Command;
  run(flags: Flags, act: (management: Management) => Promise<number>): Promise<void>;
}

const listHelp = `
An incident is opened by a check that goes down; those that depend on it join. STATE is open, acknowledged or
resolved, or several of them with commas between.

Examples:
  knell incidents --state open,acknowledged      # what is not over
  knell incidents -n 5 -o yaml
  knell incident show 7a0c31
  knell incident ack 7a0c31 --note "replacing the disk"`;

const acknowledgeHelp = `
All of its checks that are down are acknowledged with it: integrations that repeat their notifications send no
more of them until the checks are up.`;

export function addIncidents(program: Command, { listener, run }: IncidentTools): void {
  listener(program.command('incidents').description('list the incidents, newest first'))
    .option('--state <state>', 'only those in this state, e.g. open,acknowledged')
    .option('-n <count>', 'how many, 0 to 1000', '50')
    .addHelpText('after', listHelp)
    .action((flags: Flags) =>
      run(flags, async (management) => (await import('./incidents.ts')).listIncidents(management, flags)),
    );
  const group = program
    .command('incident')
    .description('show and handle an incident; ID is its id or 6 or more characters of its beginning');
  listener(
    group.command('show <incident>').description('show an incident with its checks and what happened'),
  ).action((word: string, flags: Flags) =>
    run(flags, async (management) => (await import('./incidents.ts')).showIncident(management, word, flags)),
  );
  const change = (usage: string, action: 'acknowledge' | 'unacknowledge', description: string): Command =>
    listener(group.command(usage).description(description))
      .option('--note <text>', 'a note for the others, left with it')
      .action((word: string, flags: Flags) =>
        run(flags, async (management) => {
          const note = typeof flags.note === 'string' ? flags.note : '';
          const { changeIncident } = await import('./incidents.ts');
          return changeIncident(management, { action, word, note }, flags);
        }),
      );
  change('ack <incident>', 'acknowledge', 'acknowledge an incident with all of its checks').addHelpText(
    'after',
    acknowledgeHelp,
  );
  change('unack <incident>', 'unacknowledge', 'withdraw the acknowledgement: reminders go on');
  listener(
    group.command('note <incident> <text>').description('leave a note, also in one that is resolved'),
  ).action((word: string, note: string, flags: Flags) =>
    run(flags, async (management) => {
      const { changeIncident } = await import('./incidents.ts');
      return changeIncident(management, { action: 'notes', word, note }, flags);
    }),
  );
}
