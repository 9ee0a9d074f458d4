/**
 * Whether the first steps are shown in place of the list: from when a project has no check until they are done, or somebody
 * leaves them. This browser keeps it, as one goes to other pages on the way.
 */
import { useEffect, useState } from 'preact/hooks';

const begun = 'knell.steps';

export interface Steps {
  readonly shown: boolean;
  readonly leave: () => void;
}

/** `checks` is how many the project has; null until that is known. With a second check they are no longer the first steps. */
export function useSteps(project: string, checks: number | null): Steps {
  const isEmpty = checks === 0;
  const [isLeft, setLeft] = useState(false);
  useEffect(() => {
    if (isEmpty && !hasBegun(project)) keep([...begunIn(), project]);
  }, [isEmpty, project]);
  const leave = (): void => {
    endSteps(project);
    setLeft(true);
  };
  return { shown: isEmpty || (checks === 1 && hasBegun(project) && !isLeft), leave };
}

export function hasBegun(project: string): boolean {
  return begunIn().includes(project);
}

export function endSteps(project: string): void {
  keep(begunIn().filter((one) => one !== project));
}

/** Somebody may create several projects before the first one is done. */
function begunIn(): readonly string[] {
  return (localStorage.getItem(begun) ?? '').split(' ').filter((one) => one !== '');
}

/** Of those that were created last: nobody comes back to the steps of the others. */
function keep(projects: readonly string[]): void {
  const kept = projects.slice(-keptMax);
  if (kept.length === 0) localStorage.removeItem(begun);
  else localStorage.setItem(begun, kept.join(' '));
}

const keptMax = 20;
