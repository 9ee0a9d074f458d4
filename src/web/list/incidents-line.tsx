/**
 * The line above the list that says how many incidents are open, and whether somebody acknowledged them, with a link to the only one,
 * or to all. How many checks are down is in the bar below it.
 * Invariant: it is one line, also while none is open: a list must not move under the finger when something goes down.
 */
import type { OpenIncidentsView } from '../../domain/views/page-view.ts';
import { numberWords } from '../core/number-words.ts';
import { addressOf } from '../core/route.ts';
import { Notice } from '../ui/notice.tsx';

interface LineProps {
  readonly incidents: OpenIncidentsView;
  readonly project: string;
}

export function IncidentsLine({ incidents, project }: LineProps) {
  const { count, only } = incidents;
  return (
    <Notice
      look={lookOf(incidents)}
      short={count === 0 ? 'No incident' : openWords(incidents)}
      least={count === 0 ? 'No incident' : `${counted(count)} open`}
      to={
        <a href={addressOf(project, 'incidents', only ?? '')}>
          Show<span class="hidden"> {count === 1 ? 'the incident' : 'the incidents'}</span>
        </a>
      }
    >
      {count === 0 ? 'No incident is open.' : `${openWords(incidents)}.`}
    </Notice>
  );
}

function lookOf({ count, acknowledged }: OpenIncidentsView): string {
  if (count === 0) return 'none';
  return acknowledged === count ? 'taken' : 'open';
}

function counted(count: number): string {
  return count === 1 ? '1 incident' : `${numberWords(count)} incidents`;
}

type Counts = Pick<OpenIncidentsView, 'count' | 'acknowledged'>;

/** Returns `3 incidents open, 1 acknowledged`. */
export function openWords(counts: Counts): string {
  return `${counted(counts.count)} open, ${acknowledgedWords(counts)}`;
}

function acknowledgedWords({ count, acknowledged }: Counts): string {
  if (count === 1) return acknowledged === 1 ? 'acknowledged' : 'not acknowledged';
  if (acknowledged === 0) return 'none acknowledged';
  return acknowledged === count
    ? 'all acknowledged'
    : `${numberWords(count - acknowledged)} not acknowledged`;
}
