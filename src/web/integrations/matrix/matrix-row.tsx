/** A row of the matrix: a check, a tick for all of its integrations, and one for each of them. */
import { channelTitle } from '../../../domain/accounts/channel-title.ts';
import type { IntegrationView } from '../../../domain/views/integration-view.ts';
import type { CheckRow } from '../../../domain/views/page-view.ts';
import { nameOf } from '../../rows/row-words.ts';
import type { Range } from '../../rows/use-scrolled.ts';
import { Icon } from '../../ui/icons.tsx';
import { say } from '../../ui/toasts.tsx';
import type { Assigning } from './use-assigning.ts';

/** The place of the tick for all for the arrow keys, left of the others, which begin at 0. */
export const allAt = -1;

interface RowProps extends Assigning {
  readonly at: number;
  readonly topPx: number;
  /** The row; null until it is loaded. */
  readonly row: CheckRow | null;
  readonly channels: readonly IntegrationView[];
  readonly columns: Range;
  readonly columnPx: number;
}

export function Row({ at, topPx, row, channels, columns, columnPx, ...assigning }: RowProps) {
  const { assigned, tick } = assigning;
  const style = { transform: `translateY(${topPx}px)` };
  if (!row) return <div class="matrix-row loading" style={style} aria-hidden="true" />;
  const chosen = assigned(row);
  const name = nameOf(row);
  return (
    <div class="matrix-row" role="row" tabIndex={-1} aria-rowindex={at + 2} style={style}>
      <span class="first">
        <span
          role="rowheader"
          tabIndex={-1}
          class={chosen.length === 0 ? 'name nobody' : 'name'}
          title={name}
        >
          <span>
            {name}
            {/* It takes no space: nothing moves when a tick is set or taken. */}
            {chosen.length === 0 && (
              <span class="muted" role="img" aria-label="Notifies nobody" title="Notifies nobody">
                <Icon name="muted" size={14} />
              </span>
            )}
          </span>
        </span>
        <Whole {...{ at, row, channels }} {...assigning} />
      </span>
      <span style={{ width: `${columns.from * columnPx}px` }} />
      {channels.slice(columns.from, columns.until).map((channel, n) => (
        <span key={channel.id} role="cell" aria-colindex={columns.from + n + 3}>
          <input
            type="checkbox"
            data-at={`${at} ${columns.from + n}`}
            aria-label={`${name} notifies ${channelTitle(channel)}`}
            checked={chosen.includes(channel.id)}
            onChange={() => tick(row, channel)}
          />
        </span>
      ))}
    </div>
  );
}

interface WholeProps extends Assigning {
  readonly at: number;
  readonly row: CheckRow;
  readonly channels: readonly IntegrationView[];
}

/** The tick for the whole row. */
function Whole({ at, row, channels, assigned, assign, tick }: WholeProps) {
  const name = nameOf(row);
  const ids = channels.map(({ id }) => id);
  const count = ids.filter((id) => assigned(row).includes(id)).length;
  const isAll = count === ids.length;
  const toggle = (): void => {
    const before = assigned(row);
    const [only, other] = channels.filter(({ id }) => before.includes(id) === isAll);
    if (only && !other) {
      tick(row, only);
      return;
    }
    void assign(row, isAll ? [] : ids);
    say(isAll ? `${name} set to notify nobody.` : `${name} set to notify all integrations.`, () =>
      assign(row, before),
    );
  };
  return (
    <span role="cell" aria-colindex={2} class="whole">
      {/* On a phone no heading is above it. */}
      <span class="word" aria-hidden="true">
        All
      </span>
      <input
        type="checkbox"
        data-at={`${at} ${allAt}`}
        aria-label={`All integrations for ${name}`}
        checked={isAll}
        indeterminate={count > 0 && !isAll}
        onChange={toggle}
      />
    </span>
  );
}
