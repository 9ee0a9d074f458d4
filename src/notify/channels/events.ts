/** Tests and announcements to an event subscription; its events have a way of their own (`notify/feeds`). */
import type { Send } from '../contract/channel.ts';
import { feedPayload } from './feed-payload.ts';
import { type RequestOptions, tryRequest } from './http-response.ts';

export function eventsSender(options: RequestOptions): Send {
  return (notice, signal) => {
    const { announcement, deliveryId, channel } = notice;
    const nowMs = options.nowMs();
    const message = announcement
      ? `${announcement.title}: ${announcement.text}`
      : 'Test notification from Knell: this subscription works.';
    const event = {
      ...{ id: deliveryId, type: announcement ? 'announcement' : 'test' },
      ...{ timestamp: new Date(nowMs).toISOString(), data: { message } },
    };
    const request = feedPayload(channel, event, nowMs);
    return tryRequest(options, { request, rules: {}, signal, ownAddress: true });
  };
}
