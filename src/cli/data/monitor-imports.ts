/** `knell import` for programs whose monitors become a configuration: the options, and how the result is shown and applied. */
import type { Command } from 'commander';
import type { Flags } from '../io/flags.ts';
import { type CommandTools, withServer } from '../io/owner-command.ts';
import { exitDone, print, warn } from '../io/terminal.ts';

/** Command by program: what FILE is. */
const programs: Readonly<Record<string, { readonly title: string; readonly file: string }>> = {
  'uptime-kuma': {
    title: 'Uptime Kuma',
    file: 'FILE is its backup (Settings, Backup), or the JSON that the line of the manual makes of its database.',
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
configuration is printed instead, for knell apply, so that you can change it first. If something fails in the
middle, import again: what is there already is not made twice.`;

export function addMonitorImports(group: Command, { finish, onData, configOf }: CommandTools): void {
  for (const [name, { title, file }] of Object.entries(programs)) {
    const command = group
      .command(`${name} <file>`)
      .description(`add the heartbeats of ${title} to a project`);
    withServer(onData(command, false))
      .option('--project <project>', 'the name of the project, which is created if there is none', 'default')
      .option('--dry-run', 'show the plan and what is left out, and change nothing')
      .option('--print', 'print the configuration as YAML, and change nothing')
      .option('--yes', 'do not ask')
      .addHelpText('after', `\n${file}\n${help}`)
      .action(async (path: string, flags: Flags) => {
        finish(await importMonitors(name, path, flags, () => configOf(flags)));
      });
  }
}

async function importMonitors(
  source: string,
  path: string,
  flags: Flags,
  config: Parameters<typeof import('../configuration/apply.ts').applyDocument>[2],
): Promise<number> {
  const { readFiles } = await import('../configuration/apply-files.ts');
  const { foreignConfiguration } = await import('../../importer/monitors/sources.ts');
  const [file] = readFiles(path);
  const translated = foreignConfiguration(source, file ?? { name: path, text: '' }, String(flags.project));
  const { document, leftOut, notes, pings } = translated;
  if (flags.print === true) {
    const { yamlText } = await import('../../apply/yaml-node.ts');
    process.stdout.write(yamlText(document));
    for (const { what, name, why } of [...leftOut, ...notes]) warn(`${what} ${JSON.stringify(name)}: ${why}`);
    return exitDone;
  }
  printRows('LEFT OUT', leftOut);
  printRows('CHANGED', notes);
  const { applyDocument } = await import('../configuration/apply.ts');
  const status = await applyDocument(document, { ...flags, file: path }, config);
  if (status === exitDone && pings.length > 0) {
    print(
      '\nJobs have to ping here from now on, with a ping key of the project (knell key create --scope ping):',
    );
    printAligned(pings.map(({ from, slug }) => [from, `→  /ping/PING_KEY/${slug}`]));
  }
  return status;
}

interface Row {
  readonly what: string;
  readonly name: string;
  readonly why: string;
}

function printRows(title: string, rows: readonly Row[]): void {
  if (rows.length === 0) return;
  printAligned([[title, 'NAME', 'WHY'], ...rows.map(({ what, name, why }) => [what, name, why])]);
  print('');
}

function printAligned(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  for (const row of rows)
    print(
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
