/** A message as Slack's incoming webhooks take it, which Mattermost took over. */
import type { Template } from '../contract/request.ts';

/** `buttons`: under the message, where the target shows any. */
export function slackMessage(
  filter: 'mrkdwn' | 'markdown',
  format: 'slack' | 'chat',
  buttons?: Template,
): Template {
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
        ...(buttons === undefined ? {} : { 'actions?': buttons }),
      },
    ],
  };
}
