/**
 * `knell channel` and `knell outbox`: their options, the owner's commands that they run, how the results are printed.
 */

import { type Command, Option } from 'commander';
import type { Args } from '../../commands/contract/command.ts';
import { channelKinds } from '../../domain/accounts/project.ts';
import type { ShownDelivery } from '../../domain/deliveries/sent-notification.ts';
import { KnellError } from '../../lib/errors.ts';
import { day, hour, minute, second } from '../../lib/units.ts';
import type { Flags } from '../io/flags.ts';
import { addOutput } from '../io/output.ts';
import type { Ask, CommandTools } from '../io/owner-command.ts';
import { show, showRow, showRows } from '../io/show.ts';
import { exitDone, exitFailed, print, printTable, warn } from '../io/terminal.ts';
import { addFieldOptions, kindIn, showKind, showKinds, valueArgs } from './channel-fields.ts';

export function addChannels(program: Command, tools: CommandTools): void {
  const group = program
    .command('channel')
    .description('create, test and edit integrations; PROJECT and CHANNEL are a name or an id');
  addCreateAndEdit(group, tools);
  addOthers(group, tools);
}

function addCreateAndEdit(group: Command, { finish, onOwner, ask }: CommandTools): void {
  const create = group.command('create <project>').description('create an integration');
  onOwner(addFieldOptions(addNotificationOptions(create)))
    .addOption(
      new Option('--kind <kind>', 'the type of integration').choices(channelKinds).makeOptionMandatory(),
    )
    .requiredOption('--name <name>', 'the name; may be empty')
    .option(
      '--value <value>',
      'the settings of its kind as a whole: an address, or JSON as Healthchecks stores it',
    )
    .addOption(
      new Option('--checks <which>', 'the checks that notify it').choices(['all', 'none']).default('all'),
    )
    .addHelpText(
      'after',
      `
knell channel kinds KIND explains the options of a kind.

Examples:
  knell channel create default --kind email --name ops --value ops@example.org
  knell channel create default --kind ntfy --name phone --topic my-alerts --priority 5
  knell channel create default --kind webhook --name hook --url-down https://example.org/down`,
    )
    .action(async (project: string, flags: Flags) => finish(await createChannel(ask, project, flags)));
  const edit = group
    .command('edit <channel>')
    .description('edit an integration; omitted options keep their value');
  onOwner(addNotificationOptions(edit))
    .option('--name <name>', 'the name')
    .option('--value <value>', 'the settings of its kind')
    .addOption(new Option('--disabled <switch>', 'on: send it no notifications').choices(['on', 'off']))
    .action(async (channel: string, flags: Flags) => {
      const { name, value } = flags;
      const args = { channel, name, value, ...notificationOptions(flags) };
      const { warning, ...edited } = await ask(flags, 'channel edit', args);
      if (warning !== undefined) warn(`warning: ${warning}`);
      finish(showRow(flags, edited));
    });
}

/** The settings that decide when an integration is notified. */
function addNotificationOptions(command: Command): Command {
  return command
    .option('--delay <time>', 'notify only after the check has been down this long, e.g. 5m; 0: at once')
    .option('--repeat <time>', 'repeat the notification while the check is down, e.g. every 1h; 0: never')
    .option('--tz <zone>', 'of the times in its messages, such as Europe/Riga')
    .addOption(
      new Option(
        '--on <what>',
        'late: notify when a ping is late, too; down: only when the check is down',
      ).choices(['late', 'down']),
    );
}

/** The options as the owner's commands take them; an absent one is left out. */
function notificationOptions({ delay, repeat, on, tz, disabled }: Flags): Args {
  return {
    ...(delay === undefined ? {} : { delayS: secondsOf('--delay', delay) }),
    ...(repeat === undefined ? {} : { repeatS: secondsOf('--repeat', repeat) }),
    ...(tz === undefined ? {} : { timeZone: tz }),
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

/** Empty for none: there may be no check yet. */
function checksText(count: number): string {
  return count === 0 ? '' : `, for ${count} ${count === 1 ? 'check' : 'checks'}`;
}

async function createChannel(ask: Ask, project: string, flags: Flags): Promise<number> {
  const { kind, name, checks } = flags;
  const value = valueArgs(kindIn(String(kind)), flags);
  const args = { project, kind, name, ...value, checks, ...notificationOptions(flags) };
  const {
    warning,
    checks: assigned,
    ...created
  } = await ask({ ...flags, key: undefined }, 'channel create', args);
  if (warning !== undefined) warn(`warning: ${warning}`);
  return show(flags, created, ({ id, name, kind }) =>
    print(`${kind} integration ${JSON.stringify(name)}, id ${id}${checksText(assigned)}`),
  );
}

function addOthers(group: Command, { finish, onOwner, ask }: CommandTools): void {
  addOutput(
    group
      .command('kinds [kind]')
      .description('list the kinds of integrations, or explain the options of one'),
  )
    .option('--json', 'print JSON')
    .action((kind: string | undefined, flags: Flags) =>
      finish(kind === undefined ? showKinds(flags) : showKind(kindIn(kind), flags)),
    );
  onOwner(group.command('list <project>').description('list the integrations of a project')).action(
    async (project: string, flags: Flags) =>
      finish(showRows(flags, await ask(flags, 'channel list', { project }))),
  );
  onOwner(
    group.command('test <channel>').description('send a test notification and print the result'),
  ).action(async (channel: string, flags: Flags) => finish(await testChannel(ask, channel, flags)));
  onOwner(
    group
      .command('verify <channel>')
      .description('send the email with which an address confirms that it wants alerts, once more'),
  ).action(async (channel: string, flags: Flags) => {
    const sent = await ask(flags, 'channel verify', { channel });
    finish(show(flags, sent, ({ id }) => print(`sent the verification email of ${id}`)));
  });
  onOwner(group.command('confirm <channel>').description('confirm an address in place of its owner')).action(
    async (channel: string, flags: Flags) => {
      const confirmed = await ask(flags, 'channel confirm', { channel });
      finish(showRow(flags, confirmed));
    },
  );
  onOwner(
    group.command('delete <channel>').description('remove an integration from its checks, and then itself'),
  ).action(async (channel: string, flags: Flags) => {
    const gone = await ask(flags, 'channel delete', { channel });
    finish(show(flags, gone, ({ id }) => print(`deleted ${id}`)));
  });
}

async function testChannel(ask: Ask, channel: string, flags: Flags): Promise<number> {
  const results = await ask(flags, 'channel test', { channel });
  show(flags, results, () => {
    for (const { name, kind, id, ok, error } of results)
      print(`${kind} integration ${JSON.stringify(name)}, id ${id}: ${ok ? 'delivered' : error}`);
    if (results.length === 0) print('this group has no members');
  });
  return results.length > 0 && results.every(({ ok }) => ok) ? exitDone : exitFailed;
}

export function addOutbox(program: Command, { finish, onOwner, ask }: CommandTools): void {
  const group = program.command('outbox').description('notifications that are pending or have failed');
  onOwner(group.command('list').description('list pending, failed and superseded notifications')).action(
    async (flags: Flags) => finish(showOutbox(flags, await ask(flags, 'outbox list', {}))),
  );
  const counted = (name: 'retry' | 'drop', description: string): void => {
    onOwner(group.command(`${name} <delivery>`).description(description)).action(
      async (id: string, flags: Flags) => {
        const done = await ask(flags, `outbox ${name}`, { id });
        finish(show(flags, done, () => print(Object.entries(done).flat().join(' '))));
      },
    );
  };
  counted('retry', 'retry a notification now; all: every failed one');
  counted('drop', 'discard a notification; all: every failed or superseded one');
}

/** For people, in the words of the page; the JSON has the names of the stored fields. */
function showOutbox(flags: Flags, deliveries: readonly ShownDelivery[]): number {
  return show(flags, deliveries, (rows) =>
    printTable(
      rows.map(({ id, state, told, ...rest }) => ({
        id,
        state: shownStates.get(state) ?? 'superseded',
        event: told,
        ...rest,
      })),
    ),
  );
}

const shownStates: ReadonlyMap<unknown, string> = new Map([
  ['waiting', 'pending'],
  ['dead', 'failed'],
]);
