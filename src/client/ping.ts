/**
 * `knell ping`: one ping, with the body from an option or from stdin.
 */

import { KnellError } from '../lib/errors.ts';
import { parseRunId } from '../lib/ids.ts';
import { deliver } from './deliver.ts';
import { outputBytesMax } from './limits.ts';
import { type OptionTable, optionsHelp, printHelp, readOptions } from './options.ts';
import { OutputTail } from './output-tail.ts';
import { pingUrl } from './ping-address.ts';
import {
  addressOf,
  type ClientContext,
  deliveryOf,
  hostOf,
  newCheckOf,
  pingOptions,
  resultsOf,
} from './ping-options.ts';

export const pingCommandOptions: OptionTable = {
  check: { value: 'SLUG|UUID', help: 'the check, in place of the first word' },
  data: { value: 'TEXT', help: 'what to send with the ping; without it, stdin if that is a pipe or a file' },
  rid: { value: 'UUID', help: 'the run ID: the same for the start and the end of a run' },
  warn: { help: 'the same as the word warn: the job ended, with a warning' },
  alive: { help: 'the same as the word alive: the run goes on' },
  ...pingOptions,
};

const help = `Usage: knell ping [options] [SLUG|UUID] [start|fail|warn|log|alive|STATUS]

Pings a check: a success, or what the second word says. STATUS is an exit status from 0
to 255. Exit status: 0 if Knell has recorded the ping, 1 if not, 2 if the call is wrong.

Options:
${optionsHelp(pingCommandOptions)}

Examples:
  knell ping db-backup
  knell ping db-backup start
  knell ping db-backup $?
  knell ping db-backup warn --host "$(hostname)"
  knell ping db-backup --create-timeout 1d --create-grace 2h
  knell ping db-backup --result files=142
  knell ping db-backup fail --data "the disk is full"
  pg_dump mydb 2>&1 >/backup/db.sql | knell ping db-backup log
  knell ping 0c8983c9-9d73-446f-adb5-0641fdacc9d4 --url https://knell.example.org
`;

/** Resolves to the exit status. Throws a KnellError `usage` before anything is sent. */
export async function pingCommand(words: readonly string[], context: ClientContext): Promise<number> {
  const { options, names } = readAnywhere(words);
  if (options.help !== undefined) {
    printHelp(help);
    return 0;
  }
  const target = targetOf(options.check === undefined ? names : [options.check, ...names], context);
  const { check } = target;
  const action = actionOf(target.action, options);
  const address = addressOf(options, check, context);
  address.catch(() => {});
  const delivery = deliveryOf(options);
  const query = {
    action,
    rid: ridOf(options.rid),
    create: newCheckOf(options),
    host: hostOf(options),
    results: resultsOf(options),
  };
  const body = options.data === undefined ? await pipedIn() : Buffer.from(options.data);
  const delivered = await deliver(pingUrl(await address, query), body, delivery);
  if (!delivered.ok && options.quiet === undefined)
    process.stderr.write(`knell: the ping could not be delivered: ${delivered.reason}\n`);
  if (delivered.ok && process.stdout.isTTY) process.stdout.write('OK\n');
  return delivered.ok ? 0 : 1;
}

/** Options may come after the words, too: there is no command here that they could belong to. */
function readAnywhere(words: readonly string[]) {
  const options: Record<string, string | undefined> = {};
  const names: string[] = [];
  let rest = words;
  while (rest.length > 0) {
    const read = readOptions(pingCommandOptions, rest);
    Object.assign(options, read.options);
    names.push(...read.rest.slice(0, 1));
    rest = read.rest.slice(1);
  }
  return { options, names };
}

interface Target {
  readonly check: string | undefined;
  readonly action: string;
}

const actions: readonly string[] = ['start', 'fail', 'warn', 'log', 'alive'];

function isAction(word: string): boolean {
  return actions.includes(word) || (/^\d{1,3}$/.test(word) && Number(word) <= 255);
}

/** One word may be the action only where a variable names the check. */
function targetOf(names: readonly string[], { env }: ClientContext): Target {
  const [first, second, ...others] = names;
  if (others.length > 0) throw new KnellError('usage', `too many words: ${others.join(' ')}; see --help`);
  if (first === undefined) return { check: undefined, action: '' };
  const namesNoCheck = second === undefined && isAction(first) && /\/ping\//.test(env.KNELL_PING_URL ?? '');
  if (namesNoCheck) return { check: undefined, action: first };
  if (second !== undefined && second !== 'success' && !isAction(second))
    throw new KnellError('usage', `${second} is none of success, ${actions.join(', ')}, 0 to 255`);
  return { check: first, action: second === undefined || second === 'success' ? '' : second };
}

/** The action that a word or an option names. */
function actionOf(word: string, { warn, alive }: Readonly<Record<string, string | undefined>>): string {
  const named = [word, warn === undefined ? '' : 'warn', alive === undefined ? '' : 'alive'];
  const [action = '', ...others] = [...new Set(named.filter((one) => one !== ''))];
  if (others.length > 0)
    throw new KnellError('usage', `a ping is one of ${named.filter(Boolean).join(', ')}`);
  return action;
}

function ridOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const rid = parseRunId(text);
  if (rid === null) throw new KnellError('usage', '--rid must be a UUID');
  return rid;
}

/** Nothing at a terminal, where a person would have to type it. */
async function pipedIn(): Promise<Buffer> {
  if (process.stdin.isTTY) return Buffer.alloc(0);
  const ends = new OutputTail(outputBytesMax);
  for await (const part of process.stdin) ends.add(Buffer.from(part));
  return ends.bytes();
}
