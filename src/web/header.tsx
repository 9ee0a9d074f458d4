/**
 * The top of every page: the project, the pages, whether what is shown is live, and the user. On a phone the pages are at the
 * lower edge.
 */
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { initials } from '../domain/words/initials.ts';
import { useStepped } from './account/stepped-choice.ts';
import { fromRoot } from './core/base-path.ts';
import { messageOf } from './core/calls.ts';
import type { Live } from './core/live.ts';
import type { PageProps } from './core/page-props.ts';
import {
  addressOf,
  go,
  maintenanceAddress,
  type PageName,
  type PageRoute,
  pages,
  projectsPath,
  serverPath,
  wallAddress,
} from './core/route.ts';
import { chooseTheme, signOut } from './core/session.ts';
import { theme, themes } from './core/theme.ts';
import { exactClock } from './core/words.ts';
import { openPalette } from './palette/palette.tsx';
import { Problem } from './ui/bits.tsx';
import { Icon, type IconName, Logo } from './ui/icons.tsx';
import { Menu, MenuItem } from './ui/menu.tsx';
import { useLongLost } from './ui/stale.tsx';

const titles: Readonly<Record<PageName, readonly [title: string, icon: IconName]>> = {
  checks: ['Checks', 'list'],
  incidents: ['Incidents', 'incident'],
  integrations: ['Integrations', 'hook'],
  'status-pages': ['Status', 'pulse'],
  badges: ['Badges', 'badge'],
  settings: ['Settings', 'gear'],
};

/** The page in the header that is marked for pages that have no link of their own. */
const pageOf: Readonly<Partial<Record<PageRoute['at'], PageName>>> = {
  check: 'checks',
  'new-check': 'checks',
  crontab: 'checks',
  incident: 'incidents',
  integration: 'integrations',
  'new-integration': 'integrations',
  audit: 'settings',
  maintenance: 'settings',
  members: 'settings',
  server: 'settings',
};

/** Viewers do not see the status pages: these show which checks are behind a service. */
function shownPages(mayEdit: boolean): readonly PageName[] {
  return pages.filter((page) => mayEdit || page !== 'status-pages');
}

interface HeaderProps extends PageProps {
  readonly route: PageRoute;
  /** Whether the session is over. */
  readonly isOver: boolean;
}

export function Header({ state, project, live, mayEdit, route, reloadState, isOver }: HeaderProps) {
  const here = pageOf[route.at] ?? route.at;
  const isOfNone = route.at === 'projects' || route.at === 'no-project';
  return (
    <header class="top">
      <div>
        <a class="brand" href={addressOf(project, 'checks')} aria-label="Knell">
          <Logo />
          <span>Knell</span>
        </a>
        {state.projects.length > 1 && <Projects projects={state.projects} here={isOfNone ? '' : project} />}
        <nav aria-label="Pages">
          {isOfNone ? (
            <PagesOfNone isHere={route.at === 'projects'} />
          ) : (
            <PagesOfProject {...{ project, here, mayEdit }} />
          )}
        </nav>
        <SearchBox />
        <Connection {...{ live, isOver }} />
        <Self state={state} at={route.at} reloadState={reloadState} />
      </div>
    </header>
  );
}

interface ProjectsProps {
  readonly projects: HeaderProps['state']['projects'];
  /** Empty for none. */
  readonly here: string;
}

function Projects({ projects, here }: ProjectsProps) {
  const open = async (id: string): Promise<boolean> => {
    go(id === '' ? fromRoot(projectsPath) : addressOf(id, 'checks'));
    // Where what is not saved keeps its page, the select goes back to it.
    return false;
  };
  return (
    <select
      class="projects"
      aria-label="Project"
      title="By keyboard, Enter opens a project"
      {...useStepped(here, open)}
    >
      <option value="">All projects</option>
      {projects.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

interface PagesProps {
  readonly project: string;
  readonly here: string;
  readonly mayEdit: boolean;
}

function PagesOfProject({ project, here, mayEdit }: PagesProps) {
  return (
    <>
      {shownPages(mayEdit).map((page) => (
        <Fragment key={page}>
          {page === 'settings' && (
            <a class="own" href={fromRoot('/reports')} aria-current={here === 'reports' ? 'page' : undefined}>
              Reports
            </a>
          )}
          <a
            class={inMore.has(page) ? 'wide' : undefined}
            href={addressOf(project, page)}
            aria-current={here === page ? 'page' : undefined}
          >
            <Icon name={titles[page][1]} size={20} />
            {titles[page][0]}
            {page === 'status-pages' && <span class="rest"> pages</span>}
          </a>
        </Fragment>
      ))}
      <More {...{ project, here, mayEdit }} />
    </>
  );
}

/** On the page of all projects, and where one is not found: links to the pages of one would not say of which. */
function PagesOfNone({ isHere }: { readonly isHere: boolean }) {
  return (
    <>
      <a href={fromRoot(projectsPath)} aria-current={isHere ? 'page' : undefined}>
        <Icon name="grid" size={20} />
        Projects
      </a>
      <a href={fromRoot('/reports')}>
        <Icon name="mail" size={20} />
        Reports
      </a>
    </>
  );
}

/** Opens the palette. It looks like a field, and where there is no space for that it is a picture. */
function SearchBox() {
  return (
    <button type="button" class="search-box" aria-keyshortcuts="Control+K" onClick={openPalette}>
      <Icon name="search" />
      <span class="label">Search</span>
      <span class="hidden"> pages, checks and outputs</span>
      <span class="keys" aria-hidden="true">
        <kbd>Ctrl K</kbd>
      </span>
    </button>
  );
}

/** The pages that are in the menu of a phone, where five links are too many for a thumb. */
const inMore: ReadonlySet<string> = new Set<PageName>(['status-pages', 'badges', 'settings']);

function More({ project, here, mayEdit }: PagesProps) {
  const isHere = inMore.has(here) || here === 'reports';
  return (
    <Menu
      class={isHere ? 'more here' : 'more'}
      isRight
      label={
        <>
          <Icon name="more" size={20} />
          More
        </>
      }
    >
      {shownPages(mayEdit)
        .filter((page) => inMore.has(page))
        .map((page) => (
          <a
            key={page}
            role="menuitem"
            href={addressOf(project, page)}
            aria-current={here === page ? 'page' : undefined}
          >
            {page === 'status-pages' ? 'Status pages' : titles[page][0]}
          </a>
        ))}
      {mayEdit && (
        <a role="menuitem" href={maintenanceAddress(project)}>
          Maintenance
        </a>
      )}
      <a role="menuitem" href={fromRoot('/reports')} aria-current={here === 'reports' ? 'page' : undefined}>
        Reports
      </a>
      <a role="menuitem" href={wallAddress(project)}>
        Wall view
      </a>
      <a role="menuitem" href={fromRoot('/docs/')} target="_self">
        Manual
      </a>
    </Menu>
  );
}

function Connection({ live, isOver }: { readonly live: Live; readonly isOver: boolean }) {
  const { connected, lostAtMs } = live;
  const isLongLost = useLongLost(live) !== null;
  // The server is there: nothing is wrong with the connection.
  if (isOver)
    return (
      <span class="connection offline" role="status">
        Signed out
      </span>
    );
  if (connected)
    return (
      <span class="connection on" role="status">
        Live
      </span>
    );
  if (lostAtMs === null)
    return (
      <span class="connection" role="status">
        Connecting…
      </span>
    );
  const isOffline = !navigator.onLine || isLongLost;
  return (
    <span class={`connection ${isOffline ? 'offline' : 'lost'}`} role="status">
      {isOffline ? (
        <>
          Offline<span class="since">, data from {exactClock(lostAtMs)}</span>
        </>
      ) : (
        'Reconnecting…'
      )}
    </span>
  );
}

type SelfProps = Pick<PageProps, 'state' | 'reloadState'> & Pick<PageRoute, 'at'>;

function Self({ state, at, reloadState }: SelfProps) {
  const [error, setError] = useState('');
  const chosen = state.user?.preferences.theme ?? theme();
  const said = (request: Promise<void>): void => {
    request.catch((reason: unknown) => setError(messageOf(reason)));
  };
  const name = state.user?.name ?? '';
  return (
    <>
      <Menu
        class="symbol"
        label={<span class="avatar">{initials(name)}</span>}
        name={`${initials(name)}: account of ${name}`}
        isRight
      >
        <p class="faint">
          Signed in as <strong>{name}</strong>
        </p>
        {selfPages
          .filter(({ isForOwners }) => !isForOwners || state.user?.role === 'owner')
          .map((page) => (
            <a
              key={page.at}
              role="menuitem"
              href={fromRoot(page.path)}
              aria-current={page.at === at ? 'page' : undefined}
            >
              {page.title}
            </a>
          ))}
        <a role="menuitem" href={fromRoot('/docs/')} target="_self">
          Manual
        </a>
        <hr />
        <p class="faint" id="colours">
          Colours
        </p>
        <div role="group" aria-labelledby="colours">
          {themes.map(([value, words]) => (
            <MenuItem
              key={value}
              isChosen={value === chosen}
              run={() => said(chooseTheme(value).then(reloadState))}
            >
              {words}
              {value === chosen && <Icon name="check" />}
            </MenuItem>
          ))}
        </div>
        {!state.byProxy && (
          <>
            <hr />
            <MenuItem run={() => said(signOut())}>Sign out</MenuItem>
          </>
        )}
      </Menu>
      <Problem text={error} />
    </>
  );
}

interface SelfPage extends Pick<PageRoute, 'at'> {
  readonly path: string;
  readonly title: string;
  readonly isForOwners?: boolean;
}

/** Pages that belong to no project. */
const selfPages: readonly SelfPage[] = [
  { at: 'projects', path: projectsPath, title: 'All projects' },
  { at: 'account', path: '/account', title: 'Account' },
  { at: 'reports', path: '/reports', title: 'Reports' },
  { at: 'audit', path: '/audit', title: 'Audit log', isForOwners: true },
  { at: 'server', path: serverPath, title: 'Server settings', isForOwners: true },
];
