/**
 * What a command of a crontab is called: its script without path and extension, or its program. What only prepares it, guards it or
 * reports on it is passed over: `cd /srv && test -x run.sh && nice ./run.sh || mail root` is `run`.
 * Invariant: never empty, and no argument that could be a secret is part of it.
 */
import { commandDepthMax } from '../limits.ts';
import { partsOf } from './shell-words.ts';

/** The command up to its first `%`: what follows is its standard input. `\%` is a percent sign. */
export function standardInputFrom(command: string): string {
  const [, before = ''] = /^((?:\\.|[^\\%]|\\$)*)/s.exec(command) ?? [];
  return before.replaceAll('\\%', '%').trim();
}

export function nameOfCommand(command: string): string {
  const [first] = partsOf(command);
  return nameIn(command, 0) ?? ((first && baseOf(first.words.find((word) => word !== '') ?? '')) || 'job');
}

/** How many parts of a command do something, where a failure of one does not keep the next from running. */
export function countOfJobs(command: string): number {
  const jobs = partsOf(command).filter(({ words }) => nameOfWords(words, 0) !== null);
  return jobs.filter(({ after }, at) => at === 0 || /^[;&\n]$/.test(after)).length;
}

/** The last part that does something: of a pipeline the first, after `||` only where nothing has come before. */
function nameIn(command: string, depth: number): string | null {
  let name: string | null = null;
  for (const { words, after } of partsOf(command)) {
    if (name !== null && (after === '|' || after === '||')) continue;
    name = nameOfWords(words, depth) ?? name;
  }
  return name;
}

const keywords = /^(?:if|then|elif|else|fi|do|done|while|until|esac|[{}!]|time)$/;
const assignment = /^[A-Za-z_]\w*\+?=/;
/** What prepares, guards or reports. */
const passedOver = new Set(
  'test [ [[ cd pushd popd : true false echo printf sleep export unset set source . mkdir exit return umask ulimit for case trap wait which type hash logger mail mailx mutt sendmail tee cat grep egrep fgrep zgrep awk sed sort uniq head tail wc tr cut date ts touch kill read local shift ]'.split(
    ' ',
  ),
);

/** What runs another command: its options that take a value, and how many words precede the command. */
const wrappers: Readonly<Record<string, { readonly valued?: string; readonly words?: number }>> = {
  nice: { valued: '-n --adjustment' },
  ionice: { valued: '-c -n --class --classdata' },
  chrt: { words: 1 },
  nohup: {},
  setsid: {},
  chronic: {},
  cronic: {},
  exec: {},
  eval: {},
  command: {},
  builtin: {},
  unbuffer: {},
  env: { valued: '-u -C --unset --chdir' },
  sudo: { valued: '-u -g -h -p -C -U --user --group' },
  doas: { valued: '-u -C' },
  timeout: { valued: '-k -s --kill-after --signal', words: 1 },
  flock: { valued: '-w -E --timeout --wait --conflict-exit-code', words: 1 },
  setlock: { words: 1 },
  stdbuf: { valued: '-i -o -e' },
  'systemd-cat': { valued: '-t -p' },
  'systemd-run': { valued: '-p -u -E -G' },
  'systemd-inhibit': {},
  taskset: { words: 1 },
  chroot: { words: 1 },
  gosu: { words: 1 },
  'su-exec': { words: 1 },
  runitor: { valued: '-uuid -slug -ping-key -api-url' },
  'knell-run': { valued: '--check --on-failure --on-success' },
};
const shells = /^(?:ba|da|z|k|a|fi)?sh$/;
const interpreters =
  /^(?:python[\d.]*|perl[\d.]*|php[\d.]*|ruby[\d.]*|nodejs|node|bun|deno|java|Rscript|lua[\d.]*|npx|bundle)$/;
/** What is only named with its first word: `artisan schedule:run`. */
const dispatchers =
  /^(?:artisan|manage|console|rake|npm|yarn|pnpm|make|docker|podman|kubectl|wp|drush|occ|apt|apt-get|git|restic|borg|systemctl|service|zfs|zpool)$/;

function nameOfWords(all: readonly string[], depth: number): string | null {
  const words = [...all];
  while (words[0] !== undefined && (keywords.test(words[0]) || assignment.test(words[0]))) words.shift();
  const [program = '', ...rest] = words;
  const base = baseOf(program);
  if (base === '' || passedOver.has(base)) return null;
  if (base === 'su' || base === 'runuser' || shells.test(base)) return nameInShell(base, rest, depth);
  if (base === 'run-parts') return baseOf(rest.findLast((word) => !word.startsWith('-')) ?? base);
  if (base === 'curl' || base === 'wget') return nameOfRequest(base, rest);
  // `command -v` looks for one.
  if (base === 'command' && /^-[vV]/.test(rest[0] ?? '')) return null;
  if (base === 'knell') return rest[0] === 'run' ? nameOfWords(['knell-run', ...rest.slice(1)], depth) : null;
  const plain = base.replace(extension, '');
  const wrapper = Object.hasOwn(wrappers, plain) ? wrappers[plain] : undefined;
  if (wrapper) return depth < commandDepthMax ? nameOfWrapped(base, wrapper, rest, depth) : base;
  if (interpreters.test(base)) return nameOfScript(base, rest);
  return withFirstWord(named(program), rest);
}

function nameOfWrapped(
  base: string,
  { valued = '', words: preceding = 0 }: { readonly valued?: string; readonly words?: number },
  rest: readonly string[],
  depth: number,
): string | null {
  const takesValue = new Set(valued.split(' '));
  let at = 0;
  for (let left = preceding; at < rest.length; at++) {
    const word = rest[at] ?? '';
    if (word === '--') {
      at++;
      break;
    }
    // What `flock FILE -c` runs is one word.
    if (base === 'flock' && (word === '-c' || word === '--command'))
      return nameIn(rest[at + 1] ?? '', depth + 1);
    if (word.startsWith('-') && word !== '-') at += takesValue.has(word) ? 1 : 0;
    else if (assignment.test(word)) continue;
    else if (left-- <= 0) break;
  }
  return at < rest.length ? nameOfWords(rest.slice(at), depth + 1) : base;
}

function nameInShell(base: string, rest: readonly string[], depth: number): string | null {
  const isUser = base === 'su' || base === 'runuser';
  const at = rest.findIndex((word) => (isUser ? /^(?:-c|--command)$/ : /^-[a-z]*c$/).test(word));
  if (at >= 0 && depth < commandDepthMax) return nameIn(rest[at + 1] ?? '', depth + 1) ?? base;
  const script = isUser ? undefined : rest.find((word) => !/^[-+]/.test(word));
  return script === undefined ? base : withFirstWord(named(script), []);
}

const inlineCode = /^-[a-zA-Z]*[ceEr]$/;

function nameOfScript(base: string, rest: readonly string[]): string {
  for (const [at, word] of rest.entries()) {
    if (base.startsWith('python') && word === '-m') return (rest[at + 1] ?? base).split('.')[0] || base;
    if (word === '-jar') return named(rest[at + 1] ?? base);
    if (inlineCode.test(word)) return base;
    if (word === 'exec' || word === 'run' || word.startsWith('-')) continue;
    return withFirstWord(named(word), rest.slice(at + 1));
  }
  return base;
}

function withFirstWord(name: string, rest: readonly string[]): string {
  const first = dispatchers.test(name) ? rest.find((word) => !word.startsWith('-')) : undefined;
  return first === undefined || !/^[\w:.-]+$/.test(first) ? name : `${name} ${first}`;
}

/** One that pings a monitor does nothing else; of any other the host is what can be named: paths hold keys. */
const pingUrl =
  /^https?:\/\/[^/]*(?:hc-ping|healthchecks|cronitor|nosnch|deadmanssnitch|uptime)|\/(?:ping|heartbeat|api\/push)\//i;

function nameOfRequest(base: string, rest: readonly string[]): string | null {
  const url = rest.find((word) => /^https?:/i.test(word));
  if (url === undefined) return base;
  if (pingUrl.test(url)) return null;
  const [, host = ''] = /^https?:\/+(?:[^/@]*@)?([\w.-]+)/i.exec(url) ?? [];
  return host === '' ? base : `${base} ${host}`;
}

const extension = /\.(?:sh|bash|py|pl|php|phar|rb|js|mjs|cjs|ts|jar|R|lua|tcl|cron)$/i;
/** Say nothing without the folder that they lie in. */
const generic = /^(?:cron|run|main|index|job|script|start|cronjob|crontab|task)$/i;
const folders = /^(?:|\.|\.\.|~|s?bin|scripts?|jobs|cron|lib|src|app|usr|opt|local|etc|home|srv|var|www)$/i;

/** The last part of a path. */
function baseOf(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1) ?? '';
}

function named(path: string): string {
  const base = baseOf(path);
  const name = base.replace(extension, '') || base;
  if (!generic.test(name)) return name;
  const folder = path
    .split('/')
    .slice(0, -1)
    .findLast((part) => !folders.test(part));
  return folder === undefined || /[$`]/.test(folder) ? name : `${folder} ${name}`;
}
