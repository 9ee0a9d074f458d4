/** The head of a group in the list: its name, the statuses of its checks, and a way to fold it. */

import { type ShownStatus, shownStatuses } from '../../domain/check/shown-status.ts';
import type { ListGroup } from '../../domain/views/page-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { numberWords } from '../core/number-words.ts';
import { everyWords, expressionWords, newWords, shownWords } from '../core/words.ts';
import type { Grouping } from '../rows/list-query.ts';
import { Icon } from '../ui/icons.tsx';
import { Shape } from '../ui/status-mark.tsx';
import type { Place } from './list-layout.ts';

interface GroupProps {
  readonly group: ListGroup;
  readonly kind: Grouping;
  readonly isFolded: boolean;
  readonly fold: () => void;
  readonly style: Place;
}

export function GroupHead({ group, kind, isFolded, fold, style }: GroupProps) {
  return (
    <div class="group" style={style} role="row" tabIndex={-1}>
      <span role="cell">
        <button type="button" aria-expanded={!isFolded} onClick={fold}>
          <Icon name={isFolded ? 'right' : 'down'} size={14} />
          {titleOf(group, kind)}
          <span class="faint figure">{numberWords(group.size)}</span>
        </button>
        {shownStatuses
          .filter((status) => group.counts[status] > 0)
          .map((status) => (
            <span key={status} class="figure" title={wordsIn(group, status)}>
              <Shape of={status} size={14} />
              {group.counts[status]}
            </span>
          ))}
      </span>
    </div>
  );
}

function wordsIn({ counts, neverPinged }: ListGroup, status: ShownStatus): string {
  return status === 'new' ? newWords(counts.new, neverPinged) : shownWords[status];
}

function titleOf(group: ListGroup, kind: Grouping): string {
  const { name } = group;
  if (kind === 'status') return wordsIn(group, name as ShownStatus);
  if (kind === 'tag') return name === '' ? 'No tag' : `First tag: ${name}`;
  if (/^\d+$/.test(name)) return capital(everyWords(Number(name)));
  const expression = name.replace(/ \([^)]*\)$/, '');
  const words = expressionWords(/^\S+( \S+){4}$/.test(expression) ? 'cron' : 'oncalendar', expression).words;
  return words ? capital(words) : name;
}
