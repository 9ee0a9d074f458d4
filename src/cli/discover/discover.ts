/**
 * `knell discover`: reads jobs, prints the checks that they would have, and changes files with `--write`.
 * Invariants: only the result goes to stdout; without `--write` nothing is changed; jobs are made to ping only where it is known
 * where to, and by a program that is there.
 */
import { yamlText } from '../../apply/yaml-node.ts';
import type { Config } from '../../config.ts';
import { changeOf, type FileChange } from '../../domain/discover/file-changes.ts';
import type { FileEdit, PingSettings } from '../../domain/discover/found-job.ts';
import {
  crontabVariables,
  type OtherSetting,
  otherSettings,
  serviceVariables,
} from '../../domain/discover/ping-variables.ts';
import { documentOf, type Proposal, proposalsOf } from '../../domain/discover/proposals.ts';
import { pingVariablesFile } from '../../domain/discover/timers.ts';
import { systemClock } from '../../lib/clock.ts';
import { KnellError } from '../../lib/errors.ts';
import { canonicalTimeZone } from '../../schedule/schedule.ts';
import type { Flags } from '../io/flags.ts';
import { exitDone, exitUsage, fail, print, warn } from '../io/terminal.ts';
import { whyNotByCron } from './cron-path.ts';
import { readGivenFiles } from './given-files.ts';
import { knellPath, knellPathDefault, noKnellWords } from './knell-path.ts';
import { MachineFiles } from './machine-files.ts';
import { otherWords, printDiscovery } from './print-discovery.ts';
import { printDrift } from './print-drift.ts';
import { hostOf, type Machine, readMachine, zoneOf } from './read-machine.ts';
import { writeChange } from './write-changes.ts';

export async function runDiscover(
  names: readonly string[],
  flags: Flags,
  configOf: (flags: Flags) => Config,
): Promise<number> {
  try {
    return await discover(names, flags, configOf);
  } catch (error) {
    const status = fail(error);
    // Of --drift, 1 says that there is some.
    return flags.drift === true ? exitUsage : status;
  }
}

async function discover(
  names: readonly string[],
  flags: Flags,
  configOf: (flags: Flags) => Config,
): Promise<number> {
  if (flags.drift === true && flags.write === true)
    throw new KnellError('usage', 'use --drift or --write: one compares, the other changes');
  const files = new MachineFiles(textOf(flags.root) || '/');
  const host = flags.host === undefined ? hostOf(files) : textOf(flags.host);
  if (!/^[\w.-]*$/.test(host)) throw new KnellError('usage', '--host may have letters, digits, and . _ -');
  const tz = zoneIn(flags, files);
  const machine = names.length === 0 ? readMachine(files, tz) : readGivenFiles(names, tz);
  const settings = settingsIn(flags, files);
  const isMachine = names.length === 0;
  const tag = isMachine || flags.host !== undefined ? host : '';
  const proposals = proposalsOf(machine.jobs, { prefix: prefixIn(flags), host: tag, settings });
  if (flags.drift === true) return await printDrift(proposals, tag, flags, configOf);
  const changes = changesOf(machine, proposals, { files, settings, isMachine });
  const others = othersIn(machine, settings, isMachine ? files : null);
  if (flags.write === true) return write(changes, { files, settings, isMachine, others });
  if (changes.length > 0 && files.root === '/' && !files.isExecutable(settings.program))
    warn(
      flags.knell === undefined
        ? noKnellWords(process.argv[1] ?? '')
        : `there is no program ${settings.program} on this machine: the jobs could not ping`,
    );
  return printDiscovery({
    proposals,
    leftOut: machine.leftOut,
    changes,
    others,
    document: () => yamlText(documentOf(textOf(flags.project) || 'default', proposals)),
    form: textOf(flags.output),
    hasAddress: settings.url !== null,
  });
}

function textOf(flag: string | boolean | undefined): string {
  return typeof flag === 'string' ? flag : '';
}

function prefixIn({ prefix }: Flags): string {
  const text = textOf(prefix);
  if (!/^[a-z0-9_-]{0,50}$/.test(text))
    throw new KnellError('usage', '--prefix may have a-z, 0-9, - and _, at most 50 of them');
  return text;
}

function zoneIn({ tz }: Flags, files: MachineFiles): string {
  if (tz === undefined) return zoneOf(files);
  const zone = canonicalTimeZone(textOf(tz));
  if (zone === null) throw new KnellError('usage', `--tz: unknown time zone "${textOf(tz)}"`);
  return zone;
}

function settingsIn(flags: Flags, files: MachineFiles): PingSettings {
  const { KNELL_PING_URL, KNELL_PING_KEY, PATH = '' } = process.env;
  const url = textOf(flags.pingUrl) || KNELL_PING_URL || null;
  const key = textOf(flags.pingKey) || KNELL_PING_KEY || null;
  if (url !== null && !/^https?:\/\/[^\s'"%\\]+$/.test(url))
    throw new KnellError('usage', "--ping-url must be Knell's URL, such as https://knell.example.org");
  if (key !== null && !/^[\w-]+$/.test(key))
    throw new KnellError('usage', '--ping-key is none: see knell key create');
  const given = textOf(flags.knell);
  if (given !== '' && !/^\/[\w./-]*\/knell$|^\/knell$/.test(given))
    throw new KnellError(
      'usage',
      '--knell must be a whole path that ends in /knell, such as /usr/local/bin/knell',
    );
  return { program: given || (knellPath(files, PATH) ?? knellPathDefault), url, key };
}

interface ChangeContext {
  readonly files: MachineFiles;
  readonly settings: PingSettings;
  readonly isMachine: boolean;
}

function changesOf(
  { texts }: Machine,
  proposals: readonly Proposal[],
  { files, settings, isMachine }: ChangeContext,
): readonly FileChange[] {
  const byFile = new Map<string, FileEdit[]>();
  for (const { edit } of proposals)
    if (edit !== null) byFile.set(edit.file, [...(byFile.get(edit.file) ?? []), edit]);
  const isService = proposals.some(({ edit, job }) => job.hasDropIn || (edit !== null && 'text' in edit));
  const variables = isService && isMachine ? serviceVariables(presentText(files), settings) : null;
  // They come first: a run that is cut off leaves no service without them.
  const all = variables === null ? byFile : new Map([[variables.file, [variables]], ...byFile]);
  return [...all].flatMap(([file, edits]) => {
    const before = texts.get(file) ?? null;
    const isCrontab = before !== null && edits.some((edit) => 'replaced' in edit);
    const added = isCrontab ? crontabVariables(file, before, edits, settings) : null;
    return changeOf(file, before, added === null ? edits : [added, ...edits]) ?? [];
  });
}

/** What is set otherwise in the files that were read and, on this machine, in that of the services. */
function othersIn(
  { texts }: Machine,
  settings: PingSettings,
  files: MachineFiles | null,
): readonly OtherSetting[] {
  const ofServices = files?.read(pingVariablesFile);
  const all = ofServices?.kind === 'text' ? [...texts, [pingVariablesFile, ofServices.text] as const] : texts;
  return [...all].flatMap(([file, text]) => otherSettings(file, text, settings));
}

/** Of the file with the variables of services: whatever is there counts as set. */
function presentText(files: MachineFiles): string | null {
  return files.exists(pingVariablesFile) ? '' : null;
}

interface WriteContext extends ChangeContext {
  readonly others: readonly OtherSetting[];
}

function write(
  changes: readonly FileChange[],
  { files, settings: { url, key, program }, isMachine, others }: WriteContext,
): number {
  if (!isMachine)
    throw new KnellError(
      'usage',
      '--write changes this machine: leave FILES out, or apply -o diff with patch',
    );
  for (const line of others.map(otherWords)) warn(line);
  if (changes.length === 0) {
    print('Nothing to change.');
    return exitDone;
  }
  if (url === null || key === null)
    throw new KnellError(
      'usage',
      '--write needs --ping-url and --ping-key: without them no job would find Knell',
    );
  if (!files.isExecutable(program))
    throw new KnellError('usage', `there is no ${program}: ${noKnellWords(process.argv[1] ?? '')}`);
  const why = files.root === '/' ? whyNotByCron(program) : null;
  if (why !== null) throw new KnellError('usage', why);
  const stamp = new Date(systemClock.nowMs()).toISOString().replace(/[-:]|\.\d+/g, '');
  let status = exitDone;
  // Without root, the own crontab can be changed all the same.
  for (const change of changes) {
    try {
      print(writeChange(change, { files, stamp }));
    } catch (error) {
      status = fail(error);
    }
  }
  return status;
}
