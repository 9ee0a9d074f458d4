/**
 * What differs between the jobs of a machine and the checks that there are.
 * Invariant: pure; a check of another machine is never missing a job.
 */
import { canonicalTimeZone } from '../../schedule/schedule.ts';
import type { JobTimes } from './found-job.ts';
import type { Proposal } from './proposals.ts';

/** A check of a server or of a file. */
export interface KnownCheck {
  /** Empty where it is not known. */
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly tags: string;
  /** Null for a check that has neither, such as one that is only pinged by hand. */
  readonly times: JobTimes | null;
}

export interface Drift {
  readonly kind: 'job without a check' | 'check without a job' | 'other schedule' | 'job without a ping';
  readonly slug: string;
  readonly name: string;
  /** Where the job is; empty where there is none. */
  readonly file: string;
  readonly line: number;
  /** What the job has, and what the check has; empty where nothing is compared. */
  readonly job: string;
  readonly check: string;
}

/** `host`: the tag of checks of this machine; checks without it are those of others. */
export function driftOf(
  proposals: readonly Proposal[],
  checks: readonly KnownCheck[],
  host: string,
): readonly Drift[] {
  const drift: Drift[] = [];
  const matched = new Set<KnownCheck>();
  for (const { job, slug, id, name, edit } of proposals) {
    const found = checks.find((check) => (id === null ? check.slug === slug : check.id === id));
    const place = { slug: slug ?? id ?? '', name, file: job.file, line: job.line };
    if (!found) {
      drift.push({ ...place, kind: 'job without a check', job: timesText(job.times), check: '' });
      continue;
    }
    matched.add(found);
    const [has, had] = [timesText(job.times), found.times === null ? '' : timesText(found.times)];
    if (has !== had) drift.push({ ...place, kind: 'other schedule', job: has, check: had });
    if (edit !== null) drift.push({ ...place, kind: 'job without a ping', job: '', check: '' });
  }
  for (const check of checks) {
    if (matched.has(check) || host === '' || !check.tags.split(' ').includes(host)) continue;
    const { slug, id, name } = check;
    const had = check.times === null ? '' : timesText(check.times);
    drift.push({
      kind: 'check without a job',
      slug: slug || id,
      name,
      file: '',
      line: 0,
      job: '',
      check: had,
    });
  }
  return drift;
}

/** In one form: names of zones and blanks differ without meaning anything. */
export function timesText(times: JobTimes): string {
  if ('timeoutS' in times) return `every ${times.timeoutS} s`;
  const lines = times.schedule.split('\n').map((line) => line.trim().split(/\s+/).join(' '));
  return `${lines.join('; ')} ${canonicalTimeZone(times.tz) ?? times.tz}`;
}
