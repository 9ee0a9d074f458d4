/**
 * Adds owner's commands to the command line, from their declarations: names, arguments, options, help. `printers` has their output,
 * `io/owner-command` connects to a server.
 * Invariant: the kinds of the arguments check what was typed, here and again where the command runs.
 */
import { type Command, Option, Argument as Positional } from 'commander';
import {
  type Argument,
  type Arguments,
  argsTyped,
  optionOf,
  type Typed,
} from '../../commands/contract/argument.ts';
import { type CommandName, commandNames, ownerCommands } from '../../commands/table.ts';
import { KnellError } from '../../lib/errors.ts';
import type { NamedCommands } from '../io/admin-client.ts';
import type { Flags } from '../io/flags.ts';
import { type CommandTools, hasKey, onOwner, ownerServer } from '../io/owner-command.ts';
import { printRows, show } from '../io/show.ts';
import { exitDone, exitFailed, ProgressBar, warn } from '../io/terminal.ts';
import { addChannelKinds } from './channel.ts';
import type { Call, Printer } from './printer.ts';
import { printers } from './printers.ts';

/** Descriptions of the groups that have only owner's commands. */
const groups: Readonly<Record<string, string>> = {
  project: 'create, list, rename and delete projects; PROJECT is a name or an id',
  key: 'create, list and revoke keys; PROJECT is a name or an id',
  channel: 'create, test and edit integrations; PROJECT and CHANNEL are a name or an id',
  outbox: 'notifications that are pending or have failed',
  'status-page': 'create, list and delete public status pages, and write notices; PAGE is a slug or an id',
  maintenance: 'maintenance windows, in which no alerts are sent; WINDOW is a name or an id',
  password: 'manage passwords for the web interface',
  user: 'manage the members of the web interface',
};

type Commands = typeof ownerCommands;

/** Required, but on the command line. May also be typed as the option. */
const onlyProject = '[project]';
const projectOption = new Option('--project <project>', 'the same, as an option');

export function addOwnerCommands(program: Command, tools: CommandTools): void {
  for (const name of commandNames) addCommand(program, name, tools);
  addChannelKinds(groupOf(program, 'channel'), tools);
}

function addCommand<Name extends CommandName>(program: Command, name: Name, tools: CommandTools): void {
  const { help, more, takes, line = name } = ownerCommands[name];
  if (line === null) return;
  const words = line.split(' ');
  const group = words.length > 1 ? groupOf(program, words[0] ?? '') : program;
  const command = group.command(words.at(-1) ?? '').description(help);
  for (const argument of Object.values(takes)) addArgument(command, argument);
  const printer: Printer<Name> = printers[name] ?? {};
  printer.options?.(command);
  const hasOwnKey = hasKey(command);
  onOwner(command, tools);
  if (more !== undefined) command.addHelpText('after', `\n${more}`);
  command.action(async () => {
    const flags = command.opts<Flags>();
    const where = hasOwnKey ? { ...flags, key: undefined } : flags;
    const { sessionFor } = await import('../io/remote-admin.ts');
    const session = sessionFor(printer.obeysServerVariable ? where : ownerServer(where), () =>
      tools.configOf(flags),
    );
    try {
      const args = argsTyped<Commands[Name]['takes']>(takes, (line) => typedAt(line, command));
      const whole = await withOnlyProject(takes, args, { session, line });
      tools.finish(await run(name, printer, { args: whole, session, flags }));
    } finally {
      await session.close();
    }
  });
}

/** A command line that may leave out the project means the only one. Throws a KnellError `usage` where there are several. */
async function withOnlyProject<Args extends object>(
  { project }: Arguments,
  args: Args,
  { session, line }: { readonly session: NamedCommands; readonly line: string },
): Promise<Args> {
  if (project?.line !== onlyProject || 'project' in args) return args;
  const [first, ...others] = await session.run('project list', {});
  if (!first) throw new KnellError('not-found', 'there is no project yet: see knell project create');
  if (others.length === 0) return { ...args, project: first.id };
  const names = [first, ...others].map(({ name }) => name).join(', ');
  throw new KnellError(
    'usage',
    `name the project: knell ${line} ${first.name}, or --project with one of ${names}`,
  );
}

function groupOf(program: Command, name: string): Command {
  const known = program.commands.find((one) => one.name() === name);
  return known ?? program.command(name).description(groups[name] ?? '');
}

function addArgument(command: Command, argument: Argument): void {
  const { line, help, choices, fallback, isRequired } = argument;
  if (line === null) return;
  if (optionOf(line) === null) {
    const positional = new Positional(line, help);
    // Commander must not check the choices: the command does, with the same error for all callers.
    if (choices) positional.argChoices = [...choices];
    command.addArgument(positional);
    if (line === onlyProject) command.addOption(projectOption);
    return;
  }
  const option = new Option(line, help);
  if (choices) option.choices(choices);
  command.addOption(option.default(fallback).makeOptionMandatory(isRequired));
}

function typedAt(line: string, command: Command): Typed | undefined {
  if (optionOf(line) !== null) return typedIn(command.getOptionValue(new Option(line).attributeName()));
  const name = new Positional(line).name();
  const place = command.registeredArguments.findIndex((one) => one.name() === name);
  const typed = typedIn(command.processedArgs[place]);
  return line === onlyProject ? oneProject(typed, typedIn(command.getOptionValue('project'))) : typed;
}

/** Throws a KnellError `usage` where the argument and the option name two. */
function oneProject(argument: Typed | undefined, option: Typed | undefined): Typed | undefined {
  if (argument !== undefined && option !== undefined && argument !== option)
    throw new KnellError('usage', `name one project: ${argument}, or --project ${option}`);
  return argument ?? option;
}

function typedIn(value: unknown): Typed | undefined {
  if (typeof value === 'string' || value === true) return value;
  return Array.isArray(value) ? value.map(String) : undefined;
}

async function run<Name extends CommandName>(
  name: Name,
  printer: Printer<Name>,
  call: Call<Name>,
): Promise<number> {
  const { session, flags } = call;
  const args = (await printer.prepare?.(call)) ?? call.args;
  if (printer.run) {
    await printer.run({ ...call, args });
    return exitDone;
  }
  const bar = new ProgressBar(name);
  const result = await session.run(name, args, (done) => bar.update(done));
  bar.end();
  const warning = printer.warning?.(result);
  if (warning !== undefined) warn(`warning: ${warning}`);
  const plain = printer.plain?.(result) ?? result;
  show(flags, plain, () => {
    if (printer.print) printer.print(result, args, flags);
    else printRows(plain);
  });
  return printer.fails?.(result) ? exitFailed : exitDone;
}
