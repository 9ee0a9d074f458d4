/**
 * The options of `knell discover`. The code that does its work is loaded when it runs.
 */
import { type Command, Option } from 'commander';
import type { Flags } from '../io/flags.ts';
import type { CommandTools } from '../io/owner-command.ts';

export const discoverForms = ['yaml', 'table', 'json', 'diff'] as const;

const discoverHelp = `
Without FILES it reads this machine: /etc/crontab, /etc/cron.d, the crontabs of users, the folders that run-parts runs
(cron.daily and its like, with the times of anacron) and the timers of systemd. FILES are crontabs, manifests of
Kubernetes, workflows of GitHub Actions, or schedules of GitLab as its API lists them; - is stdin.

It prints the checks that the jobs would have, for "knell apply". What would have to be changed so that they ping, and
what gets no check, with the reason, goes to stderr. --write changes the files, each with a copy of what it was beside
it (.NAME.knell-backup-TIME); services get a drop-in, and no unit is edited. What pings already stays as it is.

--drift prints what differs from the checks of the server, or of --against FILE: jobs without a check or a ping, checks
of this machine without a job, other schedules. Exit status: 0 for nothing, 1 for drift, 2 for an error.

Examples:
  knell discover > knell.yaml && knell apply -f knell.yaml
  knell discover --write --ping-url https://knell.example.org --ping-key fqOOd6-F4MMNuCEnzTU01w
  crontab -l | knell discover - -o table
  kubectl get cronjobs -A -o json | knell discover -
  knell discover .github/workflows/*.yml
  knell discover --drift --server https://knell.example.org --key hcw_…`;

export function addDiscover(program: Command, { finish, onData, configOf }: CommandTools): void {
  onData(
    program
      .command('discover [files...]')
      .description('find the jobs of this machine, propose checks for them, and make them ping'),
    false,
  )
    .addOption(new Option('-o, --output <form>', 'how to print it').choices(discoverForms).default('yaml'))
    .option('--root <dir>', 'read the machine whose files are there, such as an image', '/')
    .option('--tz <zone>', 'time zone of the machine (default: what it says)')
    .option('--host <name>', 'the tag that its checks get (default: its name)')
    .option('--prefix <text>', 'what the slugs of new checks begin with, such as web1-', '')
    .option('--project <project>', 'the project of the checks (default: default; with --drift all)')
    .option('--write', 'change the files so that the jobs ping')
    .option('--ping-url <url>', "Knell's URL, for the jobs (KNELL_PING_URL)")
    .option('--ping-key <key>', 'the ping key of the project (KNELL_PING_KEY)')
    .option('--knell <path>', 'the path of knell, for the jobs (default: where it is found)')
    .option('--drift', 'print what differs from the checks that there are')
    .option('--against <file>', 'compare with the checks of a file for knell apply, not of a server')
    .option('--server <url>', 'a Knell on another machine (KNELL_SERVER)')
    .option('--key <key>', 'an API key of the project there (KNELL_API_KEY)')
    .addHelpText('after', discoverHelp)
    .action(async (files: string[], flags: Flags) => {
      const { runDiscover } = await import('./discover.ts');
      finish(await runDiscover(files, flags, configOf));
    });
}
