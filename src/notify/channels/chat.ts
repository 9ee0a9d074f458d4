/**
 * Chats: one message in a channel. Each kind is data; what a value holds is in `domain/channel-value`.
 */
import type { HttpKind } from '../http-kind.ts';

/** As Slack's incoming webhooks take it, which Mattermost took over. */
const slackAttachment = (filter: string) =>
  ({
    username: 'Knell',
    attachments: [
      {
        color: { down: 'danger', up: 'good', late: 'warning' },
        fallback: `{title|${filter}}`,
        title: `{title|${filter}}`,
        text: `{text|${filter}}`,
        mrkdwn_in: ['text'],
      },
    ],
  }) as const;

export const chatKinds = {
  discord: {
    requests: [
      {
        url: '{value.value}',
        json: {
          username: 'Knell',
          embeds: [
            {
              title: '{title|markdown}',
              description: '{text|markdown}',
              color: { down: 0xd9534f, up: 0x5cb85c, late: 0xf0ad4e },
              timestamp: '{at}',
            },
          ],
          allowed_mentions: { parse: [] },
        },
      },
    ],
    response: { retryAfter: 'retry_after' },
  },

  googlechat: {
    requests: [
      {
        url: '{value.value}',
        json: {
          cardsV2: [
            {
              cardId: '{deliveryId}',
              card: {
                header: { title: '{title}', subtitle: '{project}' },
                sections: [{ widgets: [{ textParagraph: { text: '{text|html}' } }] }],
              },
            },
          ],
        },
      },
    ],
  },

  matrix: {
    requests: [
      {
        method: 'PUT',
        url: '{set.matrixHomeserver}/_matrix/client/v3/rooms/{value.value|url}/send/m.room.message/{deliveryId}',
        headers: { Authorization: 'Bearer {set.matrixToken}' },
        trusted: true,
        json: {
          msgtype: 'm.text',
          body: '{title}\n{text}',
          format: 'org.matrix.custom.html',
          formatted_body: '<strong>{title|html}</strong><br><pre>{text|html}</pre>',
        },
      },
    ],
    response: { refused: [403], retryAfter: 'retry_after_s' },
  },

  mattermost: { requests: [{ url: '{value.value}', json: slackAttachment('markdown') }] },

  msteamsw: {
    requests: [
      {
        url: '{value.value}',
        json: {
          type: 'message',
          attachments: [
            {
              contentType: 'application/vnd.microsoft.card.adaptive',
              content: {
                $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
                type: 'AdaptiveCard',
                version: '1.2',
                fallbackText: '{title}',
                body: [
                  {
                    type: 'TextBlock',
                    text: '{title|markdown}',
                    weight: 'bolder',
                    size: 'medium',
                    color: { down: 'attention', up: 'good', late: 'warning' },
                    wrap: true,
                  },
                  { type: 'TextBlock', text: '{paragraphs|markdown}', wrap: true },
                ],
              },
            },
          ],
        },
      },
    ],
  },

  rocketchat: {
    requests: [
      {
        url: '{value.value}',
        json: {
          alias: 'Knell',
          text: '{title|markdown}',
          attachments: [
            { color: { down: '#d9534f', up: '#5cb85c', late: '#f0ad4e' }, text: '{text|markdown}' },
          ],
        },
      },
    ],
  },

  signal: {
    requests: [
      {
        url: '{set.signalUrl}/v2/send',
        trusted: true,
        json: { number: '{set.signalNumber}', recipients: ['{value.value}'], message: '{title}\n\n{text}' },
      },
    ],
    response: { refusedText: { status: 400, text: 'Unregistered user' } },
  },

  slack: {
    requests: [{ url: '{value.value}', json: slackAttachment('mrkdwn') }],
    response: { refused: [403], refusedText: { status: 400, text: 'invalid_token' } },
  },

  telegram: {
    requests: [
      {
        url: 'https://api.telegram.org/bot{set.telegramToken}/sendMessage',
        json: {
          chat_id: '{value.id}',
          'message_thread_id?': '{value.thread_id}',
          text: '*{title|markdownV2}*\n{text|markdownV2}',
          parse_mode: 'MarkdownV2',
        },
      },
    ],
    // Blocked by the user, thrown out of the group, or a group that is no more.
    response: {
      refused: [403],
      refusedText: { status: 400, text: 'chat not found' },
      retryAfter: 'parameters.retry_after',
    },
  },

  zulip: {
    requests: [
      {
        url: '{value.site}/api/v1/messages',
        basic: ['{value.bot_email}', '{value.api_key}'],
        form: {
          type: '{value.mtype}',
          to: '{value.to}',
          topic: '{value.topic}',
          content: '**{title|markdown}**\n{text|markdown}',
        },
      },
    ],
    response: { retryAfter: 'retry-after' },
  },
} as const satisfies Record<string, HttpKind>;
