/**
 * How far the event subscriptions have come: begun with their integration, noted by who sends, gone with it. No entry of the audit
 * log says so, and no event: it is not a change by anybody.
 * Invariant: a feed belongs to an integration that is there, of its kind; one that goes back in the journal was begun anew.
 */

import type { EventFeed } from '../../domain/accounts/event-feed.ts';
import { type Channel, getsAlerts } from '../../domain/accounts/project.ts';
import { KnellError } from '../../lib/errors.ts';
import type { ChannelId } from '../../lib/ids.ts';
import type { EngineContext } from '../context/context.ts';
import { notWritten } from '../contract/not-written.ts';

/** Resolves when it is durable. Rejects with `not-found` if its integration is gone, with `store-full`. */
export function putEventFeed(context: EngineContext, feed: EventFeed): Promise<void> {
  const { registry, store } = context;
  const channel = registry.projectOfChannel(feed.id)?.channel(feed.id);
  if (!channel || getsAlerts(channel))
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

/**
 * Begins the feed of an integration that is put, behind all that is durable, or ends it, as its kind wants. Belongs into the group
 * of the integration's own record; what is returned takes its effect in memory back.
 */
export function putFeedOf(context: EngineContext, channel: Channel): () => void {
  const { registry, store } = context;
  if (getsAlerts(channel)) return endFeed(context, channel.id);
  if (registry.eventFeeds.has(channel.id)) return () => {};
  const { id, projectId } = channel;
  const feed: EventFeed = { id, projectId, epoch: store.eventsEpoch, ...store.eventsUntil, dead: [] };
  registry.eventFeeds.set(id, feed);
  store.append({ type: 'put', kind: 'event-feed', fact: feed }, null);
  return () => registry.eventFeeds.delete(id);
}

/** Likewise, of an integration that is deleted; nothing for one that has none. */
export function endFeed({ registry, store }: EngineContext, id: ChannelId): () => void {
  const feed = registry.eventFeeds.get(id);
  if (!feed) return () => {};
  registry.eventFeeds.delete(id);
  store.append({ type: 'removed', kind: 'event-feed', id }, null);
  return () => registry.eventFeeds.set(id, feed);
}
