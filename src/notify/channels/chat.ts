/**
 * Chats: one message in a channel. Each kind is data; what a value holds is in `domain/channels/channel-value`.
 */
import type { HttpKind } from './http-kind.ts';

/** As Slack's incoming webhooks take it, which Mattermost took over. */
const slackAttachment = (filter: 'mrkdwn' | 'markdown', format: 'slack' | 'chat') =>
  ({
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
              url: '{checkUrl}',
              description: '{chat}',
              color: { down: 0xd9534f, up: 0x5cb85c, late: 0xf0ad4e },
              timestamp: '{at}',
            },
          ],
          allowed_mentions: { parse: [] },
        },
      },
    ],
    // https://discord.com/developers/docs/resources/message#embed-object-embed-limits: description 4096, in all 6000.
    limit: { max: 4000, unit: 'characters', bodyCharsMax: 1000 },
    response: {
      retryAfter: { path: 'retry_after', unitMs: 1000 },
      // https://discord.com/developers/docs/topics/opcodes-and-status-codes#json: unknown webhook.
      gone: [{ status: 404, field: { path: 'code', values: [10015] } }],
    },
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
                header: { title: '{markedTitle}', subtitle: '{project}' },
                sections: [
                  {
                    widgets: [
                      { textParagraph: { text: '{googleChat}' } },
                      {
                        buttonList: {
                          buttons: [{ text: '{linkText}', onClick: { openLink: { url: '{checkUrl}' } } }],
                        },
                      },
                    ],
                  },
                ],
              },
            },
          ],
        },
      },
    ],
    // https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/create: 32,000 bytes in all.
    limit: { max: 16_000, unit: 'bytes', bodyCharsMax: 1000 },
    // The space or its webhook was deleted: https://developers.google.com/workspace/chat/quickstart/webhooks
    response: { gone: [{ status: 404, field: { path: 'error.status', values: ['NOT_FOUND'] } }] },
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
          body: '{markedTitle}\n{linkedText}',
          format: 'org.matrix.custom.html',
          formatted_body: '<a href="{checkUrl|html}"><strong>{markedTitle|html}</strong></a><br>{html}',
          // Nobody is called, whatever the text says.
          'm.mentions': {},
        },
      },
    ],
    // https://spec.matrix.org/latest/client-server-api/#size-limits: an event has 65,536 bytes, with both bodies.
    limit: { max: 16_000, unit: 'bytes', bodyCharsMax: 1000 },
    response: {
      retryAfter: { path: 'retry_after_ms', unitMs: 1 },
      // Not a member of the room: it was removed, or never joined. https://spec.matrix.org/latest/client-server-api/#standard-error-response
      gone: [{ status: 403, field: { path: 'errcode', values: ['M_FORBIDDEN'] } }],
    },
  },

  mattermost: { requests: [{ url: '{value.value}', json: slackAttachment('markdown', 'chat') }] },

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
                body: '{card}',
                actions: [{ type: 'Action.OpenUrl', title: '{linkText}', url: '{checkUrl}' }],
              },
            },
          ],
        },
      },
    ],
    // https://learn.microsoft.com/connectors/teams: about 28 kB, the rest of the card included.
    limit: { max: 20_000, unit: 'bytes', bodyCharsMax: 1000 },
    // The workflow was deleted: an error of Azure Logic Apps, which workflows run on.
    response: { gone: [{ status: 404, field: { path: 'error.code', values: ['WorkflowNotFound'] } }] },
  },

  rocketchat: {
    requests: [
      {
        url: '{value.value}',
        json: {
          alias: 'Knell',
          text: '{title|rocketChat}',
          attachments: [
            {
              color: { down: '#d9534f', up: '#5cb85c', late: '#f0ad4e' },
              title: '{linkText}',
              title_link: '{checkUrl}',
              text: '{rocketChat}',
            },
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
        json: {
          number: '{set.signalNumber}',
          recipients: ['{value.value}'],
          message: '{markedTitle}\n\n{linkedText}',
        },
      },
    ],
    // Signal sends what is over 2,000 bytes as an attachment.
    limit: { max: 1700, unit: 'bytes', bodyCharsMax: 1000 },
    response: { gone: [{ status: 400, text: /Unregistered user/ }] },
  },

  slack: {
    requests: [{ url: '{value.value}', json: slackAttachment('mrkdwn', 'slack') }],
    response: {
      refused: [403],
      // https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks#handling_errors
      gone: [
        { status: 400, text: /invalid_token/ },
        { status: 403, text: /invalid_token|action_prohibited/ },
        { status: 404, text: /no_service|no_team|channel_not_found|channel_is_archived|no_active_hooks/ },
        { status: 410, text: /channel_is_archived/ },
      ],
    },
  },

  zulip: {
    requests: [
      {
        url: '{value.site}/api/v1/messages',
        basic: ['{value.bot_email}', '{value.api_key}'],
        form: {
          type: '{value.mtype}',
          to: '{value.recipients}',
          topic: '{topic}',
          content: '**{title|zulip}**: [{linkText}]({checkUrl})\n{zulip}',
        },
      },
    ],
    // https://zulip.com/api/send-message: 10,000 characters.
    limit: { max: 9000, unit: 'characters', bodyCharsMax: 1000 },
    response: { retryAfter: { path: 'retry-after', unitMs: 1000 } },
  },
} as const satisfies Record<string, HttpKind>;
