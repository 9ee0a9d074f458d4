/**
 * What the paths of the engine share: the registry, the ticker that watches deadlines, and the store. Handed to each
 * path as one argument.
 */
import type { Check } from '../domain/check.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { Ids, ProjectId } from '../lib/ids.ts';
import type { Logger } from '../lib/logger.ts';
import type { Store } from '../store/store.ts';
import type { Registry } from './registry.ts';
import type { Ticker } from './ticker.ts';

export interface EngineContext {
  readonly registry: Registry;
  readonly store: Store;
  readonly ticker: Ticker;
  readonly logger: Logger;
  readonly ids: Ids;
  /** Called with every check that a durable step has touched, created or deleted; must cost next to nothing. */
  readonly touched: (check: Check) => void;
  /** Called with the deliveries of every status change once both are durable. */
  readonly changed: (deliveries: readonly Delivery[]) => void;
  /** Called when a project and everything in it are gone: deliveries to its integrations end. */
  readonly projectGone: (id: ProjectId) => void;
}
