/**
 * `knell status-page`: its options, the owner's commands that it runs, how the results are printed. Not here: passwords and
 * logos, which are set on the page: a command line is seen by others.
 */

import { type Command, Option } from 'commander';
import type { Args } from '../../commands/contract/command.ts';
import type { ShownStatusPage } from '../../commands/owner/status-pages.ts';
import { noticeStages } from '../../domain/accounts/status-page.ts';
import { KnellError } from '../../lib/errors.ts';
import type { Flags } from '../io/flags.ts';
import type { CommandTools } from '../io/owner-command.ts';
import { show, showRows } from '../io/show.ts';
import { print } from '../io/terminal.ts';

export function addStatusPages(program: Command, tools: CommandTools): void {
  const group = program
    .command('status-page')
    .description('create, list and delete public status pages, and write notices; PAGE is a slug or an id');
  addReads(group, tools);
  addChanges(group, tools);
  addNotice(group, tools);
}

function addReads(group: Command, { finish, onOwner, ask }: CommandTools): void {
  onOwner(group.command('list <project>').description('list the status pages of a project')).action(
    async (project: string, flags: Flags) => {
      const pages = await ask(flags, 'status-page list', { project });
      finish(show(flags, pages, () => showRows({}, pages.map(rowOf))));
    },
  );
  onOwner(group.command('show <page>').description('show a status page with its notices')).action(
    async (page: string, flags: Flags) => {
      const shown = await ask(flags, 'status-page show', { page });
      finish(show(flags, shown, printPage));
    },
  );
}

function rowOf({ slug, title, services, hasPassword, url }: ShownStatusPage) {
  return { slug, title, services: services.length, access: hasPassword ? 'password' : 'public', url };
}

function printPage({ title, url, timeZone, hasPassword, services, notices }: ShownStatusPage): void {
  print(`${title}, ${hasPassword ? 'with a password' : 'public'}, time zone ${timeZone}`);
  print(url);
  for (const { name, tag, checks } of services)
    print(`service ${JSON.stringify(name)}: ${tag === '' ? checks.join(', ') : `tag ${tag}`}`);
  for (const { id, title, updates } of notices)
    print(`notice ${id}, ${updates.at(-1)?.stage ?? ''}: ${title}`);
}

function addChanges(group: Command, { finish, onOwner, ask }: CommandTools): void {
  onOwner(group.command('create <project> <slug>').description('create a status page, shown at /status/SLUG'))
    .requiredOption('--title <title>', 'what its readers see at the top')
    .option('--description <text>', 'a sentence below the title', '')
    .option('--tz <zone>', 'the time zone of its days', 'UTC')
    .option('--service <service...>', 'NAME=tag:TAG, or NAME=UUID,UUID: the name for readers, and its checks')
    .addHelpText(
      'after',
      `
Example:
  knell status-page create default northwind --title "Northwind status" --service Backups=tag:backup`,
    )
    .action(async (project: string, slug: string, flags: Flags) => {
      const { title, description, tz: timeZone } = flags;
      const services = servicesIn(flags);
      const args = { project, slug, title, description, timeZone, services };
      const made = await ask(flags, 'status-page create', args);
      finish(show(flags, made, ({ url }) => print(url)));
    });
  onOwner(group.command('delete <page>').description('delete a status page with its notices')).action(
    async (page: string, flags: Flags) => {
      const gone = await ask(flags, 'status-page delete', { page });
      finish(show(flags, gone, ({ slug }) => print(`deleted ${slug}`)));
    },
  );
}

function servicesIn(flags: Flags): readonly Args[] {
  const given: unknown = flags.service;
  return (Array.isArray(given) ? given.map(String) : []).map((text) => {
    const [, name, value = ''] = /^(.+?)=(.+)$/.exec(text) ?? [];
    if (name === undefined)
      throw new KnellError(
        'usage',
        `--service is NAME=tag:TAG or NAME=UUID,UUID, not ${JSON.stringify(text)}`,
      );
    return value.startsWith('tag:') ? { name, tag: value.slice(4) } : { name, checks: value.split(',') };
  });
}

function addNotice(group: Command, { finish, onOwner, ask }: CommandTools): void {
  onOwner(
    group
      .command('notice <page> [text]')
      .description('write a notice, or with --update one more update of it'),
  )
    .addOption(new Option('--stage <stage>', 'how far it is').choices(noticeStages).default('investigating'))
    .option('--title <title>', 'of a new notice')
    .option('--service <name...>', 'the services that it is about')
    .option('--update <notice>', 'the id of the notice that is updated')
    .action(async (page: string, text: string | undefined, flags: Flags) => {
      const { stage, title, update: notice, service: services } = flags;
      const args = { page, text, stage, title, notice, services };
      const shown = await ask(flags, 'status-page notice', args);
      const written = shown.notices.find(({ id }) => id === notice) ?? shown.notices[0];
      finish(show(flags, shown, () => print(`notice ${written?.id ?? ''}, ${stage}`)));
    });
}
