/**
 * The checks that jobs would have: each with a slug of its own, as `knell apply` takes them.
 * Invariants: the same jobs give the same checks, before and after they were made to ping; no slug is given twice.
 */
import { checkNameLengthMax, slugLengthMax } from '../limits.ts';
import { graceOf } from './delays.ts';
import type { FileEdit, FoundJob, PingSettings } from './found-job.ts';

export interface ProposalOptions {
  /** In front of every new slug; empty for none. */
  readonly prefix: string;
  /** Name of the machine, which becomes a tag; empty for none. */
  readonly host: string;
  readonly settings: PingSettings;
}

export interface Proposal {
  readonly job: FoundJob;
  /** Null where the job pings by a UUID. */
  readonly slug: string | null;
  readonly id: string | null;
  readonly name: string;
  readonly graceS: number;
  /** Why that is the grace time. */
  readonly graceWhy: string;
  readonly tags: string;
  readonly edit: FileEdit | null;
  /** Why nothing is changed: it pings already, or cannot be changed here. */
  readonly unchanged: string | null;
}

export function proposalsOf(jobs: readonly FoundJob[], options: ProposalOptions): readonly Proposal[] {
  const taken = new Set(jobs.flatMap(({ pinged }) => (pinged && 'slug' in pinged ? [pinged.slug] : [])));
  const seen = new Set<string>();
  const proposals: Proposal[] = [];
  for (const job of jobs) {
    const { pinged } = job;
    const known = pinged === null ? '' : 'slug' in pinged ? pinged.slug : pinged.id;
    // Several lines may ping one check.
    if (known !== '' && seen.has(known)) continue;
    seen.add(known);
    const slug =
      pinged === null
        ? freeSlug(options.prefix + job.plainSlug, taken)
        : 'slug' in pinged
          ? pinged.slug
          : null;
    proposals.push(proposalOf(job, slug, options));
  }
  return proposals;
}

function proposalOf(job: FoundJob, slug: string | null, { host, settings }: ProposalOptions): Proposal {
  const { graceS, why } = graceOf(job.name, job.command, job.times, job.delayS);
  const wrapped = job.pinged === null && slug !== null ? job.wrap(slug, settings) : 'It pings already';
  return {
    job,
    slug,
    id: job.pinged && 'id' in job.pinged ? job.pinged.id : null,
    name: [...job.name].slice(0, checkNameLengthMax).join(''),
    graceS,
    graceWhy: why,
    tags: [job.source, ...(host === '' ? [] : [host])].join(' '),
    edit: typeof wrapped === 'string' ? null : wrapped,
    unchanged: typeof wrapped === 'string' ? wrapped : null,
  };
}

function freeSlug(base: string, taken: Set<string>): string {
  for (let n = 1; ; n++) {
    const end = n === 1 ? '' : `-${n}`;
    const slug = base.slice(0, slugLengthMax - end.length) + end;
    if (taken.has(slug)) continue;
    taken.add(slug);
    return slug;
  }
}

/** As a check of a configuration file. */
export function checkOf({
  job,
  slug,
  id,
  name,
  graceS,
  graceWhy,
  tags,
}: Proposal): Readonly<Record<string, unknown>> {
  const user = job.user === '' ? '' : `, as ${job.user}`;
  return {
    ...(id === null ? { slug } : { id }),
    name,
    tags,
    desc: [`${job.file}${user}. Grace time: ${graceWhy}.`, job.remark ?? ''].join(' ').trim(),
    ...('timeoutS' in job.times
      ? { timeout: job.times.timeoutS }
      : { schedule: job.times.schedule, tz: job.times.tz }),
    grace: graceS,
    integrations: '*',
  };
}

export function documentOf(
  project: string,
  proposals: readonly Proposal[],
): Readonly<Record<string, unknown>> {
  return { version: 1, projects: [{ name: project, checks: proposals.map(checkOf) }] };
}
