/** The bar of how many checks are in which state, the worst first. Each part is a button that filters the list. */

import { type ShownStatus, shownStatuses } from '../../domain/check/shown-status.ts';
import type { StatusCounts } from '../../domain/views/page-view.ts';
import { spanAhead, spanDown } from '../../domain/words/span-words.ts';
import { numberWords } from '../core/number-words.ts';
import { newWords, shownWords } from '../core/words.ts';
import { alsoWords, shownCount } from '../rows/shown-count.ts';
import { Icon } from '../ui/icons.tsx';
import { Shape } from '../ui/status-mark.tsx';

interface SummaryProps {
  readonly summary: StatusCounts;
  /** The counts of all checks, where `summary` is of those that were searched for. */
  readonly all: StatusCounts | null;
  readonly chosen: readonly ShownStatus[];
  readonly toggle: (status: ShownStatus) => void;
  readonly nowMs: number;
}

export function SummaryBar({ summary, all, chosen, toggle, nowMs }: SummaryProps) {
  return (
    <fieldset class="summary" aria-label="Filter by status">
      {shownStatuses.map((status) => {
        const count = shownCount(status, summary);
        return (
          <button
            key={status}
            type="button"
            class={`part ${status}${count === 0 ? ' none' : ''}`}
            aria-pressed={chosen.includes(status)}
            onClick={() => toggle(status)}
            // On a phone they scroll sideways, and browsers are content with half of one.
            onFocus={({ currentTarget }) =>
              currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' })
            }
          >
            <Shape of={status} />
            <span class="count figure">
              {numberWords(count)}
              {all && <span class="of"> of {numberWords(shownCount(status, all))}</span>}
            </span>
            <span class="title">
              {status === 'new' ? newWords(count, summary.neverPinged) : shownWords[status]}
            </span>
            <span class="note">{noteOf(status, summary, nowMs)}</span>
            {chosen.includes(status) && <Icon name="close" size={14} />}
          </button>
        );
      })}
    </fieldset>
  );
}

function noteOf(status: ShownStatus, summary: StatusCounts, nowMs: number): string {
  if (shownCount(status, summary) === 0) return 'None';
  const { counts, all, warned, neverPinged, downSinceMs, lateUntilMs } = summary;
  switch (status) {
    case 'down':
      return downSinceMs === null ? '' : `Longest ${spanDown(nowMs - downSinceMs)}`;
    case 'late':
      return lateUntilMs === null ? '' : `Down in ${spanAhead(lateUntilMs - nowMs)}`;
    case 'running':
      return alsoWords(status, summary) || 'In flight';
    case 'up':
      return warned > 0
        ? `${numberWords(warned)} ${warned === 1 ? 'warning' : 'warnings'}`
        : `Of ${numberWords(all)} ${all === 1 ? 'check' : 'checks'}`;
    case 'paused':
      return 'Not watched';
    case 'new':
      if (neverPinged >= counts.new) return 'No ping yet';
      return neverPinged === 0 ? 'For a ping' : `${numberWords(counts.new - neverPinged)} waiting`;
  }
}
