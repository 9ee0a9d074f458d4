/**
 * Whether the first steps are shown in place of the list: from when a project has no check until they are done, or somebody
 * leaves them. This browser keeps it, as one goes to other pages on the way. Any other browser offers them above the list, by what the
 * server says: one check, and no integration.
 */
import { useEffect, useState } from 'preact/hooks';

const begun = 'knell.steps';
const dismissed = 'knell.steps-dismissed';

export interface Steps {
  readonly shown: boolean;
  readonly leave: () => void;
  /** Whether they are offered above the list. */
  readonly offered: boolean;
  /** How many of the three are done. */
  readonly done: number;
  /** Shows them in place of the list. */
  readonly resume: () => void;
  /** Offers them no more. */
  readonly dismiss: () => void;
}

/** What a project has so far. */
interface SetUp {
  /** Null until that is known. */
  readonly checks: number | null;
  /** Null while that is not known. */
  readonly isPinged: boolean | null;
  readonly integrations: number;
}

/** With a second check they are no longer the first steps. */
export function useSteps(project: string, { checks, isPinged, integrations }: SetUp): Steps {
  const isEmpty = checks === 0;
  const [, setChanges] = useState(0);
  useEffect(() => {
    if (isEmpty && !hasBegun(project)) add(begun, project);
  }, [isEmpty, project]);
  const changing = (change: () => void) => (): void => {
    change();
    setChanges((before) => before + 1);
  };
  const shown = isEmpty || (checks === 1 && hasBegun(project));
  const isLeft = checks === 1 && !shown && isPinged !== null && integrations === 0;
  return {
    shown,
    leave: changing(() => endSteps(project)),
    offered: isLeft && !projectsIn(dismissed).includes(project),
    done: isPinged ? 2 : 1,
    resume: changing(() => add(begun, project)),
    dismiss: changing(() => add(dismissed, project)),
  };
}

export function hasBegun(project: string): boolean {
  return projectsIn(begun).includes(project);
}

export function endSteps(project: string): void {
  keep(
    begun,
    projectsIn(begun).filter((one) => one !== project),
  );
}

function add(key: string, project: string): void {
  keep(key, [...projectsIn(key), project]);
}

/** Somebody may create several projects before the first one is done. */
function projectsIn(key: string): readonly string[] {
  return (localStorage.getItem(key) ?? '').split(' ').filter((one) => one !== '');
}

/** Of those that were created last: nobody comes back to the steps of the others. */
function keep(key: string, projects: readonly string[]): void {
  const kept = projects.slice(-keptMax);
  if (kept.length === 0) localStorage.removeItem(key);
  else localStorage.setItem(key, kept.join(' '));
}

const keptMax = 20;
