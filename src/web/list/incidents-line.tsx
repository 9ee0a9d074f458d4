/** The line above the list while an incident is open: how many are, and how many checks are down in them, with a link to the only one, or to all. */
import type { OpenIncidentsView } from '../../domain/views/page-view.ts';
import { addressOf } from '../core/route.ts';
import { Icon } from '../ui/icons.tsx';

interface LineProps {
  readonly incidents: OpenIncidentsView;
  readonly project: string;
}

export function IncidentsLine({ incidents, project }: LineProps) {
  const { count, acknowledged, only } = incidents;
  if (count === 0) return null;
  const isTaken = acknowledged === count;
  return (
    <div class={isTaken ? 'banner taken' : 'banner failing'} role="status">
      <span>
        <Icon name="incident" /> {count === 1 ? '1 incident' : `${count.toLocaleString()} incidents`} open
        {takenWords(incidents)}: {downWords(incidents)}.
      </span>
      <a href={addressOf(project, 'incidents', only ?? '')}>
        Show<span class="hidden"> {count === 1 ? 'the incident' : 'the incidents'}</span>
      </a>
    </div>
  );
}

/** Returns `12 checks down`. */
export function downWords({ down, isMore }: Pick<OpenIncidentsView, 'down' | 'isMore'>): string {
  const words = down === 1 ? '1 check down' : `${down.toLocaleString()} checks down`;
  return isMore ? `more than ${words}` : words;
}

function takenWords({ count, acknowledged }: OpenIncidentsView): string {
  if (acknowledged === 0) return '';
  return acknowledged === count ? ', acknowledged' : `, ${acknowledged.toLocaleString()} acknowledged`;
}
