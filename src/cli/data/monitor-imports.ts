/** `knell import` for programs whose monitors become a configuration: the options, and how the result is shown and applied. */
import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import type { ForeignProgram } from '../../importer/monitors/sources.ts';
import { KnellError } from '../../lib/errors.ts';
import type { Flags } from '../io/flags.ts';
import { type CommandTools, withServer } from '../io/owner-command.ts';
import { exitDone, print, printTable, warn } from '../io/terminal.ts';
import { isSqlite, kumaDatabaseJson } from './kuma-database.ts';

const programs: Readonly<Record<ForeignProgram, { readonly title: string; readonly file: string }>> = {
  'uptime-kuma': {
    title: 'Uptime Kuma',
    file: 'FILE is its database, kuma.db, with Kuma stopped (Node 20 needs the program sqlite3 for it), or its backup (Settings, Backup).',
  },
  cronitor: { title: 'Cronitor', file: 'FILE is its YAML: cronitor.yaml, or what its Monitor API exports.' },
  'dead-mans-snitch': {
    title: "Dead Man's Snitch",
    file: 'FILE is the JSON of:  curl -u API_KEY: https://api.deadmanssnitch.com/v1/snitches',
  },
  'better-stack': {
    title: 'Better Stack',
    file: 'FILE is the JSON of:  curl -H "Authorization: Bearer TOKEN" https://uptime.betterstack.com/api/v2/heartbeats',
  },
  opsgenie: {
    title: 'Opsgenie',
    file: 'FILE is the JSON of:  curl -H "Authorization: GenieKey KEY" https://api.opsgenie.com/v2/heartbeats',
  },
  gatus: { title: 'Gatus', file: 'FILE is its configuration, config.yaml.' },
};

const help = `
Its monitors that wait for pings become checks of a project, beside what there is: nothing else is changed or deleted. What
cannot be taken over is listed with its reason, and so is where each job has to ping from now on. With --print the
configuration is printed instead, with its secrets, for knell apply, so that you can change it first; the lists go to
stderr. If something fails in the middle, import again: what is there already is not made twice.`;

export function addMonitorImports(group: Command, { finish, onData, configOf }: CommandTools): void {
  for (const program of Object.keys(programs) as ForeignProgram[]) {
    const { title, file } = programs[program];
    const command = group
      .command(`${program} <file>`)
      .description(`add the monitors of ${title} to a project`);
    withServer(onData(command, false))
      .option('--project <project>', 'the name of the project, which is created if there is none', 'default')
      .option('--dry-run', 'show the plan and what is left out, and change nothing')
      .option('--print', 'print the configuration as YAML, and change nothing')
      .option('--yes', 'do not ask')
      .addHelpText('after', `\n${file}\n${help}`)
      .action(async (path: string, flags: Flags) => {
        finish(await importMonitors(program, path, flags, () => configOf(flags)));
      });
  }
}

async function importMonitors(
  program: ForeignProgram,
  path: string,
  flags: Flags,
  config: () => Config,
): Promise<number> {
  const { readFiles } = await import('../configuration/apply-files.ts');
  const { foreignConfiguration } = await import('../../importer/monitors/sources.ts');
  const [file, ...others] = isSqlite(path)
    ? [{ name: path, text: databaseText(program, path) }]
    : readFiles(path);
  if (!file || others.length > 0) throw new KnellError('usage', `${path} has several files: name one`);
  const { document, leftOut, notes, pings } = foreignConfiguration(program, file, String(flags.project));
  if (flags.print === true) {
    const { yamlText } = await import('../../apply/yaml-node.ts');
    process.stdout.write(yamlText(document));
    for (const { what, name, why } of [...leftOut, ...notes]) warn(`${what} ${JSON.stringify(name)}: ${why}`);
    for (const { from, slug } of pings) warn(`${from} becomes ${pathOf(slug)}`);
    return exitDone;
  }
  showTable(leftOut.map(({ what, name, why }) => ({ 'left out': what, name, why })));
  showTable(notes.map(({ what, name, why }) => ({ changed: what, name, why })));
  showTable(pings.map(({ from, slug }) => ({ 'pinged until now': from, 'from now on': pathOf(slug) })));
  if (pings.length > 0) print('PING_KEY is a key of the project: knell key create PROJECT --scope ping\n');
  const { applyDocument } = await import('../configuration/apply.ts');
  return applyDocument(document, { ...flags, file: path }, config);
}

function databaseText(program: ForeignProgram, path: string): string {
  if (program === 'uptime-kuma') return kumaDatabaseJson(path);
  throw new KnellError('usage', `${path} is a database: ${programs[program].file}`);
}

function pathOf(slug: string): string {
  return `/ping/PING_KEY/${slug}`;
}

function showTable(rows: Parameters<typeof printTable>[0]): void {
  if (rows.length === 0) return;
  printTable(rows);
  print('');
}
