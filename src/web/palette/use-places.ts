/**
 * What the palette finds beside pages: integrations by name and kind, maintenance windows, kinds that can be added, and settings with
 * their place on a page.
 * Invariant: nothing is asked for before somebody types, and each once while the palette is open.
 */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { channelKinds } from '../../domain/accounts/project.ts';
import { projectFields } from '../../domain/accounts/project-fields.ts';
import type { ChannelListAnswer } from '../../domain/views/api-answers.ts';
import type { MaintenanceListAnswer } from '../../domain/views/maintenance-view.ts';
import type { ServerSettingsView } from '../../domain/views/page-view.ts';
import { kinds } from '../../integrations/all.ts';
import { fromRoot } from '../core/base-path.ts';
import { ask } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf, go, maintenanceAddress, settingAddress } from '../core/route.ts';
import { settingGroups } from '../integrations/setting-words.ts';
import { ruleWords, stateWords } from '../maintenance/maintenance-words.ts';
import { apiPath } from '../rows/api-check.ts';
import type { IconName } from '../ui/icons.tsx';
import { panelId } from '../ui/panel.tsx';
import { newIntegrations, type PaletteItem } from './palette-items.ts';

/** Returns all of them: those that fit what is typed are for the caller to choose. */
export function usePlaces(props: PageProps, isWanted: boolean): readonly PaletteItem[] {
  const { project, mayEdit, state } = props;
  const isOwner = state.user?.role === 'owner';
  const channels = useOnce<ChannelListAnswer>(isWanted && mayEdit ? apiPath(project, 'channels/') : null);
  const windows = useOnce<MaintenanceListAnswer>(
    isWanted && mayEdit ? apiPath(project, 'maintenance/') : null,
  );
  const server = useOnce<ServerSettingsView>(isWanted && isOwner ? '/web/server-settings' : null);
  return useMemo(
    () =>
      isWanted
        ? [
            ...integrationItems(props, channels?.channels ?? []),
            ...windowItems(props, windows?.maintenance ?? []),
            ...panelItems(props),
            ...serverItems(server?.settings ?? []),
            ...(mayEdit ? kindItems(props) : []),
          ]
        : [],
    [props.project, props.state, props.role, isWanted, channels, windows, server],
  );
}

/** Null until it is there, and where it cannot be had: the rest is found without it. */
function useOnce<Answer>(path: string | null): Answer | null {
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    if (path !== null) ask<Answer>(path).then(setAnswer, () => {});
  }, [path]);
  return answer;
}

interface Place {
  readonly group: string;
  readonly words: string;
  readonly note?: string;
  readonly icon: IconName;
  readonly aliases: string;
  readonly to: string;
}

function item({ group, words, note = '', icon, aliases, to }: Place): PaletteItem {
  const id = `palette-${group}-${to}`.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return { id, group, words, note, picture: { icon }, aliases, run: () => go(to) };
}

function integrationItems(
  { project }: PageProps,
  channels: ChannelListAnswer['channels'],
): readonly PaletteItem[] {
  return channels.map(({ id, name, kind }) => {
    const { form, icon } = kinds[kind];
    const to = addressOf(project, 'integrations', id);
    const note = name === '' ? '' : form.title;
    return item({
      ...{ group: 'Integrations', words: name || form.title, note, icon, to },
      aliases: `${form.title} ${kind} integration`,
    });
  });
}

function windowItems(
  { project }: PageProps,
  windows: MaintenanceListAnswer['maintenance'],
): readonly PaletteItem[] {
  return windows.map((window) => {
    // As on their page.
    const times = ruleWords(window) || stateWords(window, Date.now());
    return {
      ...item({
        ...{ group: 'Maintenance windows', words: window.name || times, icon: 'clock' },
        note: window.active ? 'on now' : times,
        ...{ aliases: 'maintenance window downtime silence quiet', to: maintenanceAddress(project) },
      }),
      id: `palette-window-${window.uuid}`,
    };
  });
}

function kindItems({ project }: PageProps): readonly PaletteItem[] {
  return channelKinds.map((kind) => {
    const { form, icon } = kinds[kind];
    const to = addressOf(project, 'integrations', `new/${kind}`);
    return item({
      ...{ group: newIntegrations, words: form.title, icon, to },
      aliases: `${kind} add new integration`,
    });
  });
}

/** The parts of the pages of settings, by the titles that they have there. */
function panelItems({ state, project, role }: PageProps): readonly PaletteItem[] {
  const part =
    (page: string, address: string) =>
    (title: string, aliases = ''): PaletteItem => {
      const to = `${address}#${panelId(title)}`;
      return item({ group: 'Settings', words: title, note: page, icon: 'gear', aliases, to });
    };
  const ofProject = part('Project settings', addressOf(project, 'settings'));
  const ofAccount = part('Account', fromRoot('/account'));
  const isOwner = role === 'owner';
  return [
    ofProject('Keys and links', 'api key ping key read-only read-write wall link token'),
    ofProject('Export', 'json download checks backup'),
    ...(isOwner
      ? [
          ofProject('Name', 'rename project'),
          ofProject(projectFields.retention.label, 'keep pings outputs history days'),
          ofProject('Hand over this project', 'owner transfer'),
          ofProject('Delete this project', 'remove'),
        ]
      : []),
    ofAccount('Profile', 'name time zone clock colours theme language preferences'),
    ...(state.byProxy
      ? []
      : [
          ofAccount('Password', 'change'),
          ofAccount('Two-factor sign-in', '2fa totp code'),
          ofAccount('Passkeys', 'webauthn security key'),
          ofAccount('Sessions', 'sign out devices'),
        ]),
    part('Reports', fromRoot('/reports'))('Delivery', 'report mail weekly monthly daily'),
  ];
}

function serverItems(settings: ServerSettingsView['settings']): readonly PaletteItem[] {
  return settingGroups(settings, '').flatMap(({ title, settings: named }) =>
    named.map(({ name, setting: { variable } }) =>
      item({
        ...{ group: 'Server settings', words: name, note: variable, icon: 'gear' },
        aliases: `${title} ${variable} ${variable.replaceAll('_', ' ')}`,
        to: settingAddress(variable),
      }),
    ),
  );
}
