/** The top of every page: the project, the navigation, and signing out. */

import { useState } from 'preact/hooks';
import { fromRoot } from './base-path.ts';
import { Problem } from './bits.tsx';
import { messageOf, send } from './door.ts';
import type { PageProps } from './page-props.ts';
import { addressOf, go, type PageRoute, pages } from './route.ts';

const titles = {
  checks: 'Checks',
  integrations: 'Integrations',
  badges: 'Badges',
  settings: 'Settings',
} as const;

export function Header({ state, project, live, route }: PageProps & { readonly route: PageRoute }) {
  const [error, setError] = useState('');
  const here = route.at === 'check' || route.at === 'new-check' ? 'checks' : route.at;
  const signOut = (): void => {
    send('POST', '/web/sign-out').then(
      () => location.assign(fromRoot('/sign-in')),
      (reason: unknown) => setError(messageOf(reason)),
    );
  };
  return (
    <header class="top">
      <a class="name" href={addressOf(project, 'checks')}>
        Knell
      </a>
      {state.projects.length > 1 && (
        <select
          aria-label="Project"
          value={project}
          onChange={(event) => go(addressOf(event.currentTarget.value, 'checks'))}
        >
          {state.projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      <nav aria-label="Pages">
        {pages.map((page) => (
          <a key={page} href={addressOf(project, page)} aria-current={here === page ? 'page' : undefined}>
            {titles[page]}
          </a>
        ))}
      </nav>
      <span class={`connection ${live.connected ? 'on' : live.lost ? 'lost' : 'off'}`} role="status">
        {live.connected ? 'Live' : live.lost ? 'Reconnecting…' : 'Connecting…'}
      </span>
      {!state.byProxy && (
        <button type="button" class="quiet" onClick={signOut}>
          Sign out
        </button>
      )}
      <Problem text={error} />
    </header>
  );
}
