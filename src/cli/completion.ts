/**
 * `knell completion` prints the script with which a shell completes `knell` commands. The script calls `knell complete`, which
 * prints the words that may come next, one per line. Names of checks, projects and integrations come from the running server.
 * Invariant: an answer is fast or empty, and never an error, because somebody is typing.
 */

import { Argument, type Command } from 'commander';
import type { OptionTable } from '../client/options.ts';
import type { Config } from '../config.ts';
import { channelKinds } from '../domain/accounts/project.ts';
import type { IncidentListAnswer } from '../domain/views/api-answers.ts';
import { askRunningServer } from './io/admin-client.ts';
import type { Flags } from './io/flags.ts';
import { completionWithinMs } from './io/limits.ts';
import type { CommandTools } from './io/owner-command.ts';
import { exitDone, print } from './io/terminal.ts';

const scripts = {
  bash: `# In ~/.bashrc:  eval "$(knell completion bash)"
_knell() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do
    COMPREPLY+=("$(printf %q "$word")")
  done < <(knell complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _knell knell
`,
  zsh: `# In ~/.zshrc, after compinit:  eval "$(knell completion zsh)"
_knell() {
  local -a candidates
  candidates=("\${(@f)$(knell complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=("\${(@)candidates:#}")
  if (( \${#candidates} )); then compadd -- "\${candidates[@]}"; else _files; fi
}
compdef _knell knell
`,
  fish: `# knell completion fish > ~/.config/fish/completions/knell.fish
complete -c knell -f -a '(knell complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
} as const;

type Shell = keyof typeof scripts;

export function addCompletion(program: Command, { finish, configOf }: CommandTools): void {
  program
    .command('completion')
    .description('print what makes a shell complete knell commands, names of checks included')
    .addArgument(new Argument('<shell>').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      `
Examples:
  eval "$(knell completion bash)"                                  # in ~/.bashrc
  eval "$(knell completion zsh)"                                   # in ~/.zshrc, after compinit
  knell completion fish > ~/.config/fish/completions/knell.fish`,
    )
    .action((shell: Shell) => {
      process.stdout.write(scripts[shell]);
      finish(exitDone);
    });
  program
    .command('complete', { hidden: true })
    .allowUnknownOption()
    .helpOption(false)
    .argument('[words...]')
    .action(async (words: string[]) => {
      for (const word of await candidates(program, words, () => configOf({} as Flags))) print(word);
      finish(exitDone);
    });
}

/** The words that may come next and begin with the last of `words`, sorted. */
async function candidates(
  program: Command,
  words: readonly string[],
  config: () => Config,
): Promise<readonly string[]> {
  // The word is as it was typed, with the escapes and quotes of the shell.
  const current = (words.at(-1) ?? '').replace(/\\(.)/g, '$1').replace(/^['"]/, '');
  const place = placeOf(program, words.slice(0, -1));
  const all = place && (await wordsAt(place, current.startsWith('-'), config));
  return [...new Set(all ?? [])].filter((word) => word.startsWith(current) && !/\p{Cc}/u.test(word)).sort();
}

type Names = 'checks' | 'incidents' | 'projects' | 'channels' | 'users' | 'pages' | 'windows';

interface Place {
  readonly command: Command;
  /** The option whose value comes next; null for none. */
  readonly option: string | null;
  /** Number of arguments that came before. */
  readonly position: number;
}

/** Returns null behind a `--`: there the command of a job begins. */
function placeOf(program: Command, before: readonly string[]): Place | null {
  let command = program;
  let option: string | null = null;
  let position = 0;
  for (const word of before) {
    if (word === '--') return null;
    if (option !== null) option = null;
    else if (word.startsWith('-')) option = takesValue(command, word) ? word : null;
    else {
      const next = position === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (next) command = next;
      else position++;
    }
  }
  return { command, option, position };
}

/** The commands that read their own options. */
const ownOptions: ReadonlyMap<string, () => Promise<OptionTable>> = new Map([
  ['run', async () => (await import('../client/run-settings.ts')).runOptions],
  ['ping', async () => (await import('../client/ping.ts')).pingCommandOptions],
]);

function takesValue(command: Command, word: string): boolean {
  if (word.includes('=')) return false;
  if (ownOptions.has(command.name())) return ownValueOptions.has(word);
  return command.options.some((one) => (one.long === word || one.short === word) && one.required);
}

const ownValueOptions: ReadonlySet<string> = new Set([
  ...['--check', '--url', '--key', '--timeout', '--retries', '--every', '--data', '--host'],
]);

async function wordsAt(place: Place, isOption: boolean, config: () => Config): Promise<readonly string[]> {
  const { command, option, position } = place;
  if (option !== null) {
    const declared = command.options.find((one) => one.long === option || one.short === option);
    if (declared?.argChoices) return declared.argChoices;
    const [, value = option.slice(2)] = /<([\w-]+)/.exec(declared?.flags ?? '') ?? [];
    return namesCalled(value, config);
  }
  const own = ownOptions.get(command.name());
  if (isOption) {
    if (own) return Object.keys(await own()).map((name) => `--${name}`);
    return [...command.options.filter(({ hidden }) => !hidden).map(({ long }) => long ?? ''), '--help'];
  }
  if (command.name() === 'ping')
    return position === 0 ? namesOf('checks', config) : ['start', 'fail', 'warn', 'log', 'alive'];
  if (own) return [];
  if (command.commands.length > 0) return position === 0 ? visibleNames(command) : [];
  return argumentWords(command, position, config);
}

/** Names of the commands that the help lists: hidden ones are left out. */
function visibleNames(command: Command): readonly string[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((one) => one.name());
}

/** Maps the name of an argument, or of an option's value, to the names that complete it. */
const namesByPlace: ReadonlyMap<string, Names> = new Map([
  ['check', 'checks'],
  ['checks', 'checks'],
  ['incident', 'incidents'],
  ['project', 'projects'],
  ['channel', 'channels'],
  ['user', 'users'],
  ['page', 'pages'],
  ['window', 'windows'],
]);

async function namesCalled(place: string, config: () => Config): Promise<readonly string[]> {
  const names = namesByPlace.get(place);
  return names === undefined ? [] : namesOf(names, config);
}

async function argumentWords(
  command: Command,
  position: number,
  config: () => Config,
): Promise<readonly string[]> {
  const { registeredArguments: all } = command;
  const argument = all[position] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
  if (!argument) return [];
  if (argument.argChoices) return argument.argChoices;
  if (argument.name() === 'kind') return channelKinds;
  return namesCalled(argument.name(), config);
}

async function namesOf(names: Names, config: () => Config): Promise<readonly string[]> {
  const limit = new Promise<readonly string[]>((resolve) => {
    setTimeout(() => resolve([]), completionWithinMs).unref();
  });
  return Promise.race([limit, askedNames(names, config).catch(() => [])]);
}

interface Named {
  readonly name: string;
  readonly slug?: string;
}

async function askedNames(names: Names, config: () => Config): Promise<readonly string[]> {
  const server = config();
  if (names === 'users') return namesIn(await askRunningServer(server, 'user list', {}));
  const projects = (await askRunningServer(server, 'project list', {})) ?? [];
  if (names === 'projects') return namesIn(projects);
  const found: Named[] = [];
  for (const { id } of projects) found.push(...(await namedIn(id, names, server)));
  return namesIn(found);
}

async function namedIn(project: string, names: Names, server: Config): Promise<readonly Named[]> {
  if (names === 'channels') return (await askRunningServer(server, 'channel list', { project })) ?? [];
  if (names === 'windows') return (await askRunningServer(server, 'maintenance list', { project })) ?? [];
  if (names === 'pages') {
    const pages = (await askRunningServer(server, 'status-page list', { project })) ?? [];
    return pages.map(({ title, slug }) => ({ name: title, slug }));
  }
  if (names === 'incidents') {
    const path = 'incidents/?state=open,acknowledged';
    const open = await askRunningServer(server, 'api', { project, method: 'GET', path });
    const { incidents } = JSON.parse(open?.body ?? '{"incidents":[]}') as IncidentListAnswer;
    return incidents.map(({ id }) => ({ name: id }));
  }
  const listed = await askRunningServer(server, 'api', { project, method: 'GET', path: 'checks/' });
  const { checks } = JSON.parse(listed?.body ?? '{"checks":[]}') as { readonly checks: readonly Named[] };
  return checks;
}

/** A slug where there is one, since it needs no quotes; else the name. */
function namesIn(found: readonly Named[] | null): readonly string[] {
  return (found ?? []).map(({ name, slug }) => slug || name).filter((name) => name !== '');
}
