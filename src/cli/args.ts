/**
 * The command line: its commands and options, what they call, and `--help` for all of them.
 * Invariant: a call that is wrong in itself exits with 2 before anything is touched.
 */

import { Command, CommanderError } from 'commander';
import { type Config, readConfig, settings } from '../config.ts';
import { systemClock } from '../lib/clock.ts';
import { flagOf } from '../lib/read-settings.ts';
import { commit, version } from '../lib/version.ts';
import { dataFormat, snapshotFormat } from '../store/disk/formats.ts';
import { addChecks } from './checks/check-commands.ts';
import { runPingCommand } from './checks/ping-commands.ts';
import { addCompletion } from './completion.ts';
import { addApply, addExport } from './configuration/apply-options.ts';
import { addImports } from './data/import.ts';
import { addSnapshots } from './data/snapshot.ts';
import { addStore } from './data/store.ts';
import { addDiscover } from './discover/discover-options.ts';
import { addDoctor } from './doctor/doctor.ts';
import type { Flags } from './io/flags.ts';
import type { CommandTools } from './io/owner-command.ts';
import { exitDone, exitFailed, exitUsage, fail, onStdoutClosed } from './io/terminal.ts';
import { addMcp } from './mcp/mcp-command.ts';
import { addOwnerCommands } from './owner/command-line.ts';
import type { ScheduleIo } from './schedule/schedule-query.ts';
import { addCluster } from './server/cluster.ts';

/** Runs the command that `argv` (without node and script) names; resolves to the exit status. */
export async function run(argv: readonly string[]): Promise<number> {
  let status = exitDone;
  // A server goes on when nothing reads its stdout: jobs still ping it.
  onStdoutClosed(argv[0] === 'serve' ? () => {} : () => process.exit(exitFailed));
  const program = createProgram((result) => {
    status = result;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitDone : exitUsage;
    return fail(error);
  }
}

type Finish = (status: number) => void;

/** Declares all commands for commander; the manual lists them too. */
export function createProgram(finish: Finish = () => {}): Command {
  const program = new Command('knell')
    .description("Get alerted when a cron job doesn't run.")
    .version(versionLine(), '-V, --version', 'print version, commit and formats')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(errorText(text)) })
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      '\nEvery option of serve is also an environment variable: --data-dir is KNELL_DATA_DIR.',
    );
  addServe(program, finish);
  addPings(program, finish);
  const tools: CommandTools = {
    finish,
    onData: (command, withJson = true) => (withJson ? json(onData(command)) : onData(command)),
    configOf: dataConfig,
  };
  addChecks(program, tools);
  addDoctor(program, tools);
  addMcp(program, tools);
  addCompletion(program, tools);
  addOwnerCommands(program, tools);
  addSchedule(program, finish);
  addSnapshots(program, tools);
  addApply(program, tools);
  addExport(program, tools);
  addDiscover(program, tools);
  addImports(program, tools);
  addStore(program, tools);
  addCluster(program, tools);
  group(program);
  return program;
}

/** `--help` has its groups in the order of the commands. */
function group(program: Command): void {
  const order = Object.values(commandGroups).flat();
  const placeOf = (command: Command): number => order.indexOf(command.name());
  const sorted = [...program.commands].sort((a, b) => placeOf(a) - placeOf(b));
  for (const [at, command] of sorted.entries()) {
    const heading = Object.keys(commandGroups).find((one) => commandGroups[one]?.includes(command.name()));
    if (heading !== undefined) command.helpGroup(heading);
    (program.commands as Command[])[at] = command;
  }
  // That of its own command.
  program.commandsGroup('Start:').helpCommand('help [command]', 'display help for command');
}

/** What one is about to do, in the order in which one comes to do it. */
const commandGroups: Readonly<Record<string, readonly string[]>> = {
  'Start:': ['serve', 'doctor', 'completion'],
  'In a job:': ['run', 'ping'],
  'Find jobs:': ['discover', 'schedule'],
  'Look:': ['status', 'log', 'watch', 'events', 'search', 'results', 'incidents', 'incident', 'report'],
  'Set up:': [
    ...['check', 'channel', 'maintenance', 'status-page', 'project', 'key', 'user', 'password'],
    ...['outbox', 'audit', 'apply', 'export', 'mcp'],
  ],
  'Keep and move the data:': ['snapshot', 'restore', 'import', 'store', 'cluster'],
};

function errorText(text: string): string {
  const named = text.replace(/^error:/, 'knell:');
  return /unknown command/.test(named) ? `${named}See knell --help.\n` : named;
}

/** The version in the form `1.0.0 (commit 1a2b3c4, data format 1, snapshot format 1)`. */
function versionLine(): string {
  const built = commit() === '' ? '' : `commit ${commit()}, `;
  return `${version()} (${built}data format ${dataFormat}, snapshot format ${snapshotFormat})`;
}

/** Adds `run` and `ping`, which read their own options, so that a job's command passes through unchanged. */
function addPings(program: Command, finish: Finish): void {
  const add = (name: string, description: string): void => {
    program
      .command(name)
      .description(description)
      .allowUnknownOption()
      .helpOption(false)
      .argument('[words...]')
      .action(async (_words: string[], _flags: Flags, command: Command) =>
        finish(await runPingCommand([name, ...command.args])),
      );
  };
  add('run', 'run a command, and ping a check with its exit status and output');
  add('ping', 'ping a check');
}

/** The value of the flag that sets `variable`. Commander names the value of `--data-dir` `dataDir`. */
function flagValue(flags: Flags, variable: string): string | undefined {
  const name = flagOf(variable)
    .slice(2)
    .replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

function configOf(flags: Flags): ReturnType<typeof readConfig> {
  const given: Record<string, string> = {};
  for (const { variable } of Object.values(settings)) {
    const value = flagValue(flags, variable);
    if (value !== undefined) given[variable] = value;
  }
  return readConfig(process.env, given);
}

function addServe(program: Command, finish: Finish): void {
  const command = program.command('serve').description('run the server in the foreground');
  for (const { variable, fallback, help } of Object.values(settings)) {
    command.option(
      `${flagOf(variable)} <value>`,
      `${help} (${variable}${fallback === '' ? '' : `, default ${fallback}`})`,
    );
  }
  command.addHelpText(
    'after',
    '\nA variable that holds a secret can name a file instead: KNELL_MAIL_URL_FILE=/run/secrets/mail reads KNELL_MAIL_URL from it.',
  );
  command.action(async (flags: Flags) => {
    const read = configOf(flags);
    // The modules of the server take a third of a second to load, and no other command needs all of them.
    const { serve } = await import('./server/serve.ts');
    finish(await serve(read));
  });
}

/** Adds the option of a command that acts on the data directory. */
function onData(command: Command): Command {
  const { variable, help } = settings.dataDir;
  return command.option(`${flagOf(variable)} <dir>`, `${help} (${variable})`);
}

function json(command: Command): Command {
  return command.option('--json', 'print JSON');
}

function dataConfig(flags: Flags): Config {
  return configOf(flags).config;
}

function addSchedule(program: Command, finish: Finish): void {
  json(
    program.command('schedule <expr>').description('show the next times of a cron or OnCalendar expression'),
  )
    .option('--tz <zone>', 'time zone, such as Europe/Riga', 'UTC')
    .option('--from <iso>', 'show times after this one (default: now)')
    .option('-n <count>', 'how many times, 1 to 1000', '5')
    .addHelpText(
      'after',
      '\nIf EXPR is -, it reads one JSON object per line from stdin, {"expr","tz","from","n"}, and prints one per line.',
    )
    .action(async (expr: string, { tz, from, n, json: asJson }: Flags) => {
      const { runSchedule } = await import('./schedule/schedule.ts');
      finish(
        await runSchedule(
          { expr, tz: given(tz), from: given(from), n: given(n), json: asJson === true },
          scheduleIo(),
        ),
      );
    });
}

function given(flag: string | boolean | undefined): string | undefined {
  return typeof flag === 'string' ? flag : undefined;
}

function scheduleIo(): ScheduleIo {
  return { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, nowMs: systemClock.nowMs() };
}
