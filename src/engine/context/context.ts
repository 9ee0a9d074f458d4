/**
 * Shared parts of the engine's paths: the registry, the ticker that watches deadlines, the store, the events that they publish.
 * Handed to each path as one argument.
 */
import type { Origin } from '../../domain/accounts/audit.ts';
import { type Ids, idsOf } from '../../lib/ids.ts';
import type { Logger } from '../../lib/logger.ts';
import type { RateLimit, RateLimitOptions } from '../../lib/rate-limit.ts';
import type { Store } from '../../store/store.ts';
import type { PingOutcome } from '../contract/engine.ts';
import type { EngineTopics } from '../contract/events.ts';
import type { Registry } from '../registry/registry.ts';
import type { AuditTrail } from './audit-trail.ts';
import type { KeyUses } from './key-uses.ts';
import type { EngineMetrics } from './metrics.ts';
import type { PendingDowns } from './pending-downs.ts';
import type { PingLedger } from './ping-ledger.ts';
import type { Ticker } from './ticker.ts';

/** Bounds on things that are scanned from time to time. */
export interface EngineBounds {
  readonly projectsMax: number;
  readonly channelsPerProjectMax: number;
  readonly usersMax: number;
  readonly statusPagesPerProjectMax: number;
  readonly maintenancePerProjectMax: number;
  readonly creations: RateLimitOptions;
}

export interface EngineContext {
  readonly registry: Registry;
  /** The pings of the fast path that wait for the journal. */
  readonly ledger: PingLedger<PingOutcome>;
  readonly store: Store;
  readonly pendingDowns: PendingDowns;
  readonly audit: AuditTrail;
  readonly keyUses: KeyUses;
  readonly ticker: Ticker;
  readonly logger: Logger;
  readonly ids: Ids;
  readonly events: EngineTopics;
  readonly metrics: EngineMetrics;
  readonly bounds: EngineBounds;
  /** Checks that pings create, by project. */
  readonly creations: RateLimit;
}

/** The context for changes by `origin`: the audit log ascribes them to it. */
export function actingAs(context: EngineContext, origin: Origin): EngineContext {
  const { idempotencyKey } = origin;
  const ids = idempotencyKey === undefined ? context.ids : idsOf(idempotencyKey);
  return { ...context, ids, audit: context.audit.by(origin) };
}

/** The context for the steps of a change that has an entry of its own in the audit log. */
export function quietly(context: EngineContext): EngineContext {
  return { ...context, audit: context.audit.quiet() };
}
