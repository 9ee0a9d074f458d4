/** The page as a whole: who am I, which project, which page. */

import { useEffect, useState } from 'preact/hooks';
import type { PageState, ProjectView } from '../domain/page-view.ts';
import { Badges } from './badges-page.tsx';
import { fromRoot } from './base-path.ts';
import { Problem } from './bits.tsx';
import { CheckPage } from './check-page.tsx';
import { ChecksPage } from './checks-page.tsx';
import { sessionEnded, setCsrf, useAsk } from './door.ts';
import { Header } from './header.tsx';
import { Integrations } from './integrations-page.tsx';
import { useLiveRows } from './live-rows.ts';
import { NewCheck } from './new-check.tsx';
import type { PageProps } from './page-props.ts';
import { addressOf, followLink, go, type PageRoute, signInFirst, useRoute } from './route.ts';
import { Settings } from './settings-page.tsx';
import { SetPassword, SignIn } from './sign-in.tsx';
import { useTab } from './tab.ts';
import { Unconfigured } from './unconfigured.tsx';
import { useFocus } from './use-focus.ts';

const lastProject = 'knell.project';

export function App() {
  const route = useRoute();
  const { data: state, error, reload } = useAsk<PageState>('/web/state');
  if (state) setCsrf(state.csrf);
  const project = projectOf(route, state);
  useEffect(() => {
    addEventListener('click', followLink);
    return () => removeEventListener('click', followLink);
  }, []);
  useEffect(() => {
    addEventListener(sessionEnded, reload);
    return () => removeEventListener(sessionEnded, reload);
  }, [reload]);
  useEffect(() => {
    if (!state) return;
    if (!state.user && route.at !== 'set-password' && route.at !== 'sign-in') signInFirst();
    if (state.user && (route.at === 'start' || route.at === 'sign-in') && project)
      go(addressOf(project, 'checks'));
  });
  if (!state) return <main class="lone">{error ? <Problem text={error} /> : null}</main>;
  if (route.at === 'set-password') return <SetPassword fresh={state.fresh} />;
  if (!state.user) return <SignIn fresh={state.fresh} />;
  if (!('project' in route)) return <Nowhere />;
  return <InProject state={state} route={route} reload={reload} />;
}

function projectOf(route: PageRoute, state: PageState | null): string {
  const projects = state?.projects ?? [];
  const wanted = 'project' in route ? route.project : localStorage.getItem(lastProject);
  return (projects.find(({ id }) => id === wanted) ?? projects[0])?.id ?? '';
}

function Nowhere() {
  return (
    <main class="lone">
      <h1>Page not found</h1>
      <p>
        This page does not exist. <a href={fromRoot('/')}>Back to all checks</a>
      </p>
    </main>
  );
}

function NoSuchProject({ projects }: { readonly projects: readonly ProjectView[] }) {
  useTab(null, 'Project not found');
  return (
    <main class="lone" id="main" tabIndex={-1}>
      <h1>Project not found</h1>
      <p role="alert">This project was deleted or the link is wrong.</p>
      <p>Your projects:</p>
      <ul>
        {projects.map(({ id, name }) => (
          <li key={id}>
            <a href={addressOf(id, 'checks')}>{name}</a>
          </li>
        ))}
      </ul>
    </main>
  );
}

type ProjectRoute = Extract<PageRoute, { project: string }>;

function InProject({ state, route, reload }: { state: PageState; route: ProjectRoute; reload: () => void }) {
  const { project } = route;
  // Once: the difference grows by a millisecond with every look, and with another one all would be read anew.
  const [offsetMs] = useState(() => state.nowMs - Date.now());
  const known = state.projects.some(({ id }) => id === project);
  const live = useLiveRows({ project: known ? project : '', csrf: state.csrf, offsetMs, gone: reload });
  useEffect(() => localStorage.setItem(lastProject, project), [project]);
  useFocus(`${known} ${route.at} ${'id' in route ? route.id : ''}`);
  if (!known) return <NoSuchProject projects={state.projects} />;
  const mayEdit = state.user?.role !== 'viewer';
  const props: PageProps = { state, project, live, mayEdit, reloadState: reload };
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Header {...props} route={route} />
      <main id="main" tabIndex={-1}>
        <Problem text={live.error} />
        <Unconfigured state={state} project={project} />
        <Page key={project} props={props} route={route} />
      </main>
    </>
  );
}

function Page({ props, route }: { props: PageProps; route: ProjectRoute }) {
  switch (route.at) {
    case 'checks':
      return <ChecksPage {...props} />;
    case 'check':
      return <CheckPage key={route.id} {...props} id={route.id} />;
    case 'new-check':
      return <NewCheck {...props} clone={route.clone} />;
    case 'integrations':
      return <Integrations {...props} />;
    case 'badges':
      return <Badges {...props} />;
    case 'settings':
      return <Settings {...props} />;
  }
}
