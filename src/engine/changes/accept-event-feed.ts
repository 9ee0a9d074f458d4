/**
 * How far the event subscriptions have come: begun with their integration, noted by who sends, gone with it. No entry of the audit
 * log says so, and no event: it is not a change by anybody.
 * Invariant: a feed belongs to an integration that is there, of its kind; one that goes back in the journal was begun anew.
 */

import type { EventFeed } from '../../domain/accounts/event-feed.ts';
import type { Channel } from '../../domain/accounts/project.ts';
import { KnellError } from '../../lib/errors.ts';
import type { ChannelId } from '../../lib/ids.ts';
import type { EngineContext } from '../context/context.ts';
import { notWritten } from '../contract/not-written.ts';

/** Resolves when it is durable. Rejects with `not-found` if its integration is gone, with `store-full`. */
export function putEventFeed(context: EngineContext, feed: EventFeed): Promise<void> {
  const { registry, store } = context;
  if (registry.projectOfChannel(feed.id)?.channel(feed.id)?.kind !== 'events')
    return Promise.reject(new KnellError('not-found', 'no such event subscription'));
  const before = registry.eventFeeds.get(feed.id);
  registry.eventFeeds.set(feed.id, feed);
  return new Promise((resolve, reject) => {
    store.append(
      { type: 'put', kind: 'event-feed', fact: feed },
      {
        durable: resolve,
        rolledBack() {
          if (before) registry.eventFeeds.set(feed.id, before);
          else registry.eventFeeds.delete(feed.id);
          reject(notWritten(store));
        },
      },
    );
  });
}

/** Where a new subscription begins: behind all that is durable. Null for another kind of integration. */
export function beginFeed({ registry, store }: EngineContext, channel: Channel): void {
  if (channel.kind !== 'events') return;
  const feed = feedFromNow(store, channel);
  registry.eventFeeds.set(feed.id, feed);
  store.append({ type: 'put', kind: 'event-feed', fact: feed }, null);
}

function feedFromNow(
  store: Pick<EngineContext['store'], 'eventsUntil' | 'eventsEpoch'>,
  { id, projectId }: Channel,
): EventFeed {
  return { id, projectId, epoch: store.eventsEpoch, ...store.eventsUntil, dead: [] };
}

/** With its integration. */
export function endFeed({ registry, store }: EngineContext, id: ChannelId): void {
  if (registry.eventFeeds.delete(id)) store.append({ type: 'removed', kind: 'event-feed', id }, null);
}
