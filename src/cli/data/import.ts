/** The options and the output of `knell import`. `importer/` reads the data of other programs. */

import type { Command } from 'commander';
import { createTokens, linkPath } from '../../commands/secrets/tokens.ts';
import { baseUrlOf, type Config, limits } from '../../config.ts';
import type { ChannelKind } from '../../domain/accounts/project.ts';
import type { Imported } from '../../importer/import-dump.ts';
import { systemClock } from '../../lib/clock.ts';
import { systemIds } from '../../lib/ids.ts';
import { secretIn } from '../../lib/secret-file.ts';
import { addImportKnell } from '../configuration/apply-options.ts';
import type { Flags } from '../io/flags.ts';
import type { CommandTools } from '../io/owner-command.ts';
import { show } from '../io/show.ts';
import { ProgressBar, print, printTable } from '../io/terminal.ts';
import { addMonitorImports } from './monitor-imports.ts';

const help = `
FILE is what Healthchecks writes, of any version since 2.0 and any database, with its "sendalerts" stopped:

  manage.py dumpdata --format jsonl auth.user accounts.project accounts.member accounts.profile \\
      api.channel api.check api.flip api.ping > hc.jsonl

Set KNELL_HC_SECRET_KEY to the SECRET_KEY of that Healthchecks: API keys of version 3.11 and later and the badges of tags
are verified with it. Without it, new keys have to be created. Prove that it is the right one with --check-key and any API key
that is in use: with a wrong one, every key and every badge would be refused.

The data directory must be empty, and no server may run. Nothing is imported unless all of it can be. UUIDs, ping keys, API
keys and badge addresses stay as they are: once the address of your Healthchecks points to Knell, no job has to change.`;

export function addImports(program: Command, tools: CommandTools): void {
  const { finish, onData, configOf } = tools;
  const group = program.command('import').description('take over the data of another program');
  onData(group.command('healthchecks <file>').description('fill an empty data directory from Healthchecks'))
    .option(
      '--check-key <key>',
      'an API key of that Healthchecks: refuse a KNELL_HC_SECRET_KEY that is not its own',
    )
    .option('--dry-run', 'read everything, print what would be imported, and write nothing')
    .addHelpText('after', help)
    .action(async (file: string, flags: Flags) =>
      finish(await importHealthchecks(configOf(flags), file, flags)),
    );
  addImportKnell(group, tools);
  addMonitorImports(group, tools);
}

async function importHealthchecks(config: Config, file: string, flags: Flags): Promise<number> {
  const { importDump } = await import('../../importer/import-dump.ts');
  const bar = new ProgressBar('import');
  const nowMs = systemClock.nowMs();
  const dryRun = flags.dryRun === true;
  const imported = await importDump({
    file,
    dataDir: config.dataDir,
    secretKey: secretIn(process.env, 'KNELL_HC_SECRET_KEY') ?? '',
    checkKey: typeof flags.checkKey === 'string' ? flags.checkKey : null,
    nowMs,
    ids: systemIds,
    pingBodyBytesMax: limits.pingBodyBytesMax,
    dryRun,
    progress: (done) => bar.update(done),
  });
  bar.end();
  const links = dryRun ? [] : linksOf(imported, config, nowMs);
  return show(flags, resultOf(imported, links), () => {
    printResult(imported, links);
    print('');
    print(
      dryRun
        ? 'Nothing was written: this was a dry run.'
        : `${config.dataDir} is ready. Start it with "knell serve", then point the address of your Healthchecks to it.`,
    );
  });
}

/** For each user, the link at which a password can be set for a day. */
function linksOf({ users, badgeSecret }: Imported, config: Config, nowMs: number): readonly string[] {
  const tokens = createTokens(() => badgeSecret);
  return users.map((user) => baseUrlOf(config) + linkPath(tokens.link(user, nowMs)));
}

function resultOf({ report, users, kinds }: Imported, links: readonly string[]) {
  return {
    counts: report.rows,
    left_out: report.leftOut,
    notes: report.notes,
    users: users.map(({ name, role }, index) => ({ name, role, link: links[index] ?? null })),
    settings: settingsFor(kinds),
  };
}

function printResult({ report, users, kinds }: Imported, links: readonly string[]): void {
  printTable(report.rows);
  for (const { kind, why, count, names } of report.leftOut) {
    const more = count > names.length && names.length > 0 ? ', …' : '';
    print(`left out: ${count} ${kind}: ${why}${names.length === 0 ? '' : ` (${names.join(', ')}${more})`}`);
  }
  for (const note of report.notes) print(`note: ${note}`);
  const settings = settingsFor(kinds);
  if (settings.length > 0) {
    print('');
    print('The imported integrations need these settings:');
    for (const { kind, settings: needed } of settings) print(`  ${kind}: ${needed}`);
  }
  if (users.length === 0) return;
  print('');
  print('Users, with the roles that they had in their projects. Each sets a password by a link, which');
  print('works for 24 hours; "knell password reset NAME" prints a new one:');
  for (const [index, { name }] of users.entries()) print(`  ${name}  ${links[index] ?? ''}`.trimEnd());
  print(
    'The first owner is created with the link that "knell serve" prints; owners change roles under Settings.',
  );
}

/** The settings that an integration of each kind needs beside its value. */
const settingsByKind: Partial<Readonly<Record<ChannelKind, string>>> = {
  apprise: 'KNELL_APPRISE_URL: an Apprise API server (Healthchecks has the library built in)',
  call: 'KNELL_TWILIO_ACCOUNT, KNELL_TWILIO_AUTH, KNELL_TWILIO_FROM',
  email: 'KNELL_MAIL_URL, KNELL_MAIL_FROM',
  github: 'KNELL_GITHUB_TOKEN: a personal access token (Healthchecks is a GitHub app)',
  matrix: 'KNELL_MATRIX_HOMESERVER, KNELL_MATRIX_TOKEN',
  po: 'KNELL_PUSHOVER_TOKEN, and KNELL_PUSHOVER_SUBSCRIPTION_URL for the button to subscribe',
  shell: 'KNELL_SHELL_CHANNELS=on',
  signal: 'KNELL_SIGNAL_URL, KNELL_SIGNAL_NUMBER: a signal-cli REST server (Healthchecks uses its socket)',
  sms: 'KNELL_TWILIO_ACCOUNT, KNELL_TWILIO_AUTH, KNELL_TWILIO_FROM',
  telegram: 'KNELL_TELEGRAM_TOKEN: the token of the same bot',
  trello: 'KNELL_TRELLO_KEY',
  webhook: 'KNELL_WEBHOOK_ALLOW, if it goes to a private network',
  whatsapp:
    'KNELL_TWILIO_ACCOUNT, KNELL_TWILIO_AUTH, KNELL_WHATSAPP_SERVICE, KNELL_WHATSAPP_DOWN_SID, KNELL_WHATSAPP_UP_SID',
};

function settingsFor(kinds: readonly ChannelKind[]): readonly { kind: ChannelKind; settings: string }[] {
  return kinds.flatMap((kind) => {
    const settings = settingsByKind[kind];
    return settings === undefined ? [] : [{ kind, settings }];
  });
}
