/**
 * Slack. Code, not only data: what was added by Slack's own page has a bot, which can update the message of an incident. The address
 * that somebody has pasted can only take new ones.
 * Invariant: what the bot may not say there, the webhook that came with it says.
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
    // A bot is in no channel by itself: somebody has to invite it.
    return outcome.kind === 'refused' && !outcome.gone ? byWebhook(notice, signal) : outcome;
  };
}
