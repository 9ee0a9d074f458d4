/** The items of the command palette: pages, actions, projects, and what can be done to the check that is open. */
import type { CheckRow, FoundCheckView } from '../../domain/views/page-view.ts';
import type { FoundOutputAnswer } from '../../domain/views/search-view.ts';
import { foldCase, hasWords, matchRank, searchWords } from '../../domain/words/search-words.ts';
import {
  acknowledge,
  copyUrl,
  pingNow,
  setPaused,
  snooze,
  snoozes,
  unacknowledge,
  unsnooze,
} from '../actions/row-actions.tsx';
import { fromRoot } from '../core/base-path.ts';
import { messageOf } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import {
  addressOf,
  crontabPage,
  go,
  maintenanceAddress,
  membersAddress,
  projectsPath,
  serverPath,
  wallAddress,
} from '../core/route.ts';
import { chooseTheme, signOut } from '../core/session.ts';
import { themes } from '../core/theme.ts';
import { momentWords, shownWords, waitingWords } from '../core/words.ts';
import { nameOf } from '../rows/row-words.ts';
import type { IconName } from '../ui/icons.tsx';
import type { Mark } from '../ui/status-mark.tsx';
import { say } from '../ui/toasts.tsx';
import type { FoundOutputs } from './use-outputs.ts';

export interface PaletteItem {
  /** Id of the option in the document. */
  readonly id: string;
  readonly group: string;
  readonly words: string;
  /** Note beside its words. */
  readonly note: string;
  readonly picture: { readonly icon: IconName } | { readonly mark: Mark };
  /** Where the searched words are in `words`; absent for what is no output. */
  readonly marks?: FoundOutputAnswer['marks'];
  /** The palette stays open. */
  readonly staysOpen?: true;
  /** Other words by which it is found. */
  readonly aliases: string;
  readonly run: () => void;
}

type Entry = readonly [words: string, icon: IconName, run: () => void, aliases?: string];

function group(name: string, entries: readonly (Entry | false)[]): readonly PaletteItem[] {
  return entries
    .filter((entry) => entry !== false)
    .map(([words, icon, run, aliases = '']) => ({
      id: `palette-${name}-${words}`.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
      ...{ group: name, words, note: '', picture: { icon }, aliases, run },
    }));
}

export function pageItems({ state, project, role, mayEdit }: PageProps): readonly PaletteItem[] {
  const isOwner = state.user?.role === 'owner';
  const at = (path: string) => () => go(path);
  return group('Go to', [
    [
      'Checks',
      'list',
      at(addressOf(project, 'checks')),
      mayEdit ? 'list home pause resume move' : 'list home',
    ],
    ['Incidents', 'incident', at(addressOf(project, 'incidents')), 'outages acknowledge down'],
    ['Integrations', 'hook', at(addressOf(project, 'integrations')), 'notifications channels'],
    [
      'Who gets notified',
      'hook',
      at(`${addressOf(project, 'integrations')}?view=matrix`),
      'matrix integrations checks alerts',
    ],
    mayEdit && ['Status pages', 'pulse', at(addressOf(project, 'status-pages'))],
    ['Badges', 'badge', at(addressOf(project, 'badges'))],
    ['Reports', 'mail', at(fromRoot('/reports'))],
    ['Settings', 'gear', at(addressOf(project, 'settings')), 'project keys export'],
    mayEdit && [
      'Maintenance',
      'clock',
      at(maintenanceAddress(project)),
      'windows downtime holidays silence mute quiet',
    ],
    role === 'owner' && ['Members', 'people', at(membersAddress(project)), 'settings invite roles users'],
    isOwner && ['Server settings', 'gear', at(fromRoot(serverPath)), 'mail tokens snapshots cluster'],
    isOwner && ['Audit log', 'clock', at(fromRoot('/audit')), 'history'],
    ['Account', 'people', at(fromRoot('/account')), 'password two-factor passkeys sessions time zone'],
    ['All projects', 'grid', at(fromRoot(projectsPath)), 'overview'],
    ['Wall view', 'grid', at(wallAddress(project)), 'screen tv'],
    ['Manual', 'link', () => location.assign(fromRoot('/docs/')), 'docs help documentation'],
  ]);
}

/** Where nothing else is found: the manual may have it. */
export function manualItem(text: string): PaletteItem {
  const address = `${fromRoot('/docs/')}?${new URLSearchParams({ q: text })}`;
  return {
    ...{ id: 'palette-manual', group: 'Manual', words: `Search the manual for “${text}”`, note: '' },
    ...{ picture: { icon: 'search' }, aliases: '', run: () => location.assign(address) },
  };
}

export function actionItems({ state, project, mayEdit, reloadState }: PageProps): readonly PaletteItem[] {
  const said = (request: Promise<void>): void =>
    void request.catch((reason: unknown) => say(messageOf(reason)));
  return group('Actions', [
    mayEdit && ['Create check', 'plus', () => go(addressOf(project, 'new')), 'new add'],
    mayEdit && [
      'Paste a crontab',
      'plus',
      () => go(addressOf(project, 'new', crontabPage)),
      'new create import cron checks',
    ],
    mayEdit && [
      'Add integration',
      'plus',
      () => go(addressOf(project, 'integrations', 'new')),
      'new create notification channel',
    ],
    state.user?.role === 'owner' && [
      'New project',
      'plus',
      () => go(fromRoot(`${projectsPath}?new=1`)),
      'create add',
    ],
    ...themes.map(
      ([theme]): Entry => [
        `Colours: ${theme}`,
        'moon',
        () => said(chooseTheme(theme).then(reloadState)),
        'theme mode colors',
      ],
    ),
    !state.byProxy && ['Sign out', 'right', () => said(signOut()), 'log out'],
  ]);
}

export function projectItems({ state }: PageProps): readonly PaletteItem[] {
  return state.projects.map(({ id, name }) => ({
    ...{ id: `palette-project-${id}`, group: 'Projects', words: name, note: '', aliases: 'project' },
    picture: { icon: 'grid' } as const,
    run: () => go(addressOf(id, 'checks')),
  }));
}

/** Returns the actions that the buttons of the check's page have. */
export function checkItems(row: CheckRow, { project, state }: PageProps): readonly PaletteItem[] {
  const isPaused = row.status === 'paused';
  const isSnoozed = row.snoozedUntilMs !== null;
  return group(nameOf(row), [
    row.status === 'down' &&
      row.acknowledged === null && ['Acknowledge', 'acknowledge', () => void acknowledge(project, row)],
    row.acknowledged !== null && [
      'Withdraw acknowledgement',
      'acknowledge',
      () => void unacknowledge(project, row, state.user?.name ?? ''),
    ],
    ...(isPaused || isSnoozed
      ? []
      : snoozes().map(
          (choice): Entry => [
            choice.words,
            'moon',
            () => void snooze(project, row, choice),
            'silence mute quiet',
          ],
        )),
    isSnoozed && ['End the snooze', 'bell', () => void unsnooze(project, row)],
    ['Ping now', 'bolt', () => void pingNow(project, row), 'send success mark as up'],
    isPaused
      ? ['Resume', 'play', () => void setPaused(project, [row], false)]
      : ['Pause', 'pause', () => void setPaused(project, [row], true)],
    ['Copy ping URL', 'link', () => copyUrl(`${state.baseUrl}/ping/${row.id}`), 'address'],
    [
      'Edit',
      'pencil',
      () => go(`${addressOf(project, 'checks', row.id)}?edit=`),
      'change schedule grace tags',
    ],
    ['Clone', 'copy', () => go(addressOf(project, 'new', row.id)), 'copy'],
    state.projects.some(({ id, role }) => id !== project && role !== 'viewer') && [
      'Move to…',
      'right',
      () => go(`${addressOf(project, 'checks', row.id)}?ask=move`),
      'another project',
    ],
    ['Delete…', 'trash', () => go(`${addressOf(project, 'checks', row.id)}?ask=delete`), 'remove'],
  ]);
}

/** Returns the item of a check, which names the project if there are several. */
export function foundItem(found: FoundCheckView, { state }: PageProps): PaletteItem {
  const { id, name, status, isWaiting, tags, project, projectName } = found;
  const where = state.projects.length > 1 ? [projectName] : [];
  return {
    id: `palette-check-${id}`,
    group: 'Checks',
    words: nameOf({ name, slug: '' }),
    note: [isWaiting ? waitingWords : shownWords[status], ...where].join(' · '),
    picture: { mark: status },
    aliases: [...tags, projectName].join(' '),
    run: () => go(addressOf(project, 'checks', id)),
  };
}

/** Returns the items of what was found in outputs, and one with which to search further back. */
export function outputItems(
  found: FoundOutputs,
  { state, project }: PageProps,
  nowMs: number,
): readonly PaletteItem[] {
  const { hits, next, backToMs, isSearching, goOn } = found;
  const here = state.projects.length > 1 ? state.projects.find(({ id }) => id === project) : undefined;
  const group = here ? `Outputs in ${here.name}` : 'Outputs';
  const items = hits.map((hit): PaletteItem => {
    const { uuid, unique_key, name, n, date, type, excerpt, marks, line, scheme } = hit;
    const id = uuid ?? unique_key ?? '';
    const atMs = Date.parse(date);
    // The text of a mail is not counted in the lines that its output shows.
    const place = scheme === 'email' ? `${n}` : `${n}-${line}`;
    return {
      ...{ id: `palette-output-${id}-${n}`, group, words: excerpt, marks, aliases: '' },
      note: [name || 'unnamed', typeWords[type], momentWords(atMs, nowMs)].join(' · '),
      picture: { icon: scheme === 'email' ? 'mail' : 'terminal' },
      run: () => go(`${addressOf(project, 'checks', id)}?at=${atMs}#output-${place}`),
    };
  });
  if (next === null || isSearching) return items;
  const back = backToMs === null ? '' : `searched back to ${momentWords(backToMs, nowMs)}`;
  const more: PaletteItem = {
    ...{ id: 'palette-outputs-more', group, words: 'Search older outputs', note: back, aliases: '' },
    ...{ picture: { icon: 'clock' }, staysOpen: true, run: goOn },
  };
  return [...items, more];
}

const typeWords: Readonly<Record<FoundOutputAnswer['type'], string>> = {
  success: 'succeeded',
  start: 'started',
  fail: 'failed',
  log: 'log entry',
  ign: 'ignored',
  warn: 'warning',
  alive: 'alive',
};

/** Returns the items that have each word of `text`. */
export function matching(items: readonly PaletteItem[], text: string): readonly PaletteItem[] {
  const words = searchWords(text, text.length);
  return items.filter(({ words: own, aliases }) => hasWords(foldCase(`${own}\n${aliases}`), words));
}

/** Kinds of integrations that can be added. */
export const newIntegrations = 'Add an integration';

/** What has exactly the searched name comes first, with what else is in its group; a kind that can be added is nothing that is there. */
export function exactFirst(text: string, items: readonly PaletteItem[]): readonly PaletteItem[] {
  const words = searchWords(text, text.length);
  const exact = items.filter(
    (item) => !item.marks && item.group !== newIntegrations && matchRank(foldCase(item.words), words) === 0,
  );
  return [...exact, ...items.filter((item) => !exact.includes(item))];
}
