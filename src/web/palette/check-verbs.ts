/**
 * What is done to a check that is named behind a verb, as in `snooze nightly`: an item for each check that the rest finds.
 * Invariant: an action goes by the check as it is when it is chosen, not as it was found.
 */
import type { FoundCheckView, RowsView } from '../../domain/views/page-view.ts';
import { foldCase } from '../../domain/words/search-words.ts';
import { acknowledge, pingNow, setPaused, snooze, snoozeFor, unsnooze } from '../actions/row-actions.tsx';
import { ask, messageOf } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf, go } from '../core/route.ts';
import { nameOf } from '../rows/row-words.ts';
import type { IconName } from '../ui/icons.tsx';
import { say } from '../ui/toasts.tsx';
import type { PaletteItem } from './palette-items.ts';

type Row = RowsView['rows'][number];

interface Verb {
  /** As it is typed; the first is shown. */
  readonly typed: readonly string[];
  readonly icon: IconName;
  /** Behind the name. */
  readonly rest?: string;
  readonly isFor: (found: FoundCheckView) => boolean;
  readonly act: (project: string, row: Row) => unknown;
}

const verbs: readonly Verb[] = [
  {
    ...{ typed: ['snooze', 'silence', 'mute'], icon: 'moon', rest: ' for 1 hour' },
    isFor: ({ status }) => status !== 'paused',
    act: (project, row) => snooze(project, row, snoozeFor(1)),
  },
  {
    ...{ typed: ['unsnooze', 'unmute'], icon: 'bell' },
    isFor: ({ status }) => status !== 'paused',
    act: (project, row) =>
      row.snoozedUntilMs === null ? say(`${nameOf(row)} is not snoozed.`) : unsnooze(project, row),
  },
  {
    ...{ typed: ['acknowledge'], icon: 'acknowledge' },
    isFor: ({ status }) => status === 'down',
    act: (project, row) =>
      row.acknowledged === null ? acknowledge(project, row) : say(`${nameOf(row)} is acknowledged already.`),
  },
  {
    ...{ typed: ['pause'], icon: 'pause' },
    isFor: ({ status }) => status !== 'paused',
    act: (project, row) => setPaused(project, [row], true),
  },
  {
    ...{ typed: ['resume', 'unpause'], icon: 'play' },
    isFor: ({ status }) => status === 'paused',
    act: (project, row) => setPaused(project, [row], false),
  },
  { ...{ typed: ['ping'], icon: 'bolt', rest: ' now' }, isFor: () => true, act: pingNow },
  {
    ...{ typed: ['edit'], icon: 'pencil' },
    isFor: () => true,
    act: (project, { id }) => go(`${addressOf(project, 'checks', id)}?edit=`),
  },
  {
    ...{ typed: ['delete', 'remove'], icon: 'trash', rest: '…' },
    isFor: () => true,
    act: (project, { id }) => go(`${addressOf(project, 'checks', id)}?ask=delete`),
  },
];

/** Letters of a verb that may stand for it, as in `ack`. */
const lettersMin = 3;
/** Checks that are offered: who means another one types more of its name. */
const checksShown = 5;

export interface Spoken {
  readonly verb: Verb;
  /** Which check; empty for none yet. */
  readonly name: string;
}

/** Returns null where the text does not begin with a verb. */
export function spoken(text: string): Spoken | null {
  const [, first = '', name = ''] = /^\s*(\S+)(.*)$/su.exec(text) ?? [];
  const word = foldCase(first);
  if (word.length < lettersMin) return null;
  const verb = verbs.find(({ typed }) => typed.some((one) => one.startsWith(word)));
  return verb ? { verb, name: name.trim() } : null;
}

/** Returns an item for each of the checks, or the one that goes on with a name. */
export function verbItems(
  { verb, name }: Spoken,
  checks: readonly FoundCheckView[],
  { state, typeOn }: Pick<PageProps, 'state'> & { readonly typeOn: (text: string) => void },
): readonly PaletteItem[] {
  const [shown = ''] = verb.typed;
  const title = shown.slice(0, 1).toUpperCase() + shown.slice(1);
  const item = { group: 'Actions', picture: { icon: verb.icon }, note: '', aliases: '' } as const;
  if (name === '')
    return [
      {
        ...{ ...item, id: `palette-verb-${shown}`, words: `${title} a check`, note: 'type its name' },
        ...{ staysOpen: true, run: () => typeOn(`${shown} `) },
      },
    ];
  const mayEdit = new Set(state.projects.filter(({ role }) => role !== 'viewer').map(({ id }) => id));
  return checks
    .filter((one) => mayEdit.has(one.project) && verb.isFor(one))
    .slice(0, checksShown)
    .map((one) => ({
      ...{ ...item, id: `palette-${shown}-${one.id}` },
      words: `${title} ${nameOf({ name: one.name, slug: '' })}${verb.rest ?? ''}`,
      note: state.projects.length > 1 ? one.projectName : '',
      run: () => void done(one, verb),
    }));
}

async function done({ id, project }: FoundCheckView, { act }: Verb): Promise<void> {
  try {
    const { rows } = await ask<RowsView>(`/web/in/${project}/rows?ids=${id}`);
    const [row] = rows;
    if (row) await act(project, row);
    else say('This check was deleted.');
  } catch (reason: unknown) {
    say(messageOf(reason));
  }
}
