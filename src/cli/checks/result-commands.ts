/** The options and help of `knell results`. `results` does its work. */

import { type Command, Option } from 'commander';
import type { Management } from '../../client/management.ts';
import type { Flags } from '../io/flags.ts';

interface ResultTools {
  /** Adds the options that name the server of the checks. */
  listener(command: Command): Command;
  run(flags: Flags, act: (management: Management) => Promise<number>): Promise<void>;
}

const help = `
Without RESULT it lists what the runs of the check report: the last value of each number, what its limits
make of it, and what is usual. With RESULT it prints the values of that number, oldest first: of each run
that the log of pings still has, or of each hour or day (UTC), which are kept longer than pings.

TIME is a time of day here (02:10, the latest one), a date (2030-05-04), both (2030-05-04 02:10), an instant
with its offset (2030-05-04T02:10:00Z), or epoch seconds.

Examples:
  knell results backup
  knell results backup files --from 2030-05-01
  knell results backup files --step day --csv > files.csv`;

export function addResults(program: Command, { listener, run }: ResultTools): void {
  listener(
    program
      .command('results <check> [result]')
      .description('show the numbers that the runs of a check report, or the values of one of them'),
  )
    .option('--from <time>', 'values since then')
    .option('--to <time>', 'values before then')
    .addOption(
      new Option('--step <step>', 'a value for each run, or hour, or day (default: run)').choices([
        'run',
        'hour',
        'day',
      ]),
    )
    .addOption(new Option('--csv', 'print comma-separated values').conflicts(['json', 'output']))
    .addHelpText('after', help)
    .action((word: string, result: string | undefined, flags: Flags) =>
      run(flags, async (management) => {
        const { showResult, showResults } = await import('./results.ts');
        return result === undefined
          ? showResults(management, word, flags)
          : showResult(management, { word, result }, flags);
      }),
    );
}
