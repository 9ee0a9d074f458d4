/** What event subscriptions need of the rest of Knell. Implementation: `assemble/feed-source`. */
import type { EventFeed } from '../../domain/accounts/event-feed.ts';
import type { Channel } from '../../domain/accounts/project.ts';
import type { ChannelId } from '../../lib/ids.ts';

/** An event as a subscription sends it. */
export interface FeedEvent {
  /** The id that the API has of it: the same on every attempt. */
  readonly id: string;
  readonly type: string;
  /** ISO 8601. */
  readonly timestamp: string;
  /** Name of its check; empty for none. */
  readonly about: string;
  /** As the API shows it to a read-write key, without UUIDs to one that may only read. */
  readonly data: unknown;
}

export interface FeedPlace {
  readonly epoch: string;
  readonly seq: number;
  readonly place: number;
}

export interface FeedPage {
  /** In their order, each with where the feed is once it was sent. */
  readonly events: readonly (FeedEvent & { readonly at: FeedPlace })[];
  /** Where the feed is once all of them were sent. */
  readonly until: FeedPlace;
  readonly isAtEnd: boolean;
}

export interface FeedReads {
  feeds(): Iterable<EventFeed>;
  feed(id: ChannelId): EventFeed | null;
  /** The last place of what is durable. */
  until(): FeedPlace;
  /** What an integration wants behind a place. What is missing there is an event of the type `gap`. */
  page(channel: Channel, after: FeedPlace): Promise<FeedPage>;
  /** One event; null if it is not kept any more. */
  event(channel: Channel, id: string): Promise<FeedEvent | null>;
  /** Resolves when it is durable. */
  put(feed: EventFeed): Promise<void>;
}
