/**
 * The buttons under the status of a check. The one that its state asks for is filled.
 * Invariant: each has its own place, whatever the state is: what cannot be done now is off and says why. So two presses at one spot
 * never do two different things.
 */
import type { ComponentChildren } from 'preact';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { addressOf, go } from '../core/route.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { acknowledge, copyUrl, pingNow, setPaused, snooze, snoozes } from './row-actions.tsx';

export interface BarProps {
  readonly row: CheckRow;
  readonly project: string;
  readonly edit: () => void;
  readonly snoozeUntil: () => void;
  /** Moves the check; null where there is no other project. */
  readonly move: (() => void) | null;
  readonly remove: () => void;
  /** Address of pings; null for those who may not see it. */
  readonly pingUrl: string | null;
}

interface Action {
  readonly icon: IconName;
  readonly words: string;
  readonly run: () => void;
  /** The reason why it cannot be done now; empty where it can. */
  readonly offBecause: string;
}

/** A check cannot be acknowledged while it is paused, and only once for each outage. */
function acknowledging({ row, project }: BarProps): Action {
  const { status, acknowledged } = row;
  const offBecause =
    status !== 'down' ? 'The check is not down' : acknowledged !== null ? 'Acknowledged already' : '';
  return { icon: 'acknowledge', words: 'Acknowledge', run: () => void acknowledge(project, row), offBecause };
}

function pausing({ row, project }: BarProps): Action {
  const offBecause = row.status === 'paused' ? 'The check is paused' : '';
  return { icon: 'pause', words: 'Pause', run: () => void setPaused(project, [row], true), offBecause };
}

function resuming({ row, project }: BarProps): Action {
  const offBecause = row.status === 'paused' ? '' : 'The check is not paused';
  return { icon: 'play', words: 'Resume', run: () => void setPaused(project, [row], false), offBecause };
}

function pinging({ row, project }: BarProps): Action {
  const words = row.status === 'down' ? 'Mark as up' : 'Ping now';
  return { icon: 'bolt', words, run: () => void pingNow(project, row), offBecause: '' };
}

function editing({ edit }: BarProps): Action {
  return { icon: 'pencil', words: 'Edit', run: edit, offBecause: '' };
}

export function ActionsBar(props: BarProps) {
  const { row, project, snoozeUntil } = props;
  const first = acknowledging(props);
  return (
    <div class="actions actions-bar">
      <BarButton {...first} class={first.offBecause === '' ? 'main' : ''} />
      <Menu
        offBecause={row.status === 'paused' ? 'The check is paused' : ''}
        label={
          <>
            <Icon name="moon" /> Snooze <Icon name="down" size={14} />
          </>
        }
      >
        {snoozes().map((choice) => (
          <MenuItem key={choice.words} run={() => void snooze(project, row, choice)}>
            <Icon name="moon" />
            {choice.words}
          </MenuItem>
        ))}
        <MenuItem run={snoozeUntil}>
          <Icon name="clock" />
          Snooze until a date…
        </MenuItem>
      </Menu>
      <BarButton {...pinging(props)} class="from-768 pinging" />
      <BarButton {...pausing(props)} class="from-768" />
      <BarButton {...resuming(props)} class={`from-768${row.status === 'paused' ? ' main' : ''}`} />
      <BarButton {...editing(props)} class="from-768" />
      <span class="push">
        <More {...props} />
      </span>
    </div>
  );
}

/** The button is off without `disabled`: that would take the focus from it, and browsers show no reason on what is disabled. */
function BarButton({ icon, words, run, offBecause, class: name }: Action & { readonly class: string }) {
  const isOff = offBecause !== '';
  return (
    <button
      type="button"
      class={name}
      aria-label={words}
      aria-disabled={isOff}
      // The title has the words of the button where there is no space for them.
      title={isOff ? offBecause : words}
      onClick={isOff ? undefined : run}
    >
      <Icon name={icon} /> <span>{words}</span>
    </button>
  );
}

/** This menu has what is done less often and, on a phone, what does not fit into the bar. */
function More(props: BarProps) {
  const { row, project, pingUrl, move, remove } = props;
  return (
    <Menu label={<Icon name="more" />} name="More actions" class="more" isRight>
      {[pinging, pausing, resuming, editing].map((action) => (
        <ActionItem key={action.name} {...action(props)} />
      ))}
      {pingUrl !== null && (
        <MenuItem run={() => copyUrl(pingUrl)}>
          <Icon name="link" />
          Copy ping URL
        </MenuItem>
      )}
      <MenuItem run={() => go(addressOf(project, 'new', row.id))}>
        <Icon name="copy" />
        Clone
      </MenuItem>
      {move && (
        <MenuItem run={move}>
          <Icon name="send" />
          Move…
        </MenuItem>
      )}
      <MenuItem class="danger" run={remove}>
        <Icon name="trash" />
        Delete…
      </MenuItem>
    </Menu>
  );
}

function ActionItem({ icon, words, run, offBecause }: Action): ComponentChildren {
  return (
    <MenuItem class="below-768" offBecause={offBecause} run={run}>
      <Icon name={icon} />
      {words}
    </MenuItem>
  );
}
