/** The head of the places of settings: a project, its maintenance, who may see it, the server. Each is shown to those who may enter it. */
import { fromRoot } from '../core/base-path.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf, maintenanceAddress, membersAddress, serverPath } from '../core/route.ts';

type Place = 'project' | 'maintenance' | 'members' | 'server';

interface HeadProps extends Pick<PageProps, 'state' | 'project' | 'role'> {
  readonly at: Place;
}

export function SettingsHead({ at, state, project, role }: HeadProps) {
  const places: readonly (readonly [place: Place, title: string, address: string, isShown: boolean])[] = [
    ['project', 'Project', addressOf(project, 'settings'), true],
    ['maintenance', 'Maintenance', maintenanceAddress(project), role !== 'viewer'],
    ['members', 'Members', membersAddress(project), role === 'owner'],
    ['server', 'Server', fromRoot(serverPath), state.user?.role === 'owner'],
  ];
  const shown = places.filter(([, , , isShown]) => isShown);
  return (
    <>
      <h1>Settings</h1>
      {shown.length > 1 && (
        <nav class="places" aria-label="Settings">
          {shown.map(([place, title, address]) => (
            <a key={place} href={address} aria-current={place === at ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
      )}
    </>
  );
}
