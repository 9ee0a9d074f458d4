/** What a running Knell is to those who started it. */
import type { Core, CoreOptions } from './core.ts';
import type { FirstSteps } from './first-steps.ts';
import type { Addresses } from './listeners.ts';

export interface AppOptions extends CoreOptions {
  /** Called when all checks are in memory, before the listeners open. */
  readonly loaded?: () => void;
  /** Where the built web page is, when that is not beside this file. */
  readonly webUrl?: URL;
}

export interface App extends Omit<Core, 'firstStart'>, FirstSteps, Addresses {
  /** In a cluster: resolves when this node leads. */
  readonly leading: Promise<FirstSteps> | null;
  /** What the URLs begin with that Knell gives out. */
  readonly baseUrl: string;
}
