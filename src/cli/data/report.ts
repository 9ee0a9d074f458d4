/** `knell report`: the report that would be mailed, as text or JSON. Not here: when reports are mailed (`notify/reports/reporter`). */

import { type Command, Option } from 'commander';
import type { CommandResult } from '../../commands/table.ts';
import { second } from '../../lib/units.ts';
import { reportTextOf } from '../../notify/mail/report.ts';
import type { Flags } from '../io/flags.ts';
import type { CommandTools } from '../io/owner-command.ts';
import { exitDone, print, printJson } from '../io/terminal.ts';

export function addReports(program: Command, { finish, onOwner, ask }: CommandTools): void {
  const command = program
    .command('report [frequency]')
    .description('print the report that would be mailed: daily, weekly or monthly');
  onOwner(command)
    .option('--project <project>', 'of one project only, by its name or id; of all if omitted')
    .addOption(
      new Option('--time-zone <zone>', 'by whose clock days, weeks and months begin').default(
        undefined,
        'KNELL_TIME_ZONE',
      ),
    )
    .addHelpText('after', help)
    .action(async (frequency: string | undefined, flags: Flags) => {
      const args = {
        frequency: frequency ?? 'daily',
        ...(flags.project === undefined ? {} : { project: flags.project }),
        ...(flags.timeZone === undefined ? {} : { timeZone: flags.timeZone }),
      };
      finish(printReport(flags, await ask(flags, 'report show', args)));
    });
}

const help = `
It is about the last day, week (from Monday on) or month whose report is due: reports are sent
at 08:00 after its end. Nothing is mailed, and nothing is changed. Each member chooses on the
page which reports to get, and gets those of the projects that the member may see.

With --json: times are ISO 8601, lengths are seconds.

Examples:
  knell report
  knell report monthly --project default
  knell report weekly --json | jq '.worst[] | {name, down_for}'

Exit status: 0 printed, 1 something failed (no such project, no server), 2 the call is wrong.`;

function printReport(flags: Flags, { report, baseUrl }: CommandResult<'report show'>): number {
  if (!flags.json) {
    print(reportTextOf(report, baseUrl));
    return exitDone;
  }
  const {
    frequency,
    timeZone,
    fromMs,
    untilMs,
    checks,
    watched,
    affected,
    outages,
    downMs,
    percent,
    now,
    worst,
  } = report;
  const shown = {
    frequency,
    time_zone: timeZone,
    from: new Date(fromMs).toISOString(),
    until: new Date(untilMs).toISOString(),
    ...{ checks, watched, affected, outages },
    down_for: downMs / second,
    uptime_percent: percent,
    now,
    worst: worst.map((line) => ({
      project: line.project,
      name: line.name,
      unique_key: line.uniqueKey,
      status: line.status,
      outages: line.outages,
      down_for: line.downMs / second,
      uptime_percent: line.percent,
    })),
  };
  printJson(shown);
  return exitDone;
}
