/** The page as a whole: it decides who is signed in, which project is shown and which page. */

import { useEffect, useState } from 'preact/hooks';
import type { Preferences } from '../domain/accounts/preferences.ts';
import type { PageState, ProjectView, SummaryView } from '../domain/views/page-view.ts';
import { Questions } from './actions/mark-up.tsx';
import { fromRoot } from './core/base-path.ts';
import { ask, messageOf, sessionEnded, setCsrf, useAsk } from './core/calls.ts';
import { type Live, useLive } from './core/live.ts';
import type { PageProps } from './core/page-props.ts';
import {
  addressOf,
  followLink,
  goInstead,
  type PageRoute,
  pages,
  projectsPath,
  replacePath,
  signInFirst,
  takeWanted,
  useRoute,
  useSearch,
} from './core/route.ts';
import { signOut } from './core/session.ts';
import { useTab } from './core/tab.ts';
import { setTheme, theme } from './core/theme.ts';
import { setTimeStyle } from './core/time-style.ts';
import { useFocus } from './core/use-focus.ts';
import { Header } from './header.tsx';
import { Failing } from './integrations/failing.tsx';
import { Unconfigured } from './integrations/unconfigured.tsx';
import { ChecksPage } from './list/checks-page.tsx';
import { Palette } from './palette/palette.tsx';
import { Offers } from './projects/offers.tsx';
import { rememberedEndpoint } from './push/remembered.ts';
import { SignedOut, useKept } from './signed-out.tsx';
import { Act, NotLoaded, Problem } from './ui/bits.tsx';
import { Lazy } from './ui/lazy.tsx';
import { NotFound } from './ui/not-found.tsx';
import { useNewCheckKey, useSubmitKey } from './ui/shortcuts.tsx';
import type { KeysOf } from './ui/shortcuts-dialog.tsx';
import { Shortcuts } from './ui/shortcuts-shown.tsx';
import { Stale } from './ui/stale.tsx';
import { say, Toasts } from './ui/toasts.tsx';
import { LeaveQuestion } from './ui/unchanged.tsx';

const lastProject = 'knell.project';

export function App() {
  const route = useRoute();
  const { data: answer, error, reload } = useAsk<PageState>('/web/state');
  const { state, isOver } = useKept(answer, reload);
  if (state) setCsrf(state.csrf);
  // This runs before what is below is rendered, which puts times into words.
  if (state?.user) applyPreferences(state.user.preferences);
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
    if (!state.user && !isOpen(route)) signInFirst();
    if (state.user && (route.at === 'start' || route.at === 'sign-in') && project)
      goInstead(takeWanted() ?? addressOf(project, 'checks'));
    const bare = pages.find((one) => one === route.at);
    if (!state.user || !bare || !project || !('project' in route)) return;
    // An address that names only a project is that of its checks.
    const isShort = route.project === '' || (bare === 'checks' && route.project === project);
    if (isShort && location.pathname !== addressOf(project, bare)) replacePath(addressOf(project, bare));
  });
  if (route.at === 'wall' && (state?.user || hasWallKey()))
    return <Lazy key={route.project} load={loadWall} props={{ project: route.project }} />;
  if (!state)
    return (
      <main class="lone">
        <NotLoaded text={error} />
      </main>
    );
  if (route.at === 'set-password')
    return (
      <Lazy
        key="password"
        load={loadSetPassword}
        props={{ fresh: state.fresh, sendsMail: state.sendsMail }}
      />
    );
  if (!state.user)
    return (
      <Lazy key="sign-in" load={loadSignIn} props={{ ...state, fresh: state.fresh && state.noPasswords }} />
    );
  if (state.projects.length === 0) return <NoProjects state={state} />;
  // Signing in is over, so the page goes on to where the user wanted to be.
  if (!('project' in route) || route.at === 'wall') return null;
  const isNone = route.project !== '' && route.project !== project;
  const within: ProjectRoute = isNone ? { at: 'no-project', project } : { ...route, project };
  return <InProject {...{ state, reload, isOver }} route={within} />;
}

function isOpen({ at }: PageRoute): boolean {
  return at === 'set-password' || at === 'sign-in' || (at === 'wall' && hasWallKey());
}

/** Whether the address has the key of a wall link. */
function hasWallKey(): boolean {
  return location.hash.length > 1;
}

/** The theme is kept in this browser too, for the moment before the server has answered. */
function applyPreferences(chosen: Preferences): void {
  setTimeStyle(chosen);
  if (theme() !== chosen.theme) setTheme(chosen.theme);
}

function projectOf(route: PageRoute, state: PageState | null): string {
  const projects = state?.projects ?? [];
  const named = 'project' in route ? route.project : '';
  const wanted = named === '' ? localStorage.getItem(lastProject) : named;
  return (projects.find(({ id }) => id === wanted) ?? projects[0])?.id ?? '';
}

/** The page of an unknown address. It has the header, so that everything else can be reached. */
function Nowhere({ project }: PageProps) {
  useTab(null, 'Page not found');
  return (
    <NotFound title="Page not found" why="The address is wrong, or the page was moved or deleted.">
      <a class="button main" href={addressOf(project, 'checks')}>
        All checks
      </a>
      <a class="button" href={fromRoot('/docs/')}>
        Manual
      </a>
    </NotFound>
  );
}

/** The page of a member to whom nobody has given a project yet. */
function NoProjects({ state }: { readonly state: PageState }) {
  const [failed, setFailed] = useState('');
  useTab(null, 'No projects');
  return (
    <main class="lone" id="main" tabIndex={-1}>
      <h1>No projects</h1>
      <p>
        You are signed in as <strong>{state.user?.name}</strong>, and have no access to any project yet. Ask
        an owner to add you to one, and then load this page again.
      </p>
      <Problem text={failed} />
      {!state.byProxy && (
        <Act run={signOut} failed={setFailed}>
          Sign out
        </Act>
      )}
      <Lazy load={loadClosing} props={{}} />
    </main>
  );
}

/** Projects that are offered in place of one that there is not; the others are on the page of all. */
const offeredMax = 3;

function NoSuchProject({ projects }: { readonly projects: readonly ProjectView[] }) {
  useTab(null, 'Project not found');
  return (
    <NotFound
      title="Project not found"
      why="This project was deleted, the link is wrong, or you have no access to it."
    >
      <a class="button main" href={fromRoot(projectsPath)}>
        All projects
      </a>
      {projects.slice(0, offeredMax).map(({ id, name }) => (
        <a key={id} class="button" href={addressOf(id, 'checks')}>
          {name}
        </a>
      ))}
    </NotFound>
  );
}

/** The pages that show much side by side and need the width. */
const wide: ReadonlySet<string> = new Set(['checks', 'check', 'projects', 'integrations']);

/** The class of its width, before the page itself has come: what is above it does not move then. */
function widthOf({ at }: ProjectRoute): string {
  if (at === 'new-check') return 'form';
  return wide.has(at) ? '' : 'narrow';
}

type ProjectRoute = Exclude<Extract<PageRoute, { project: string }>, { at: 'wall' }>;

/** Which keys count: the form of a check has those of every page. */
function keysOf({ at }: ProjectRoute): KeysOf {
  if (at === 'checks') return 'list';
  if (at === 'incidents') return 'incidents';
  return at === 'check' && !new URLSearchParams(location.search).has('edit') ? 'check' : 'other';
}

/** Renews the subscription of this browser to alerts, if it has one: what does that is loaded only then. */
function repairAlerts(): void {
  if (rememberedEndpoint() === null) return;
  import('./push/subscription.ts')
    .then(({ repairSubscription }) => repairSubscription())
    .catch((reason: unknown) => say(`This browser may get no alerts: ${messageOf(reason)}`));
}

interface InProjectProps {
  readonly state: PageState;
  readonly route: ProjectRoute;
  readonly reload: () => void;
  /** Whether the session is over, and the page stays for what is not saved. */
  readonly isOver: boolean;
}

function InProject({ state, route, reload, isOver }: InProjectProps) {
  const { project } = route;
  // The offset is taken once: it grows by a millisecond with every look, and each new value would have everything read again.
  const [offsetMs] = useState(() => state.nowMs - Date.now());
  // The project is always found: `App` has looked for it.
  const role = state.projects.find(({ id }) => id === project)?.role ?? 'viewer';
  const live = useLive({ project, csrf: state.csrf, offsetMs, gone: reload });
  useSummary(project, live, route.at !== 'checks');
  useEffect(() => localStorage.setItem(lastProject, project), [project]);
  useEffect(repairAlerts, []);
  useNewCheckKey(project, role !== 'viewer');
  useSubmitKey();
  useFocus(`${route.at} ${'id' in route ? route.id : ''}${'kind' in route ? route.kind : ''}`);
  const props: PageProps = { state, project, live, role, mayEdit: role !== 'viewer', reloadState: reload };
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Header {...props} {...{ route, isOver }} />
      <main id="main" tabIndex={-1} class={widthOf(route)}>
        {!isOver && <Stale live={live} />}
        <Offers state={state} reloadState={reload} />
        {/* Of another project nothing is said; the list has it among its own. */}
        {route.at !== 'no-project' && route.at !== 'checks' && (
          <div class="banners">
            <Broken {...{ state, project, route }} reloadState={reload} />
          </div>
        )}
        <Page key={project} props={props} route={route} />
      </main>
      <Toasts />
      <Questions />
      <LeaveQuestion />
      <SignedOut isOver={isOver} />
      <Shortcuts of={keysOf(route)} mayEdit={props.mayEdit} />
      <Palette {...props} check={route.at === 'check' ? route.id : ''} />
    </>
  );
}

/** What the page says of integrations that notify nobody. */
function Broken({
  route,
  ...props
}: Pick<PageProps, 'state' | 'project' | 'reloadState'> & { readonly route: ProjectRoute }) {
  // The other view of the page, the matrix, has no space for it.
  const isMatrix = new URLSearchParams(useSearch()).get('view') === 'matrix';
  const isShownBelow = route.at === 'projects' || (route.at === 'integrations' && !isMatrix);
  return (
    <>
      <Failing {...props} isShownBelow={isShownBelow} />
      <Unconfigured {...props} isShownBelow={isShownBelow} />
    </>
  );
}

// The list comes with the page; each other page is loaded when somebody opens it.
const loadSignIn = () => import('./account/sign-in.tsx').then(({ SignIn }) => SignIn);
const loadSetPassword = () => import('./account/sign-in.tsx').then(({ SetPassword }) => SetPassword);
const loadCheck = () => import('./check/check-page.tsx').then(({ CheckPage }) => CheckPage);
const loadNew = () => import('./form/new-check.tsx').then(({ NewCheck }) => NewCheck);
const loadCrontab = () => import('./form/crontab-page.tsx').then(({ CrontabPage }) => CrontabPage);
const loadIncidents = () => import('./incidents/incidents-page.tsx').then(({ Incidents }) => Incidents);
const loadIncident = () => import('./incidents/incident-page.tsx').then(({ IncidentPage }) => IncidentPage);
const loadIntegrations = () =>
  import('./integrations/integrations-page.tsx').then(({ Integrations }) => Integrations);
const loadNewIntegration = () =>
  import('./integrations/new-integration.tsx').then(({ NewIntegration }) => NewIntegration);
const loadFilled = () => import('./integrations/vendors/fill.tsx').then(({ FilledPage }) => FilledPage);
const loadIntegration = () =>
  import('./integrations/edit-integration.tsx').then(({ EditIntegration }) => EditIntegration);
const loadBadges = () => import('./badges/badges-page.tsx').then(({ Badges }) => Badges);
const loadStatusPages = () =>
  import('./status-pages/status-pages-page.tsx').then(({ StatusPages }) => StatusPages);
const loadProjects = () => import('./projects/projects-page.tsx').then(({ Projects }) => Projects);
const loadWall = () => import('./list/wall-page.tsx').then(({ Wall }) => Wall);
const loadServer = () => import('./settings/server-page.tsx').then(({ ServerSettings }) => ServerSettings);
const loadSettings = () => import('./settings/settings-page.tsx').then(({ Settings }) => Settings);

const loadMaintenance = () =>
  import('./maintenance/maintenance-page.tsx').then(({ Maintenance }) => Maintenance);
const loadMembers = () => import('./settings/members-page.tsx').then(({ MembersPage }) => MembersPage);
const loadAccount = () => import('./account/account-page.tsx').then(({ Account }) => Account);
const loadClosing = () =>
  import('./account/close-account.tsx').then(({ CloseOwnAccount }) => CloseOwnAccount);
const loadReports = () => import('./settings/reports-page.tsx').then(({ Reports }) => Reports);
const loadAudit = () => import('./settings/audit-page.tsx').then(({ AuditLog }) => AuditLog);

/** Asks for the counts that the tab shows of the project; the list has them from its own answer. */
function useSummary(project: string, { version, learn }: Live, isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted || version === 0) return;
    ask<SummaryView>(`/web/in/${project}/summary`).then(
      ({ summary }) => learn(summary),
      () => {},
    );
  }, [project, version, learn, isWanted]);
}

function Page({ props, route }: { props: PageProps; route: ProjectRoute }) {
  switch (route.at) {
    case 'nowhere':
      return <Nowhere {...props} />;
    case 'no-project':
      return <NoSuchProject projects={props.state.projects} />;
    case 'checks':
      return <ChecksPage {...props} broken={<Broken {...props} route={route} />} />;
    case 'check':
      return <Lazy key={route.id} load={loadCheck} props={{ ...props, id: route.id }} />;
    case 'new-check':
      return <Lazy key="new" load={loadNew} props={{ ...props, clone: route.clone }} />;
    case 'crontab':
      return <Lazy key="crontab" load={loadCrontab} props={props} />;
    case 'incidents':
      return <Lazy key="incidents" load={loadIncidents} props={props} />;
    case 'incident':
      return <Lazy key={route.id} load={loadIncident} props={{ ...props, id: route.id }} />;
    case 'integrations':
      return <Lazy key="integrations" load={loadIntegrations} props={props} />;
    case 'new-integration':
      return (
        <Lazy key={`new ${route.kind}`} load={loadNewIntegration} props={{ ...props, kind: route.kind }} />
      );
    case 'filled':
      return <Lazy key="filled" load={loadFilled} props={{ ...props, kind: route.kind }} />;
    case 'integration':
      return <Lazy key={route.id} load={loadIntegration} props={{ ...props, id: route.id }} />;
    case 'badges':
      return <Lazy key="badges" load={loadBadges} props={props} />;
    case 'server':
      return <Lazy key="server" load={loadServer} props={props} />;
    case 'maintenance':
      return <Lazy key="maintenance" load={loadMaintenance} props={{ ...props, form: route.form ?? '' }} />;
    case 'status-pages':
      return <Lazy key="status-pages" load={loadStatusPages} props={{ ...props, form: route.form ?? '' }} />;
    case 'projects':
      return <Lazy key="projects" load={loadProjects} props={props} />;
    case 'settings':
      return <Lazy key="settings" load={loadSettings} props={props} />;
    case 'members':
      return <Lazy key="members" load={loadMembers} props={props} />;
    case 'audit':
      return <Lazy key="audit" load={loadAudit} props={props} />;
    case 'reports':
      return <Lazy key="reports" load={loadReports} props={props} />;
    case 'account':
      return <Lazy key="account" load={loadAccount} props={props} />;
  }
}
