/** A message as Slack's incoming webhooks take it, which Mattermost took over. */
import type { Template } from '../contract/request.ts';

export function slackMessage(filter: 'mrkdwn' | 'markdown', format: 'slack' | 'chat'): Template {
  return {
    username: 'Knell',
    attachments: [
      {
        color: { down: 'danger', up: 'good', late: 'warning' },
        fallback: `{title|${filter}}`,
        title: `{title|${filter}}`,
        title_link: '{checkUrl}',
        text: `{${format}}`,
        mrkdwn_in: ['text'],
      },
    ],
  };
}
