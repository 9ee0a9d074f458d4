/** A running Knell, as seen by those who started it. */
import type { Core, CoreOptions } from './core.ts';
import type { FirstSteps } from './first-steps.ts';
import type { Addresses } from './listeners.ts';

export interface AppOptions extends CoreOptions {
  /** Called when all checks are in memory, before the listeners open. */
  readonly loaded?: () => void;
  /** Location of the built web page, if it is not beside this file. */
  readonly webUrl?: URL;
}

export interface App extends Omit<Core, 'firstStart'>, FirstSteps, Addresses {
  /** Resolves, in a cluster, when this node leads. */
  readonly leading: Promise<FirstSteps> | null;
  /** Beginning of the URLs that Knell gives out. */
  readonly baseUrl: string;
}
