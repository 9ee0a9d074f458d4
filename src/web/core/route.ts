/** The page that an address means, and the way to another one without loading the document again. */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { checkPath } from '../../domain/accounts/page-address.ts';
import { fromBase, fromRoot } from './base-path.ts';
import { leaveUnasked, mayLeave } from './typed.ts';

/** Path of the overview of all projects. */
export const projectsPath = '/projects';
/** Path of the settings of the server, for owners. */
export const serverPath = '/server';

export const pages = ['checks', 'incidents', 'integrations', 'status-pages', 'badges', 'settings'] as const;
export type PageName = (typeof pages)[number];

/** The pages that belong to no project. */
const ownPages = ['account', 'audit', 'reports'] as const;
export type OwnPageName = (typeof ownPages)[number];

/** The part of `new` that makes checks from a crontab. No check has it as its id. */
export const crontabPage = 'crontab';

export type PageRoute =
  | { readonly at: 'start' | 'sign-in' | 'set-password' }
  /** The page does not exist, or it belongs to a project that does not exist. */
  | { readonly at: 'nowhere' | 'no-project'; readonly project: string }
  /** The wall of one project, or of all if `project` is empty. */
  | { readonly at: 'wall'; readonly project: string }
  /** `project` is the one that the user comes from; it is empty in an address. */
  | { readonly at: 'projects' | 'server'; readonly project: string }
  /** `form`: the form that is open on it, which is `new` or the id of what is edited. */
  | { readonly at: PageName | 'members' | 'maintenance'; readonly project: string; readonly form?: string }
  /** These belong to no project; the header shows the latest one. */
  | { readonly at: OwnPageName; readonly project: string }
  | { readonly at: 'new-check'; readonly project: string; readonly clone: string }
  | { readonly at: 'crontab'; readonly project: string }
  | { readonly at: 'check' | 'incident' | 'integration'; readonly project: string; readonly id: string }
  | { readonly at: 'new-integration'; readonly project: string; readonly kind: string }
  /** A vendor has sent the browser back here. The project is in what it sent. */
  | { readonly at: 'filled'; readonly project: string; readonly kind: string };

export function routeOf(address: string): PageRoute {
  const path = fromBase(address);
  if (path === '/') return { at: 'start' };
  if (path === '/sign-in' || path === '/set-password')
    return { at: path === '/sign-in' ? 'sign-in' : 'set-password' };
  const own = ownPages.find((one) => path === `/${one}`);
  if (own) return { at: own, project: '' };
  const bare = pages.find((one) => path === `/${one}`);
  if (bare) return { at: bare, project: '' };
  if (path === projectsPath) return { at: 'projects', project: '' };
  if (path === serverPath) return { at: 'server', project: '' };
  const [, first, project = '', name = '', id = '', rest = ''] = path.split('/');
  if (first === 'wall' && name === '') return { at: 'wall', project };
  if (first === 'filled' && project !== '' && name === '')
    return { at: 'filled', project: '', kind: project };
  if (first !== 'project') return { at: 'nowhere', project: '' };
  if (name === 'new' && id === crontabPage) return { at: 'crontab', project };
  if (name === 'new') return { at: 'new-check', project, clone: id };
  if (project !== '' && name === '') return { at: 'checks', project };
  if (name === 'checks' && id !== '') return { at: 'check', project, id };
  if (name === 'incidents' && id !== '') return { at: 'incident', project, id };
  if (name === 'settings' && id === 'members') return { at: id, project };
  if (name === 'settings' && id === 'maintenance') return { at: id, project, form: rest };
  if (name === 'status-pages') return { at: name, project, form: id };
  if (name === 'integrations' && id === 'new') return { at: 'new-integration', project, kind: rest };
  if (name === 'integrations' && id !== '') return { at: 'integration', project, id };
  const page = pages.find((one) => one === name);
  return { at: page ?? 'nowhere', project };
}

export function addressOf(project: string, page: PageName | 'new', id = ''): string {
  if (page === 'checks' && id !== '') return fromRoot(checkPath(project, id));
  return fromRoot(`/project/${project}/${page}${id === '' ? '' : `/${id}`}`);
}

/** Returns the address of one setting of the server; without `variable`, of all. */
export function settingAddress(variable = ''): string {
  return fromRoot(variable === '' ? serverPath : `${serverPath}#${variable}`);
}

/** The same, on the way to adding an integration of a kind, which goes on from there. */
export function settingAddressFor(kind: string, variable = ''): string {
  return fromRoot(`${serverPath}?add=${kind}${variable === '' ? '' : `#${variable}`}`);
}

/** Returns the kind that one is on the way to add; empty for none. */
export function kindToAdd(): string {
  return new URLSearchParams(location.search).get('add') ?? '';
}

/** Returns the address of the members in the settings of a project. */
export function membersAddress(project: string): string {
  return addressOf(project, 'settings', 'members');
}

/** Returns the address of the maintenance windows in the settings of a project. */
export function maintenanceAddress(project: string): string {
  return addressOf(project, 'settings', 'maintenance');
}

/** Returns the address of the wall. `key` is that of a link that opens only this, and stays in the browser. */
export function wallAddress(project: string, key = ''): string {
  return fromRoot(`/wall${project === '' ? '' : `/${project}`}${key === '' ? '' : `#${key}`}`);
}

let leaving: () => unknown = () => null;

/** Remembers what `look` says when this page is left; `remembered` says it when the user comes back. */
export function useRemembered(look: () => object): void {
  // This runs with the page, not after it: the user may leave before a later effect has run.
  useLayoutEffect(() => {
    leaving = look;
    return () => {
      leaving = () => null;
    };
  });
}

/** Returns what was remembered of this entry of the browser's history. */
export function remembered(): ReadonlyMap<string, unknown> {
  const state: unknown = history.state;
  return new Map(Object.entries(typeof state === 'object' && state !== null ? state : {}));
}

/** Replaces the query of the same page, so that the way back is not through every filter. */
export function replaceSearch(search: string): void {
  history.replaceState(history.state, '', `${location.pathname}${search === '' ? '' : `?${search}`}`);
  dispatchEvent(new PopStateEvent('popstate'));
}

/** The same page with another query, from which the way back is to the one before. It stays as far down as it is. */
export function pushSearch(search: string): void {
  history.replaceState(leaving(), '');
  history.pushState(null, '', `${location.pathname}?${search}`);
  dispatchEvent(new PopStateEvent('popstate'));
}

export function useSearch(): string {
  const [search, setSearch] = useState(location.search);
  useEffect(() => {
    const changed = (): void => setSearch(location.search);
    addEventListener('popstate', changed);
    return () => removeEventListener('popstate', changed);
  }, []);
  return search;
}

/** Gives the page of a project its own address, where the one that was opened names none. */
export function replacePath(path: string): void {
  history.replaceState(history.state, '', path + location.search);
  dispatchEvent(new PopStateEvent('popstate'));
}

/** Goes to another page in place of this one, which the way back then leaves out. */
export function goInstead(path: string): void {
  history.replaceState(null, '', path);
  dispatchEvent(new PopStateEvent('popstate'));
}

/** What is shown there: a query changes it in its place, but for that of a check's form. */
function placeAt(address: string): string {
  const { pathname, searchParams } = new URL(address, location.href);
  return `${pathname} ${searchParams.has('edit')}`;
}

/** Goes to another page; where a form has unsaved changes, once its person has agreed. */
export function go(path: string): void {
  const leave = (): void => goAtOnce(path);
  if (placeAt(path) === placeAt(location.href) || mayLeave(leave)) leave();
}

function goAtOnce(path: string): void {
  history.replaceState(leaving(), '');
  history.pushState(null, '', path);
  scrollTo(0, 0);
  // Last: what the address names may be on this very page, which scrolls to it then.
  dispatchEvent(new PopStateEvent('popstate'));
}

/** Address of the form for something new, in a list whose forms have addresses of their own. */
export const newForm = 'new';

/** Opens and closes such a form. Closing it goes back to the list that one came from, which is not in the history twice then. */
export function useFormIn(list: string): {
  readonly open: (form: string) => void;
  readonly close: () => void;
} {
  const isOurs = useRef(false);
  const open = (form: string): void => {
    isOurs.current = true;
    go(`${list}/${form}`);
  };
  const close = (): void => {
    leaveUnasked();
    if (isOurs.current) history.back();
    else goInstead(list);
  };
  return { open, close };
}

/** Scrolls in each of the next frames: in which of them the browser has done so itself is its own. */
function scrollSoon(toPx: number, frames = 4): void {
  if (frames === 0) return;
  requestAnimationFrame(() => {
    scrollTo(0, toPx);
    scrollSoon(toPx, frames - 1);
  });
}

/**
 * Keeps a form with unsaved changes where the browser's way back would leave it. The browser has gone already when it says so:
 * the form's entry is put on top again, and going back once more is what leaves. To be called once, before the page is rendered:
 * a browser calls what listens to its window in the order in which it came, and what shows another page takes the form away.
 */
export function holdBack(): void {
  let here = { address: location.href, state: history.state };
  let downPx = scrollY;
  const scrolled = (): void => {
    downPx = scrollY;
  };
  const gone = (event: PopStateEvent): void => {
    const isOther = event.isTrusted && placeAt(here.address) !== placeAt(location.href);
    if (isOther && !mayLeave(() => history.back())) {
      event.stopImmediatePropagation();
      history.pushState(here.state, '', here.address);
      // The browser scrolls to where the other page was, in its own time.
      scrollSoon(downPx);
    } else here = { address: location.href, state: history.state };
  };
  addEventListener('popstate', gone);
  addEventListener('scroll', scrolled, { passive: true });
}

const wanted = 'knell.wanted';

/** Goes to the sign-in page, and back here afterwards: people who follow the link of an alert are seldom signed in. */
export function signInFirst(): void {
  sessionStorage.setItem(wanted, location.pathname + location.search);
  // In its place: the way back from there would lead here, and on to the sign-in page again.
  const leave = (): void => goInstead(fromRoot('/sign-in'));
  if (mayLeave(leave)) leave();
}

/** What somebody asked for who has to sign in first: a page, an address that has none, or nothing in particular. */
export function wantedKind(): 'page' | 'nowhere' | 'none' {
  const path = sessionStorage.getItem(wanted);
  if (path === null || path === fromRoot('/')) return 'none';
  return routeOf(path.replace(/[?#].*/, '')).at === 'nowhere' ? 'nowhere' : 'page';
}

/** Returns once where the user wanted to go before signing in. */
export function takeWanted(): string | null {
  const path = sessionStorage.getItem(wanted);
  sessionStorage.removeItem(wanted);
  return path;
}

/** Follows links within the page without loading it again; those with a modifier key are the browser's. */
export function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
    return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || link.origin !== location.origin || link.target !== '' || link.hasAttribute('download')) return;
  if (routeOf(link.pathname).at === 'nowhere') return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}

export function useRoute(): PageRoute {
  const [path, setPath] = useState(location.pathname);
  useEffect(() => {
    const changed = (): void => setPath(location.pathname);
    addEventListener('popstate', changed);
    return () => removeEventListener('popstate', changed);
  }, []);
  return routeOf(path);
}
