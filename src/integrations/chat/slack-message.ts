/** A message in the form that incoming webhooks of Slack take; Mattermost takes the same. */
import type { Template } from '../contract/request.ts';

/** `buttons` are shown under the message, by targets that have buttons. */
export function slackMessage(...about: Parameters<typeof slackAttachments>): Template {
  return { username: 'Knell', ...slackAttachments(...about) };
}

/** The same without the name of its sender, which is that of the app where a bot sends it. */
export function slackAttachments(
  filter: 'mrkdwn' | 'markdown',
  format: 'slack' | 'chat',
  buttons?: Template,
): { readonly attachments: Template } {
  return {
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
