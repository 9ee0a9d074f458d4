/**
 * `knell discover --drift`: what differs between jobs and checks.
 * Invariant: the exit status is that of diff: 0 for nothing, 1 for drift; 2, for an error, is not given here.
 */
import { parseYaml, plainOf } from '../../apply/yaml-node.ts';
import { allChecks } from '../../client/find-check.ts';
import type { ApiCheck } from '../../client/management.ts';
import type { Config } from '../../config.ts';
import { type Drift, driftOf, type KnownCheck } from '../../domain/discover/drift.ts';
import type { JobTimes } from '../../domain/discover/found-job.ts';
import type { Proposal } from '../../domain/discover/proposals.ts';
import { KnellError } from '../../lib/errors.ts';
import { readFiles } from '../configuration/apply-files.ts';
import type { Flags } from '../io/flags.ts';
import { withManagement } from '../io/management-session.ts';
import { printColumns } from '../io/output.ts';
import { exitDone, exitFailed, printJson } from '../io/terminal.ts';

/** `host`: the tag of this machine's checks; empty where files were named, and all checks count as those of others. */
export async function printDrift(
  proposals: readonly Proposal[],
  host: string,
  flags: Flags,
  configOf: (flags: Flags) => Config,
): Promise<number> {
  const checks =
    typeof flags.against === 'string' ? checksInFile(flags.against) : await checksOfServer(flags, configOf);
  const drift = driftOf(proposals, checks, host);
  if (flags.output === 'json') printJson(drift);
  else if (drift.length > 0)
    printColumns<Drift>(
      [
        { title: 'DRIFT', cell: ({ kind }) => kind },
        { title: 'SLUG', cell: ({ slug }) => slug },
        { title: 'JOB', cell: ({ job }) => job },
        { title: 'CHECK', cell: ({ check }) => check },
        { title: 'SOURCE', cell: ({ file, line }) => (line === 0 ? file : `${file}:${line}`) },
      ],
      drift,
    );
  return drift.length === 0 ? exitDone : exitFailed;
}

function checksOfServer(flags: Flags, configOf: (flags: Flags) => Config): Promise<readonly KnownCheck[]> {
  return withManagement(flags, configOf, async (management) => {
    const project = typeof flags.project === 'string' ? flags.project : undefined;
    return (await allChecks(management, project)).map(({ check }) => knownCheck(check));
  });
}

function knownCheck({ uuid, slug, name, tags, schedule, tz, timeout }: ApiCheck): KnownCheck {
  return { id: uuid, slug, name, tags, times: timesOf(schedule, tz, timeout) };
}

function timesOf(schedule: unknown, tz: unknown, timeoutS: unknown): JobTimes | null {
  if (typeof schedule === 'string') return { schedule, tz: typeof tz === 'string' ? tz : 'UTC' };
  return typeof timeoutS === 'number' ? { timeoutS } : null;
}

type Plain = Readonly<Record<string, unknown>>;

function mapsIn(value: unknown, name: string): readonly Plain[] {
  const list = (value as Plain | null)?.[name];
  return Array.isArray(list)
    ? list.filter((one): one is Plain => typeof one === 'object' && one !== null)
    : [];
}

/** Throws a KnellError `usage` for what is no YAML. */
function checksInFile(path: string): readonly KnownCheck[] {
  return readFiles(path).flatMap(({ name, text }) => {
    const problems: Parameters<typeof parseYaml>[2] = [];
    const documents = parseYaml(name, text, problems).map(plainOf);
    const [first] = problems;
    if (first) throw new KnellError('usage', `${name}:${first.at.line}: ${first.text}`);
    return documents
      .flatMap((document) => mapsIn(document, 'projects'))
      .flatMap((project) => mapsIn(project, 'checks'))
      .map(({ id, slug, name: called, tags, schedule, tz, timeout }) => ({
        id: String(id ?? ''),
        slug: String(slug ?? ''),
        name: String(called ?? ''),
        tags: String(tags ?? ''),
        times: timesOf(schedule, tz, timeout),
      }));
  });
}
