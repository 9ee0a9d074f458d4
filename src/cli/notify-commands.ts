/**
 * `knell channel` and `knell outbox`: how they are said, what they ask the admin table, how the answer is shown.
 */
import { type Command, Option } from 'commander';
import type { Config } from '../config.ts';
import { channelKinds } from '../domain/project.ts';
import { KnellError } from '../lib/errors.ts';
import { day, hour, minute, second } from '../lib/units.ts';
import { runAdmin } from './admin-client.ts';
import { type Flags, show, showRows } from './show.ts';
import { exitDone, exitFailed, print } from './terminal.ts';

/** What `args` gives every group of commands. */
export interface CommandTools {
  finish(status: number): void;
  /** Adds `--data-dir` and `--json`. */
  onData(command: Command): Command;
  configOf(flags: Flags): Config;
}

type Args = Readonly<Record<string, unknown>>;

function ask(config: Config, command: string, args: Args): Promise<unknown> {
  return runAdmin(config, { command, args }, () => {});
}

export function addChannels(program: Command, tools: CommandTools): void {
  const group = program
    .command('channel')
    .description('make, test and change integrations; PROJECT is a name or an id, CHANNEL likewise');
  addCreateAndEdit(group, tools);
  addOthers(group, tools);
}

function addCreateAndEdit(group: Command, { finish, onData, configOf }: CommandTools): void {
  const create = group.command('create <project>').description('make an integration');
  onData(addNotificationOptions(create))
    .addOption(new Option('--kind <kind>', 'what it is').choices(channelKinds).makeOptionMandatory())
    .requiredOption('--name <name>', 'its name; may be empty')
    .requiredOption('--value <value>', 'where it leads: what Healthchecks keeps for the kind')
    .action(async (project: string, flags: Flags) =>
      finish(await createChannel(configOf(flags), project, flags)),
    );
  const edit = group.command('edit <channel>').description('change an integration; what is not said stays');
  onData(addNotificationOptions(edit))
    .option('--name <name>', 'its name')
    .option('--value <value>', 'where it leads')
    .addOption(new Option('--disabled <switch>', 'on: it is told nothing').choices(['on', 'off']))
    .action(async (channel: string, flags: Flags) => {
      const { name, value } = flags;
      const args = { channel, name, value, ...notificationOptions(flags) };
      const edited = await ask(configOf(flags), 'channel edit', args);
      finish(showRows(flags, flags.json ? edited : [edited]));
    });
}

/** The settings that say when an integration is told, beyond what its kind does. */
function addNotificationOptions(command: Command): Command {
  return command
    .option('--delay <time>', 'told only of what has lasted this long, such as 5m; 0: at once')
    .option('--repeat <time>', 'told again at this interval while a check is down, such as 1h; 0: once')
    .addOption(new Option('--on <what>', 'late: told when a ping is late, too').choices(['late', 'down']));
}

/** The options as the owner's commands take them; an absent one is left out. */
function notificationOptions({ delay, repeat, on, disabled }: Flags): Args {
  return {
    ...(delay === undefined ? {} : { delayS: secondsOf('--delay', delay) }),
    ...(repeat === undefined ? {} : { repeatS: secondsOf('--repeat', repeat) }),
    ...(on === undefined ? {} : { late: on === 'late' }),
    ...(disabled === undefined ? {} : { disabled: disabled === 'on' }),
  };
}

const unitMs: Readonly<Record<string, number>> = { s: second, m: minute, h: hour, d: day };

/** `90s`, `5m`, `2h`, `1d`, or seconds. Which times are allowed is checked where the command runs. */
function secondsOf(flag: string, text: Flags[string]): number {
  const [, count, unit = ''] = /^(\d{1,9})([smhd]?)$/.exec(String(text)) ?? [];
  if (count === undefined)
    throw new KnellError('usage', `${flag} must be a time such as 90s, 5m, 2h or 1d, or 0`);
  return (Number(count) * (unitMs[unit || 's'] ?? second)) / second;
}

async function createChannel(config: Config, project: string, flags: Flags): Promise<number> {
  const { kind, name, value } = flags;
  const made = (await ask(config, 'channel create', {
    project,
    kind,
    name,
    value,
    ...notificationOptions(flags),
  })) as {
    readonly id: string;
    readonly name: string;
    readonly kind: string;
  };
  return show(flags, made, ({ id }) =>
    print(`${made.kind} integration ${JSON.stringify(made.name)}, id ${id}`),
  );
}

function addOthers(group: Command, { finish, onData, configOf }: CommandTools): void {
  onData(group.command('list <project>').description('list the integrations of a project')).action(
    async (project: string, flags: Flags) =>
      finish(showRows(flags, await ask(configOf(flags), 'channel list', { project }))),
  );
  onData(group.command('test <channel>').description('send a test message now and say what happened')).action(
    async (channel: string, flags: Flags) => finish(await testChannel(configOf(flags), channel, flags)),
  );
  onData(
    group.command('delete <channel>').description('remove an integration from its checks, and then itself'),
  ).action(async (channel: string, flags: Flags) => {
    const gone = (await ask(configOf(flags), 'channel delete', { channel })) as { readonly id: string };
    finish(show(flags, gone, ({ id }) => print(`deleted ${id}`)));
  });
}

interface TestResult {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly ok: boolean;
  readonly error: string;
}

async function testChannel(config: Config, channel: string, flags: Flags): Promise<number> {
  const results = (await ask(config, 'channel test', { channel })) as readonly TestResult[];
  show(flags, results, () => {
    for (const { name, kind, id, ok, error } of results)
      print(`${kind} integration ${JSON.stringify(name)}, id ${id}: ${ok ? 'delivered' : error}`);
    if (results.length === 0) print('there is nobody in this group');
  });
  return results.length > 0 && results.every(({ ok }) => ok) ? exitDone : exitFailed;
}

export function addOutbox(program: Command, { finish, onData, configOf }: CommandTools): void {
  const group = program
    .command('outbox')
    .description('what integrations are still to be told, or never were');
  onData(group.command('list').description('list what waits, was given up or was superseded')).action(
    async (flags: Flags) => finish(showRows(flags, await ask(configOf(flags), 'outbox list', {}))),
  );
  const counted = (name: 'retry' | 'drop', description: string): void => {
    onData(group.command(`${name} <delivery>`).description(description)).action(
      async (id: string, flags: Flags) => {
        const done = (await ask(configOf(flags), `outbox ${name}`, { id })) as Readonly<
          Record<string, number>
        >;
        finish(show(flags, done, () => print(Object.entries(done).flat().join(' '))));
      },
    );
  };
  counted('retry', 'try a delivery now, one that was given up too; all: every one that was given up');
  counted('drop', 'forget a delivery; all: every one that was given up or superseded');
}
