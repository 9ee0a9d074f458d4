/**
 * The options of `knell status`, `knell check`, `knell log`, `knell watch` and `knell search`; `incident-commands` has those of incidents.
 * The code that does their work is in files that are loaded when one of them runs.
 */

import { type Command, Option } from 'commander';
import type { Management } from '../../client/management.ts';
import { eventTypes } from '../../domain/views/event-answers.ts';
import type { Flags } from '../io/flags.ts';
import { addOutput } from '../io/output.ts';
import type { CommandTools } from '../io/owner-command.ts';
import { addSpecOptions } from './check-spec-options.ts';
import { addIncidents } from './incident-commands.ts';
import { addResults } from './result-commands.ts';
import { addSnoozes } from './snooze-commands.ts';

type Actions = typeof import('./check-actions.ts');

export function addChecks(program: Command, tools: CommandTools): void {
  const listener = (command: Command): Command =>
    addOutput(tools.onData(command))
      .option('--server <url>', 'a Knell on another machine (KNELL_SERVER)')
      .option(
        '--key <key>',
        'a key of the project there, a read-write one for what changes something (KNELL_API_KEY)',
      )
      .option('--project <project>', 'look only into this project, by name or id');
  const run: CheckTools['run'] = async (flags, act) => {
    const { withManagement } = await import('../io/management-session.ts');
    await withManagement(flags, tools.configOf, async (management) => {
      tools.finish(await act(management, await import('./check-actions.ts')));
    });
  };
  addStatus(program, { listener, run, tools });
  addLive(program, { listener, run, tools });
  addEvents(program, { listener, run, tools });
  addSearch(program, { listener, run, tools });
  const group = program
    .command('check')
    .description('list, create and change checks; CHECK is a name, a slug, a UUID or its beginning');
  addReads(group, { listener, run, tools });
  addChanges(group, { listener, run, tools });
  addSwitches(group, { listener, run, tools });
  addSnoozes(group, { listener, run });
  addResults(program, { listener, run });
  addIncidents(program, { listener, run });
}

interface CheckTools {
  readonly tools: CommandTools;
  /** Adds the options that name the server of the checks. */
  listener(command: Command): Command;
  run(flags: Flags, act: (management: Management, actions: Actions) => Promise<number>): Promise<void>;
}

function addStatus(program: Command, { listener, run }: CheckTools): void {
  listener(
    program
      .command('status')
      .description('show the checks, down and late first; exit status 1 if one is down'),
  )
    .option('--problems', 'show only checks that are down or late')
    .option('--quiet', 'print nothing: only the exit status counts')
    .addHelpText(
      'after',
      `
Examples:
  knell status
  knell status --problems                        # for the message of the day
  knell status --quiet || echo "a check is down"
  knell status --server https://knell.example.org --key hcw_…`,
    )
    .action((flags: Flags) => run(flags, (management, { showStatus }) => showStatus(management, flags)));
}

function addLive(program: Command, { listener, run }: CheckTools): void {
  listener(
    program.command('log <check>').description('show the pings, status changes and notifications of a check'),
  )
    .option('-n <count>', 'how many of the last events, 0 to 1000', '20')
    .option('-f, --follow', 'go on with new events until interrupted')
    .option('--every <time>', 'with -f: how often to look (default 2s)')
    .option('--runs', 'show its runs instead: outcome, duration, host, exit status; not with -f')
    .addHelpText(
      'after',
      '\nA notification is here once it was sent or given up; what is still tried is in "knell outbox list".\n\nExamples:\n  knell log backup\n  knell log backup -f -n 0\n  knell log backup -n 1000 --json\n  knell log backup --runs',
    )
    .action((word: string, flags: Flags) =>
      run(flags, async (management) =>
        flags.runs === true
          ? (await import('./run-list.ts')).showRuns(management, word, flags)
          : (await import('./check-log.ts')).showLog(management, word, flags),
      ),
    );
  listener(
    program
      .command('watch')
      .description('show the checks live; where there is no terminal, a line per change'),
  )
    .option('--every <time>', 'how often to look (default 2s)')
    .action((flags: Flags) =>
      run(flags, async (management) => (await import('./watch.ts')).watchChecks(management, flags)),
    );
}

const eventsHelp = `
TYPES are ${eventTypes.join(', ')}, several with commas between; without --types all but ping.

Examples:
  knell events -f                                # from now on, until interrupted
  knell events -f --types status,ping --check backup
  knell events --json | jq -r .id                # all that is kept, a line each
  knell events -f --json --after 3b90b-8-258     # go on behind an event`;

function addEvents(program: Command, { listener, run }: CheckTools): void {
  listener(program.command('events').description('show what happens in a project, event by event'))
    .option('-f, --follow', 'go on with new events until interrupted, beginning now')
    .option('--types <types>', 'only events of these types, e.g. status,incident')
    .option('--check <checks>', 'only events of these checks, by slug or UUID')
    .option('--tag <tags>', 'only events of checks with one of these tags')
    .option('--after <id>', 'begin behind the event with this id (-o wide shows ids), or: oldest, now')
    .addHelpText('after', eventsHelp)
    .action((flags: Flags) =>
      run(flags, async (management) => (await import('./events.ts')).showEvents(management, flags)),
    );
}

const searchHelp = `
All WORDS have to be there, in any order, in upper or lower case; one with blanks is looked for as it is. Names, slugs,
tags and descriptions of checks are searched, and what their jobs printed or mailed, the newest first.

Exit status: 0 if something was found, 1 if not, 2 for an error, as of grep.

Examples:
  knell search "disk full"
  knell search timeout db --check backup --since 7d
  knell search error --in outputs -n 1000 --json | jq -r .name | sort | uniq -c`;

function addSearch(program: Command, { listener, run }: CheckTools): void {
  listener(program.command('search <words...>').description('search the checks, and what their jobs printed'))
    .addOption(new Option('--in <part>', 'look only there').choices(['checks', 'outputs']))
    .option('--check <check>', 'look only into this check')
    .option(
      '--since <time>',
      'only outputs from then on: 2030-05-04, "2030-05-04 02:10", or 7d for seven days ago',
    )
    .option('--until <time>', 'only outputs before then')
    .option('-n <count>', 'how many outputs, at most', '50')
    .addHelpText('after', searchHelp)
    .action((words: string[], flags: Flags) =>
      run(flags, async (management) => (await import('./search.ts')).searchOutputs(management, words, flags)),
    );
}

const statusNames = ['new', 'up', 'late', 'down', 'paused'] as const;

function addReads(group: Command, { listener, run }: CheckTools): void {
  listener(group.command('list').description('list the checks by name; -o wide shows more columns'))
    .option('--tag <tag>', 'only those with this tag')
    .addOption(new Option('--status <status>', 'only those of this status').choices(statusNames))
    .action((flags: Flags) => run(flags, (management, { listChecks }) => listChecks(management, flags)));
  listener(
    group
      .command('alerting <check>')
      .description(
        'show who would be notified if a check went down now, or was at a moment in the past, and what kept it from whom',
      ),
  )
    .option('--at <time>', 'who was notified then: 02:10, 2030-05-04 02:10, 2030-05-04T02:10:00Z')
    .addHelpText(
      'after',
      "\nExamples:\n  knell check alerting backup\n  knell check alerting backup --at '2030-05-04 02:10'",
    )
    .action((word: string, flags: Flags) =>
      run(flags, async (management) => (await import('./alerting.ts')).showAlerting(management, word, flags)),
    );
  listener(group.command('show <check>').description('show everything about a check')).action(
    (word: string, flags: Flags) =>
      run(flags, (management, { showCheck }) => showCheck(management, word, flags)),
  );
}

function addChanges(group: Command, { listener, run }: CheckTools): void {
  addSpecOptions(
    listener(group.command('create <name>').description('create a check and print its ping URL')),
  )
    .option('--upsert', 'change the check of that slug, if there is one')
    .addHelpText(
      'after',
      `
Without --channels, every integration of the project is notified.

Examples:
  knell check create "Nightly backup" --slug backup --schedule "30 3 * * *" --tz Europe/Riga --grace 1h
  knell check create Mirror --timeout 2h --grace 15m --tags "prod web" --channels "ops mail,slack"`,
    )
    .action((name: string, flags: Flags) =>
      run(flags, (management, { createCheck }) => createCheck(management, name, flags)),
    );
  addSpecOptions(
    listener(group.command('edit <check>').description('change a check; omitted options stay as they are')),
  )
    .option('--name <name>', 'the name')
    .addHelpText('after', '\nExample:\n  knell check edit backup --grace 2h --tags ""')
    .action((word: string, flags: Flags) =>
      run(flags, (management, { editCheck }) => editCheck(management, word, flags)),
    );
  addSpecOptions(
    listener(group.command('clone <check>').description('create a check with the settings of another')),
  )
    .option('--name <name>', 'the name of the copy')
    .action((word: string, flags: Flags) =>
      run(flags, (management, { cloneCheck }) => cloneCheck(management, word, flags)),
    );
}

function addSwitches(group: Command, { listener, run }: CheckTools): void {
  const add = (action: 'pause' | 'resume' | 'delete', description: string): Command =>
    listener(group.command(`${action} <checks...>`).description(description)).action(
      (words: string[], flags: Flags) =>
        run(flags, (management, { switchChecks }) => switchChecks(management, action, { words, flags })),
    );
  add('pause', 'stop watching checks until they are resumed or ping again');
  add('resume', 'watch paused checks again');
  add('delete', 'delete checks with all their pings').option('--yes', 'do not ask');
}
