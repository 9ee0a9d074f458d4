/**
 * The bar of what can be done to all checks that are selected. It floats at the lower edge while there are any, on one line, and
 * Escape closes it. Where there is no space for it, all of it is in one menu.
 * Invariant: what is selected stays so after an action, but for what is gone.
 */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CheckRow, ListView, ProjectView } from '../../domain/views/page-view.ts';
import {
  acknowledgeAll,
  isPaused,
  isToAcknowledge,
  moveChecks,
  nothingToAcknowledge,
  nothingToPause,
  nothingToResume,
  setAllPaused,
  snoozeAll,
  unsnoozeAll,
} from '../actions/bulk-actions.ts';
import { rowsNow, snoozes } from '../actions/row-actions.tsx';
import type { Trouble } from '../form/channel-trouble.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { Lazy } from '../ui/lazy.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import type { Question } from './bulk-dialogs.tsx';
import { focusBulk } from './bulk-focus.ts';
import type { AllSelected } from './use-selection.ts';
import '../style/bulk.css';

export interface BulkProps {
  readonly project: string;
  readonly rows: readonly CheckRow[];
  readonly all: AllSelected;
  readonly channels: ListView['channels'];
  /** Why those of them that would notify nobody now would not, by their ids. */
  readonly notSending: ReadonlyMap<string, Trouble>;
  readonly tags: ListView['tags'];
  /** Projects that the user may move them to. */
  readonly projects: readonly ProjectView[];
  readonly clear: () => void;
  /** Whether it gets the focus, which `entered` confirms. */
  readonly isEntered: boolean;
  readonly entered: () => void;
  /** `asked` that are not among `fresh` are gone. */
  readonly renew: (asked: readonly CheckRow[], fresh: readonly CheckRow[]) => void;
}

const loadDialogs = () => import('./bulk-dialogs.tsx').then(({ BulkDialog }) => BulkDialog);

export function BulkBar(props: BulkProps) {
  const { project, rows, all, channels, notSending, tags, clear, renew, isEntered, entered } = props;
  const bar = useRef<HTMLElement>(null);
  const [question, ask] = useState<Question | null>(null);
  useEffect(() => {
    const pressed = ({ key, target }: KeyboardEvent): void => {
      const isInside = target instanceof Element && target.closest('dialog, [role=menu], input[type=search]');
      if (key === 'Escape' && !isInside) leave(bar.current, clear);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [clear]);
  useLayoutEffect(() => {
    if (!isEntered) return;
    focusBulk();
    entered();
  }, [isEntered]);
  // Its last check may be gone, and the bar with it: its row may still be in the list for a moment, and is no place to go on from.
  useLayoutEffect(() => () => giveFocus(bar.current, ['#main']), []);
  const then = (work: Promise<void>): void =>
    void work
      .then(() => rowsNow(project, rows))
      .then(
        (fresh) => renew(rows, fresh),
        // Without a connection, they stay as they were.
        () => {},
      );
  const actions = actionsOn(props, { then, ask });
  return (
    <section class="bulk" ref={bar} aria-label="Selected checks">
      <strong class="figure">
        {rows.length.toLocaleString()}{' '}
        <span class="from-768">{rows.length === 1 ? 'check ' : 'checks '}</span>
        selected{all.hidden > 0 && `, ${all.hidden.toLocaleString()} not shown`}
      </strong>
      {!all.isOn && (
        <button type="button" class="bulk-all" onClick={() => void all.toggle()}>
          Select all
        </button>
      )}
      <span class="bulk-buttons">
        {actions.map((action) => (
          <Button key={action.words} {...action} />
        ))}
      </span>
      <span class="bulk-menu">
        <Menu
          isRight
          label={
            <>
              Actions <Icon name="down" size={14} />
            </>
          }
        >
          {actions.flatMap(({ words, choices, ...action }) =>
            (choices ?? [{ words, run: action.run }]).map((one) => (
              <MenuItem
                key={one.words}
                run={one.run}
                class={action.isDanger ? 'danger' : ''}
                offBecause={action.offBecause ?? ''}
              >
                <Icon name={action.icon} />
                {'inFull' in one ? one.inFull : one.words}
              </MenuItem>
            )),
          )}
        </Menu>
      </span>
      <button
        type="button"
        class="symbol"
        aria-label="Clear the selection"
        onClick={() => leave(bar.current, clear)}
      >
        <Icon name="close" />
      </button>
      {question !== null && (
        <Lazy
          load={loadDialogs}
          props={{ question, project, rows, channels, notSending, tags, then, close: () => ask(null) }}
        />
      )}
    </section>
  );
}

/** Gives the focus, where the bar has it, back to a row: the one that the keys have chosen, or else one that is selected. */
function leave(bar: HTMLElement | null, clear: () => void): void {
  giveFocus(bar, ['.row.chosen a', '.row.selected input', '.row a', '#main'], clear);
}

/** Gives the focus that the bar has to the first of these that is there, as it is before `then`. */
function giveFocus(bar: HTMLElement | null, to: readonly string[], then = (): void => {}): void {
  const isInside = bar?.contains(document.activeElement) === true;
  const [place] = to.flatMap((one) => document.querySelector<HTMLElement>(one) ?? []);
  then();
  if (isInside) place?.focus({ preventScroll: true });
}

interface Action {
  readonly words: string;
  readonly icon: IconName;
  /** The reason why it cannot be done now; empty where it can. */
  readonly offBecause?: string;
  readonly isDanger?: true;
  readonly run: () => void;
  /** Choices that its button opens, if it does nothing by itself. */
  readonly choices?: readonly Choice[];
}

interface Choice {
  readonly words: string;
  /** Label where the choice does not stand under its button. */
  readonly inFull: string;
  readonly run: () => void;
}

interface Ways {
  readonly then: (work: Promise<void>) => void;
  readonly ask: (question: Question) => void;
}

function actionsOn({ project, rows, channels, projects }: BulkProps, { then, ask }: Ways) {
  const others = projects.filter(({ id, role }) => id !== project && role !== 'viewer');
  const opens = (icon: IconName, words: string, choices: readonly Choice[]): readonly Action[] =>
    choices.length === 0 ? [] : [{ words, icon, run: () => {}, choices }];
  const does = (icon: IconName, words: string, run: () => void): Action => ({ words, icon, run });
  const named = (words: string, inFull: string, run: () => void): Choice => ({ words, inFull, run });
  const whole = (words: string, run: () => void): Choice => named(words, words, run);
  return [
    {
      ...does('acknowledge', 'Acknowledge', () => then(acknowledgeAll(project, rows))),
      offBecause: rows.some(isToAcknowledge) ? '' : nothingToAcknowledge,
    } satisfies Action,
    ...opens('moon', 'Snooze', [
      ...snoozes().map((choice) => whole(choice.words, () => then(snoozeAll(project, rows, choice)))),
      whole('Snooze until a date…', () => ask('snooze')),
      whole('End the snooze', () => then(unsnoozeAll(project, rows))),
    ]),
    {
      ...does('pause', 'Pause', () => then(setAllPaused(project, rows, true))),
      offBecause: rows.every(isPaused) ? nothingToPause : '',
    } satisfies Action,
    {
      ...does('play', 'Resume', () => then(setAllPaused(project, rows, false))),
      offBecause: rows.some(isPaused) ? '' : nothingToResume,
    } satisfies Action,
    does('badge', 'Tags…', () => ask('tags')),
    does('clock', 'Schedule…', () => ask('schedule')),
    does('clock', 'Grace time…', () => ask('grace')),
    ...(channels.length === 0 ? [] : [does('bell', 'Notify…', () => ask('notify'))]),
    ...opens(
      'right',
      'Move to…',
      others.map((target) =>
        named(target.name, `Move to ${target.name}`, () => then(moveChecks(project, rows, target))),
      ),
    ),
    { ...does('trash', 'Delete…', () => ask('delete')), isDanger: true } satisfies Action,
  ];
}

/** It is off without `disabled`: that would take the focus from it, and browsers show no reason on what is disabled. */
function Button({ words, icon, isDanger, offBecause = '', run, choices }: Action) {
  if (choices)
    return (
      <Menu
        label={
          <>
            <Icon name={icon} />
            {words}
          </>
        }
      >
        {choices.map((one) => (
          <MenuItem key={one.words} run={one.run}>
            {one.words}
          </MenuItem>
        ))}
      </Menu>
    );
  return (
    <button
      type="button"
      class={isDanger ? 'danger' : ''}
      aria-disabled={offBecause !== ''}
      title={offBecause || undefined}
      onClick={offBecause === '' ? run : undefined}
    >
      <Icon name={icon} />
      {words}
    </button>
  );
}
