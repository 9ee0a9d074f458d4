/**
 * Prints what was discovered: YAML for `knell apply`, a table, JSON, or only the changes, as a diff.
 * Invariant: the YAML on stdout is whole; what people should read beside it is on stderr.
 */
import type { FileChange } from '../../domain/discover/file-changes.ts';
import type { LeftOut } from '../../domain/discover/found-job.ts';
import type { OtherSetting } from '../../domain/discover/ping-variables.ts';
import { checkOf, type Proposal } from '../../domain/discover/proposals.ts';
import { shortSpan } from '../../domain/words/span-words.ts';
import { second } from '../../lib/units.ts';
import { printColumns } from '../io/output.ts';
import { type Column, printable } from '../io/table.ts';
import { exitDone, print, printJson } from '../io/terminal.ts';

export interface Discovered {
  readonly proposals: readonly Proposal[];
  readonly leftOut: readonly LeftOut[];
  readonly changes: readonly FileChange[];
  readonly others: readonly OtherSetting[];
  readonly document: () => string;
  readonly form: string;
  /** Whether the changes say where Knell is. */
  readonly hasAddress: boolean;
}

export function printDiscovery(found: Discovered): number {
  const { proposals, leftOut, changes, others, form } = found;
  if (form === 'json') {
    printJson({
      jobs: proposals.map(jobJson),
      left_out: leftOut,
      changes: changes.map(changeJson),
      set_otherwise: others,
    });
    return exitDone;
  }
  if (form === 'diff') {
    for (const { diff } of changes) process.stdout.write(diff);
    return exitDone;
  }
  if (form === 'table') {
    printColumns(columns, proposals);
    aside(found, print);
    return exitDone;
  }
  process.stdout.write(found.document());
  aside(found, (line) => process.stderr.write(`${line}\n`));
  return exitDone;
}

const columns: readonly Column<Proposal>[] = [
  { title: 'SLUG', cell: ({ slug, id }) => slug ?? id ?? '' },
  { title: 'WHEN', cell: ({ job }) => whenText(job.times) },
  { title: 'GRACE', cell: ({ graceS }) => shortSpan(graceS * second) },
  { title: 'SOURCE', cell: ({ job }) => placeOf(job) },
  { title: 'PINGS', cell: ({ edit, job }) => (job.pinged ? 'yes' : edit ? 'with --write' : 'no') },
];

function whenText(times: Proposal['job']['times']): string {
  if ('timeoutS' in times) return `every ${shortSpan(times.timeoutS * second)}`;
  return `${times.schedule.replaceAll('\n', '; ')}${times.tz === 'UTC' ? '' : ` ${times.tz}`}`;
}

function placeOf({ file, line }: { readonly file: string; readonly line: number }): string {
  return line === 0 ? file : `${file}:${line}`;
}

/** Reasons and changes, for people. */
function aside(found: Discovered, say: (line: string) => void): void {
  const { proposals, leftOut, changes, others, hasAddress } = found;
  const still = proposals.filter(({ edit, job }) => edit === null && job.pinged === null);
  const lines = [
    ...part(
      'Without a check:',
      leftOut.map((one) => `${placeOf(one)}: ${one.reason}${one.text === '' ? '' : ` (${one.text})`}`),
    ),
    ...part(
      'To be changed by hand:',
      still.map(({ job, slug, unchanged }) => `${placeOf(job)}, ${slug}: ${unchanged}`),
    ),
    ...part('Set otherwise:', others.map(otherWords)),
  ];
  for (const line of lines) say(printable(line));
  if (changes.length === 0) return;
  say('');
  say(
    hasAddress
      ? 'With --write these files would be changed:'
      : 'With --write, --ping-url and --ping-key these files would be changed:',
  );
  for (const { diff } of changes)
    for (const line of diff.trimEnd().split('\n')) say(line.split('\t').map(printable).join('\t'));
}

/** Without the values: a key is a secret. */
export function otherWords(other: OtherSetting): string {
  return `${placeOf(other)}: ${other.name} has another value here, which stays`;
}

function part(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)].slice();
}

function jobJson(proposal: Proposal): object {
  const { job, edit, unchanged, graceWhy } = proposal;
  return {
    source: job.source,
    file: job.file,
    line: job.line,
    user: job.user,
    command: job.command,
    mailto: job.mailto,
    check: checkOf(proposal),
    grace_why: graceWhy,
    pings: job.pinged !== null,
    change: edit,
    unchanged,
  };
}

function changeJson({ file, diff, before }: FileChange): object {
  return { file, is_new: before === null, diff };
}
