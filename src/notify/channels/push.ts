/**
 * What reaches a person: push notices, calls, short messages, and cards on a board. Each kind is data.
 */
import type { HttpKind } from './http-kind.ts';

const twilio = 'https://api.twilio.com/2010-04-01/Accounts/{set.twilioAccount}';
const twilioAuth = ['{set.twilioAccount}', '{set.twilioAuth}'] as const;
/**
 * https://www.twilio.com/docs/api/errors: no valid number (21211), cannot take short messages (21614), has asked for no more
 * of them (21610).
 */
const noSuchNumber = {
  gone: [{ status: 400, field: { path: 'code', values: [21211, 21610, 21614] } }],
} as const;

export const pushKinds = {
  apprise: {
    requests: [
      {
        url: '{set.appriseUrl}/notify',
        trusted: true,
        json: {
          urls: '{value.value}',
          title: '{title}',
          body: '{linkedText}',
          type: { down: 'failure', up: 'success', late: 'warning' },
          format: 'text',
        },
      },
    ],
  },

  call: {
    requests: [
      {
        url: `${twilio}/Calls.json`,
        basic: twilioAuth,
        form: {
          From: '{set.twilioFrom}',
          To: '{value.value}',
          Twiml: '<Response><Say>{title|html}. {reason|html}</Say></Response>',
        },
      },
    ],
    response: noSuchNumber,
  },

  gotify: {
    requests: [
      {
        url: '{value.url}/message',
        headers: { 'X-Gotify-Key': '{value.token}' },
        json: {
          title: '{markedTitle}',
          message: '{document}',
          priority: { down: '{value.priority}', up: '{value.priority_up}' },
          // https://gotify.net/docs/msgextras
          extras: {
            'client::display': { contentType: 'text/markdown' },
            'client::notification': { click: { url: '{checkUrl}' } },
          },
        },
      },
    ],
    response: { refused: [401, 403] },
  },

  ntfy: {
    requests: [
      {
        url: '{value.url}',
        headers: { 'Authorization?': 'Bearer {value.token}' },
        json: {
          topic: '{value.topic}',
          title: '{title}',
          message: '{text}',
          priority: { down: '{value.priority}', up: '{value.priority_up}' },
          tags: [{ down: 'red_circle', up: 'green_circle', late: 'orange_circle' }],
          click: '{checkUrl}',
          actions: [{ action: 'view', label: '{linkText}', url: '{checkUrl}' }],
        },
      },
    ],
    // https://docs.ntfy.sh/publish/#limitations: more than 4,096 bytes become an attachment.
    limit: { max: 4000, unit: 'bytes', bodyCharsMax: 1000 },
    response: { refused: [401, 403] },
  },

  /** An emergency (priority 2) goes on until somebody confirms it: coming up ends it. */
  po: {
    requests: [
      {
        url: 'https://api.pushover.net/1/receipts/cancel_by_tag/{uniqueKey}.json',
        form: { token: '{set.pushoverToken}' },
        when: { field: 'value.endsEmergency', notificationKind: 'up' },
      },
      {
        url: 'https://api.pushover.net/1/messages.json',
        form: {
          token: '{set.pushoverToken}',
          user: '{value.user}',
          title: '{markedTitle}',
          message: '{text}',
          priority: { down: '{value.priorityDown}', up: '{value.priorityUp}' },
          tags: '{uniqueKey}',
          url: '{checkUrl}',
          url_title: '{linkText}',
          'retry?': { down: '{value.retryDown}', up: '{value.retryUp}' },
          'expire?': { down: '{value.expireDown}', up: '{value.expireUp}' },
        },
      },
    ],
    // https://pushover.net/api#limits: 1,024 characters of 4 bytes each, a title of 250, a URL of 512.
    limit: { max: 1024, unit: 'characters', bodyCharsMax: 500 },
    // https://pushover.net/api#response
    response: { gone: [{ status: 400, field: { path: 'user', values: ['invalid'] } }] },
  },

  pushbullet: {
    requests: [
      {
        url: 'https://api.pushbullet.com/v2/pushes',
        headers: { 'Access-Token': '{value.value}' },
        json: {
          type: 'link',
          title: '{title}',
          body: '{text}',
          url: '{checkUrl}',
          guid: '{deliveryId}',
        },
      },
    ],
    // https://docs.pushbullet.com/#http-status-codes: 401, the access token is not valid.
    response: { refused: [403], gone: [{ status: 401 }] },
  },

  sms: {
    requests: [
      {
        url: `${twilio}/Messages.json`,
        basic: twilioAuth,
        form: { From: '{set.twilioFrom}', To: '{value.value}', Body: '{sms}', RiskCheck: 'disable' },
      },
    ],
    response: noSuchNumber,
  },

  trello: {
    requests: [
      {
        url: 'https://api.trello.com/1/cards',
        headers: { Authorization: 'OAuth oauth_consumer_key="{set.trelloKey}", oauth_token="{value.token}"' },
        json: {
          idList: '{value.list_id}',
          name: '{title}',
          desc: '[{linkText}](<{checkUrl}>)\n\n{document}',
        },
      },
    ],
    // https://developer.atlassian.com/cloud/trello/rest/api-group-cards: 16,384 characters.
    limit: { max: 15_000, unit: 'characters', bodyCharsMax: 5000 },
    // https://developer.atlassian.com/cloud/trello/guides/rest-api/authorization: a token that was revoked or has expired.
    response: { refused: [400, 401], gone: [{ status: 401, text: /(?:invalid|expired) token/i }] },
  },

  whatsapp: {
    requests: [
      {
        url: `${twilio}/Messages.json`,
        basic: twilioAuth,
        form: {
          From: 'whatsapp:{set.twilioFrom}',
          To: 'whatsapp:{value.value}',
          MessagingServiceSid: '{set.whatsappService}',
          ContentSid: { down: '{set.whatsappDownSid}', up: '{set.whatsappUpSid}' },
          ContentVariables: '{"1":"{name|json}"}',
        },
      },
    ],
    response: noSuchNumber,
  },
} as const satisfies Record<string, HttpKind>;
