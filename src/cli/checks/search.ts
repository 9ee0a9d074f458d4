/**
 * `knell search` prints the checks and outputs that have all words, the newest output first, as they are found.
 * Invariant: the exit status is that of grep: 0 for something found, 1 for nothing, 2 for an error; what was not searched is said
 * on stderr, never taken for nothing.
 */

import { isRefusal, type Management, type ProjectRef } from '../../client/management.ts';
import { countOf, durationMs } from '../../client/options.ts';
import { pause } from '../../client/pause.ts';
import type { FoundOutputAnswer, SearchAnswer } from '../../domain/views/search-view.ts';
import { systemClock } from '../../lib/clock.ts';
import { KnellError, messageOf } from '../../lib/errors.ts';
import { MB, second } from '../../lib/units.ts';
import type { Flags } from '../io/flags.ts';
import { searchHitsMax, searchHitsPerRequest, searchWaitsMax } from '../io/limits.ts';
import { formOf } from '../io/output.ts';
import { coloured, printable, type TableStyle, tableStyle } from '../io/table.ts';
import { exitDone, exitFailed, exitUsage, print, printJson, StatusLine, warn } from '../io/terminal.ts';
import { yamlOf } from '../io/yaml.ts';
import { findCheck, projectIn } from './check-actions.ts';
import { localTime } from './check-log.ts';
import { instantOf } from './snooze.ts';

export async function searchOutputs(
  management: Management,
  words: readonly string[],
  flags: Flags,
): Promise<number> {
  const run = new SearchRun(flags);
  const stopped = (): void => {
    run.end('interrupted');
    process.exit(exitInterrupted);
  };
  process.once('SIGINT', stopped);
  try {
    const query = queryOf(words, flags);
    const places = await placesOf(management, flags);
    for (const { project, check } of places) {
      if (check !== null) query.set('check', check);
      await run.search(management, project, query);
      if (run.isCut) break;
    }
    run.end(null);
    return run.found > 0 ? exitDone : exitFailed;
  } catch (error) {
    run.end(null);
    warn(wordsOf(error, flags));
    return exitUsage;
  } finally {
    process.removeListener('SIGINT', stopped);
  }
}

/** As of a shell's command that SIGINT ended. */
const exitInterrupted = 130;

/** A server of before this command has no such endpoint. A check that is not there has been looked for before. */
function wordsOf(error: unknown, { check }: Flags): string {
  const isUnknown = isRefusal(error) && error instanceof KnellError && error.code === 'not-found';
  return isUnknown && check === undefined
    ? 'this server cannot search outputs: it is older than this command'
    : messageOf(error);
}

interface Place {
  readonly project: ProjectRef;
  /** UUID or unique key of the only check; null for all. */
  readonly check: string | null;
}

async function placesOf(management: Management, flags: Flags): Promise<readonly Place[]> {
  if (typeof flags.check === 'string') {
    const { project, check } = await findCheck(management, flags.check, flags);
    return [{ project, check: check.uuid }];
  }
  const { projectsNamed } = await import('../../client/find-check.ts');
  return (await projectsNamed(management, projectIn(flags))).map((project) => ({ project, check: null }));
}

function queryOf(words: readonly string[], flags: Flags): URLSearchParams {
  // The shell has taken the quotes away: a word with blanks in it was one.
  const text = words.map((word) => (/\s/.test(word) && !word.includes('"') ? `"${word}"` : word)).join(' ');
  const query = new URLSearchParams({ q: text });
  if (typeof flags.in === 'string') query.set('in', flags.in);
  for (const name of ['since', 'until'] as const) {
    const given = flags[name];
    if (typeof given === 'string') query.set(name, momentOf(`--${name}`, given, systemClock.nowMs()));
  }
  return query;
}

/** As the API takes it: a time, or how long ago it was. */
function momentOf(option: string, text: string, nowMs: number): string {
  if (/^\d{9,11}(?:\.\d{1,6})?$/.test(text) || /T.*(?:Z|[+-]\d\d:\d\d)$/i.test(text)) return text;
  const atMs = /^\d{4}-/.test(text) ? instantOf(text, nowMs) : nowMs - agoMs(option, text);
  if (atMs === null) throw noMoment(option);
  return new Date(Math.max(0, atMs)).toISOString();
}

function agoMs(option: string, text: string): number {
  if (!/^(?:\d{1,9}[smhd])+$/.test(text)) throw noMoment(option);
  return durationMs(option, text);
}

function noMoment(option: string): KnellError {
  return new KnellError(
    'usage',
    `${option} must be a time such as 2030-05-04, "2030-05-04 02:10" or 2030-05-04T02:10:00Z, or how long ago, such as 3d`,
  );
}

/** One search of the command: what it has found, and how far it is. */
class SearchRun {
  found = 0;
  readonly #flags: Flags;
  readonly #most: number;
  readonly #style: TableStyle;
  readonly #line = new StatusLine();
  #outputs = 0;
  #bytes = 0;
  #far: { readonly project: string; readonly fromMs: number | null } = { project: '', fromMs: null };
  /** It ended because there were enough outputs. */
  isCut = false;

  constructor(flags: Flags) {
    this.#flags = flags;
    this.#most = countOf('-n', typeof flags.n === 'string' ? flags.n : '50', searchHitsMax);
    this.#style = tableStyle(process.stdout, process.env);
  }

  async search(management: Management, project: ProjectRef, query: URLSearchParams): Promise<void> {
    let after: string | null = null;
    do {
      const left = this.#most - this.#outputs;
      if (left <= 0 && after !== null) {
        this.isCut = true;
        return;
      }
      const asked = new URLSearchParams(query);
      asked.set('limit', String(Math.max(1, Math.min(left, searchHitsPerRequest))));
      if (after !== null) asked.set('after', after);
      const answer = await this.#ask(management, project, asked);
      this.#take(answer, project);
      after = answer.next;
    } while (after !== null);
  }

  /** A long search takes more requests than a client may send in a minute, and then waits as long as the server says. */
  async #ask(management: Management, project: ProjectRef, query: URLSearchParams): Promise<SearchAnswer> {
    for (let waits = 0; ; waits++) {
      try {
        return (await management.call(project, 'GET', `search?${query}`)) as SearchAnswer;
      } catch (error) {
        const [said, seconds = '2'] = /try again in (\d{1,3}) s$|let one end/.exec(messageOf(error)) ?? [];
        if (said === undefined || isRefusal(error) || waits === searchWaitsMax) throw error;
        this.#line.show(`the server is asked for too much: waiting ${seconds} s`);
        await pause(Number(seconds) * second, []);
      }
    }
  }

  /** Says how far it is, where that is not everything. */
  end(why: 'interrupted' | null): void {
    this.#line.clear();
    if (why === null && !this.isCut) return;
    const how = why ?? `stopped after ${this.#most} outputs (-n)`;
    warn(`${how}: ${this.#farWords()}`);
    this.isCut = false;
  }

  /** The last instant is searched again, since it may have further outputs. */
  #farWords(): string {
    const { project, fromMs } = this.#far;
    if (fromMs === null) return 'nothing is searched to its end';
    const where = project === '' ? '' : `project ${project} is `;
    const until = new Date(fromMs + 1).toISOString();
    const again = project === '' ? '' : `--project ${JSON.stringify(project)} `;
    return `${where}searched back to ${localTime(fromMs)}; go on with ${again}--until ${until}`;
  }

  #take({ checks = [], n_checks = 0, outputs = [], searched }: SearchAnswer, project: ProjectRef): void {
    this.#line.clear();
    const where = project.name === '' ? {} : { project: project.name };
    for (const check of checks) {
      this.#show({ what: 'check', ...check, ...where }, () => this.#lineOfCheck(check, project));
    }
    if (n_checks > checks.length) warn(`${n_checks - checks.length} more checks match: name more of them`);
    for (const output of outputs.slice(0, this.#most - this.#outputs)) {
      this.#outputs++;
      this.#show({ what: 'output', ...output, ...where }, () => this.#lineOfOutput(output));
    }
    if (!searched) return;
    this.#bytes += searched.bytes;
    const fromMs = searched.from === null ? null : Date.parse(searched.from);
    this.#far = { project: project.name, fromMs };
    if (searched.complete || fromMs === null) return;
    this.#line.show(`searched ${Math.round(this.#bytes / MB)} MB, back to ${localTime(fromMs)}`);
  }

  #show(value: object, line: () => string): void {
    this.found++;
    const form = formOf(this.#flags);
    if (form === 'json') printJson(value);
    else if (form === 'yaml') process.stdout.write(`---\n${yamlOf(value)}`);
    else print(line());
  }

  #lineOfCheck(
    { name, slug, tags, uuid, unique_key }: NonNullable<SearchAnswer['checks']>[number],
    { name: project }: ProjectRef,
  ): string {
    const details = [tags && `tags ${tags}`, project && `project ${project}`].filter(Boolean).join(', ');
    const shown = name || slug || (uuid ?? unique_key ?? '');
    return `check   ${coloured(printable(shown), 'bold', this.#style)}${details && `  ${printable(details)}`}`;
  }

  #lineOfOutput({ name, n, date, type, line, excerpt, marks }: FoundOutputAnswer): string {
    const failed = type === 'fail' ? 'red' : undefined;
    const place = `${printable(name)} #${n} ${coloured(type, failed, this.#style)}`;
    return `${localTime(Date.parse(date))}  ${place}, line ${line}: ${this.#marked(excerpt, marks)}`;
  }

  #marked(excerpt: string, marks: FoundOutputAnswer['marks']): string {
    let shown = '';
    let at = 0;
    for (const [from = 0, to = 0] of marks) {
      shown +=
        printable(excerpt.slice(at, from)) +
        coloured(printable(excerpt.slice(from, to)), 'bold', this.#style);
      at = to;
    }
    return shown + printable(excerpt.slice(at));
  }
}
