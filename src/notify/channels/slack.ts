/**
 * Slack. Code, not only data: an integration that was added on Slack's own page has a bot, which can update the message of an incident; a
 * webhook only posts new ones.
 * Invariant: what the bot may not post goes by the webhook of the same integration.
 */
import { isSlackBot, slackBotRequests, slackRequests } from '../../integrations/chat/slack.ts';
import type { Send } from '../contract/channel.ts';
import { type HttpKindOptions, senderOf } from './http-kind.ts';

export function slackSender(options: HttpKindOptions): Send {
  const byWebhook = senderOf(slackRequests, options);
  const byBot = senderOf(slackBotRequests, options);
  return async (notice, signal) => {
    if (!isSlackBot(notice.channel.value)) return byWebhook(notice, signal);
    const outcome = await byBot(notice, signal);
    // Usually the bot is not a member of the channel: somebody has to invite it.
    return outcome.kind === 'refused' && !outcome.gone ? byWebhook(notice, signal) : outcome;
  };
}
