/**
 * Events of the engine: something has happened, and it is durable. Others subscribe once the engine exists. Not the answers to
 * requests, which have callbacks of their own and go out first.
 *
 * Subscribers are called synchronously, in the order of their subscriptions, from the turn of the journal that made the
 * event durable: they must be quick. Without any, publishing costs a comparison. What a subscriber throws is a bug of its
 * own: it is logged, and neither the other subscribers nor the pings of the same batch notice.
 * Invariant: nothing is published before it is durable. A subscription from before `Engine.start` misses nothing.
 */
import type { Incident } from '../../domain/alerting/incident.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { messageOf } from '../../lib/errors.ts';
import type { CheckId, ProjectId, UserId } from '../../lib/ids.ts';
import type { Logger } from '../../lib/logger.ts';

export interface EngineEvents {
  /** A durable step has created, changed or deleted this check; every ping is one. */
  readonly checkChanged: Subscribable<ChangedCheck>;
  /** The deliveries of a status change, at least one: on disk in the same record as the change. */
  readonly deliveriesDurable: Subscribable<readonly Delivery[]>;
  /** A check was snoozed, or its snooze has ended or was rolled back; after the deliveries of its end, where there are any. */
  readonly snoozeChanged: Subscribable<ChangedCheck>;
  /** An incident has opened, changed, or been resolved. */
  readonly incidentChanged: Subscribable<Incident>;
  /** A check has moved from this project to another. */
  readonly checkLeft: Subscribable<ProjectId>;
  /** A maintenance window of the project was created, changed, ended or deleted. */
  readonly maintenanceChanged: Subscribable<ProjectId>;
  /** An event subscription of the project was created, changed or deleted. */
  readonly feedsChanged: Subscribable<ProjectId>;
  /** The project and everything in it are gone. */
  readonly projectDeleted: Subscribable<ProjectId>;
  /** A user has another role or password, or is gone: what was allowed before has to be asked for again. */
  readonly userChanged: Subscribable<UserId>;
  /**
   * Published in a cluster: another node has changed a user's role or password, or ended a session, and this one has read of it.
   */
  readonly accessReplicated: Subscribable<ChangedAccess>;
}

/** Which check, and whose it was then. */
export interface ChangedCheck {
  readonly id: CheckId;
  readonly projectId: ProjectId;
}

/** `sessionId`: null for all of the user's sessions. */
export interface ChangedAccess {
  readonly userId: UserId;
  readonly sessionId: string | null;
}

interface Subscribable<Event> {
  /** Returns a function that ends the subscription. */
  subscribe(subscriber: (event: Event) => void): () => void;
}

export class Topic<Event> implements Subscribable<Event> {
  readonly #name: string;
  readonly #logger: Logger;
  /** Replaced, never changed: somebody may subscribe while an event is being published. */
  #subscribers: readonly ((event: Event) => void)[] = [];

  constructor(name: string, logger: Logger) {
    this.#name = name;
    this.#logger = logger;
  }

  subscribe(subscriber: (event: Event) => void): () => void {
    this.#subscribers = [...this.#subscribers, subscriber];
    return () => {
      this.#subscribers = this.#subscribers.filter((other) => other !== subscriber);
    };
  }

  /** If there are none, an event need not be created. */
  get hasSubscribers(): boolean {
    return this.#subscribers.length > 0;
  }

  publish(event: Event): void {
    if (this.#subscribers.length === 0) return;
    for (const subscriber of this.#subscribers) {
      try {
        subscriber(event);
      } catch (error) {
        this.#logger.error({ event: this.#name, error: messageOf(error) }, 'a subscriber of an event failed');
      }
    }
  }
}

/** The same events for the one that publishes them. */
export interface EngineTopics extends EngineEvents {
  readonly checkChanged: Topic<ChangedCheck>;
  readonly deliveriesDurable: Topic<readonly Delivery[]>;
  readonly snoozeChanged: Topic<ChangedCheck>;
  readonly incidentChanged: Topic<Incident>;
  readonly checkLeft: Topic<ProjectId>;
  readonly maintenanceChanged: Topic<ProjectId>;
  readonly feedsChanged: Topic<ProjectId>;
  readonly projectDeleted: Topic<ProjectId>;
  readonly userChanged: Topic<UserId>;
  readonly accessReplicated: Topic<ChangedAccess>;
}

export function createTopics(logger: Logger): EngineTopics {
  return {
    checkChanged: new Topic('checkChanged', logger),
    deliveriesDurable: new Topic('deliveriesDurable', logger),
    snoozeChanged: new Topic('snoozeChanged', logger),
    incidentChanged: new Topic('incidentChanged', logger),
    checkLeft: new Topic('checkLeft', logger),
    maintenanceChanged: new Topic('maintenanceChanged', logger),
    feedsChanged: new Topic('feedsChanged', logger),
    projectDeleted: new Topic('projectDeleted', logger),
    userChanged: new Topic('userChanged', logger),
    accessReplicated: new Topic('accessReplicated', logger),
  };
}
