/**
 * What reaches a person: push notices, calls, short messages, and cards on a board. Each kind is data.
 */
import type { HttpKind } from '../http-kind.ts';

const twilio = 'https://api.twilio.com/2010-04-01/Accounts/{set.twilioAccount}';
const twilioAuth = ['{set.twilioAccount}', '{set.twilioAuth}'] as const;
/** 21211 and 21614: a number that cannot be reached, ever. */
const noSuchNumber = { refusedText: { status: 400, text: '2121' } } as const;

export const pushKinds = {
  apprise: {
    requests: [
      {
        url: '{set.appriseUrl}/notify',
        trusted: true,
        json: {
          urls: '{value.value}',
          title: '{title}',
          body: '{text}',
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
          title: '{title}',
          message: '{text}',
          priority: { down: 8, up: 4, late: 5 },
          extras: { 'client::display': { contentType: 'text/plain' } },
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
          click: '{baseUrl}',
        },
      },
    ],
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
          title: '{title}',
          message: '{text}',
          priority: { down: '{value.priorityDown}', up: '{value.priorityUp}' },
          tags: '{uniqueKey}',
          url: '{baseUrl}',
          'retry?': { down: '{value.retryDown}', up: '{value.retryUp}' },
          'expire?': { down: '{value.expireDown}', up: '{value.expireUp}' },
        },
      },
    ],
    response: { refusedText: { status: 400, text: '"user":"invalid"' } },
  },

  pushbullet: {
    requests: [
      {
        url: 'https://api.pushbullet.com/v2/pushes',
        headers: { 'Access-Token': '{value.value}' },
        json: { type: 'note', title: '{title}', body: '{text}', guid: '{deliveryId}' },
      },
    ],
    response: { refused: [401, 403] },
  },

  sms: {
    requests: [
      {
        url: `${twilio}/Messages.json`,
        basic: twilioAuth,
        form: { From: '{set.twilioFrom}', To: '{value.value}', Body: '{title}. {reason}' },
      },
    ],
    response: noSuchNumber,
  },

  trello: {
    requests: [
      {
        url: 'https://api.trello.com/1/cards',
        headers: { Authorization: 'OAuth oauth_consumer_key="{set.trelloKey}", oauth_token="{value.token}"' },
        json: { idList: '{value.list_id}', name: '{title}', desc: '{text|markdown}' },
      },
    ],
    response: { refused: [400, 401] },
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
