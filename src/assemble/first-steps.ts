/**
 * A first start for its owner: creates a project with keys, and the link under which the first password is set.
 * Invariant: last of all: the keys are shown once, so nothing may fail between making and showing them.
 */
import type { ShownProject } from '../commands/owner/projects.ts';
import { linkPath } from '../commands/secrets/tokens.ts';
import { hasOwner } from '../domain/accounts/user.ts';
import { createShownProject } from '../http/admin/admin-routes.ts';
import type { CoreOptions, UnrecoveredCore } from './core.ts';

/** Output of a first start. */
export interface FirstSteps {
  /** The first project with its keys, when this start has made it. */
  readonly bootstrapped: ShownProject | null;
  /** Link at which the first password is set, while there is none; printed, never logged. */
  readonly setUpUrl: string | null;
  /** There are users, as an import brings them, and none of them is an owner. */
  readonly lacksOwner: boolean;
}

export const noFirstSteps: FirstSteps = { bootstrapped: null, setUpUrl: null, lacksOwner: false };

/** Takes the first steps; from then on notifications are sent. */
export async function takeFirstSteps(
  { engine, notify, tokens }: UnrecoveredCore,
  baseUrl: () => string,
  { config, clock }: CoreOptions,
): Promise<FirstSteps> {
  const isEmpty = config.bootstrap && engine.read.projects().length === 0;
  const bootstrapped = isEmpty ? await createShownProject(engine, 'default', clock.nowMs()) : null;
  notify.start();
  const users = engine.read.users();
  if (hasOwner(users)) return { bootstrapped, setUpUrl: null, lacksOwner: false };
  return {
    bootstrapped,
    setUpUrl: baseUrl() + linkPath(tokens.link(null, 0)),
    lacksOwner: users.length > 0,
  };
}
