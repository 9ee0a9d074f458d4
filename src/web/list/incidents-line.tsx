/**
 * The line above the list that says how many incidents are open, and how many checks are down in them, with a link to the only one, or
 * to all.
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
      short={count === 0 ? 'No incident' : counted(count)}
      to={
        <a href={addressOf(project, 'incidents', only ?? '')}>
          Show<span class="hidden"> {count === 1 ? 'the incident' : 'the incidents'}</span>
        </a>
      }
    >
      {openWords(incidents)}
    </Notice>
  );
}

function lookOf({ count, acknowledged }: OpenIncidentsView): string {
  if (count === 0) return 'none';
  return acknowledged === count ? 'taken' : 'open';
}

function openWords(incidents: OpenIncidentsView): string {
  const { count } = incidents;
  if (count === 0) return 'No incident is open.';
  return `${counted(count)} open${takenWords(incidents)}: ${downWords(incidents.down)}.`;
}

function counted(count: number): string {
  return count === 1 ? '1 incident' : `${numberWords(count)} incidents`;
}

/** Returns `12 checks down`. */
export function downWords(down: number): string {
  return down === 1 ? '1 check down' : `${numberWords(down)} checks down`;
}

function takenWords({ count, acknowledged }: OpenIncidentsView): string {
  if (acknowledged === 0) return '';
  return acknowledged === count ? ', acknowledged' : `, ${numberWords(acknowledged)} acknowledged`;
}
