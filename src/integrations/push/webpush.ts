/**
 * The kind of integration that is a browser: Web Push (RFC 8030). Its value is what `PushSubscription.toJSON()` gives. What is sent
 * is encrypted for the browser (`notify/channels/webpush`), so the push service between them cannot read it.
 */
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { parseObject, textAt } from '../contract/values.ts';

/** Bytes of an uncompressed point of P-256, and of the authentication secret: https://www.rfc-editor.org/rfc/rfc8291#section-3.1. */
const keyBytes = { p256dh: 65, auth: 16 } as const;

export const webpush: Kind = {
  form: {
    title: titles.webpush,
    offeredAs: 'This browser',
    help:
      'Alerts show as notifications of this browser, also while Knell is closed. On an iPhone or iPad, first add Knell to the Home ' +
      'Screen (Share, Add to Home Screen), and open it from there.',
    steps: [
      'Open this page in the browser that is to be alerted, by HTTPS or on localhost.',
      'Press Alert this browser, and allow notifications.',
      'The subscription is filled in by itself, and a test comes at once.',
    ],
    keeps: 'text',
    fields: [
      {
        ...{ name: 'value', label: 'Subscription', input: 'browser', required: true },
        help: 'What PushSubscription.toJSON() gives: the page makes it.',
      },
    ],
  },
  category: 'Push',
  line: 'No account, no app',
  icon: 'browser',
  popular: 1,
  audience: 'people',
  valueError(value) {
    const subscription = parseObject(value) ?? {};
    if (!isEndpoint(textAt(subscription, 'endpoint')))
      return 'a push subscription whose "endpoint" is an https address';
    for (const [name, bytes] of Object.entries(keyBytes)) {
      if (!isKey(textAt(subscription, `keys.${name}`), bytes))
        return `a push subscription whose "keys.${name}" is ${bytes} bytes in base64url`;
    }
    return null;
  },
  parts(value) {
    const subscription = parseObject(value) ?? {};
    const [p256dh, auth] = [textAt(subscription, 'keys.p256dh'), textAt(subscription, 'keys.auth')];
    return { value, url: textAt(subscription, 'endpoint'), p256dh, auth };
  },
};

function isEndpoint(text: string): boolean {
  return /^https:\/\/[^/?#@]+\//i.test(text) && URL.canParse(text);
}

/** Some browsers pad. */
function isKey(text: string, bytes: number): boolean {
  const bare = text.replace(/=+$/, '');
  return /^[\w-]+$/.test(bare) && bare.length === Math.ceil((bytes * 4) / 3);
}

/** Seconds for which a push service keeps a message for a browser that is not reachable: as long as Knell tries to send one. */
const timeToLiveS = 86_400;

export const webpushRequests: HttpKind = {
  requests: [
    {
      url: '{value.url}',
      headers: {
        TTL: String(timeToLiveS),
        // A phone that saves power gets what is urgent at once: https://www.rfc-editor.org/rfc/rfc8030#section-5.3.
        Urgency: { down: 'high', up: 'normal', late: 'normal' },
        // A newer message replaces one of the same topic that is not delivered yet: section 5.4.
        Topic: '{topicKey}',
      },
      json: {
        title: '{markedTitle}',
        text: '{text}',
        url: '{checkUrl}',
        tag: '{uniqueKey}',
        status: { down: 'down', up: 'up', late: 'late', warning: 'warning' },
      },
    },
  ],
  // A browser shows some lines. Encrypted, all of it has to fit 4,096 bytes: https://www.rfc-editor.org/rfc/rfc8291#section-4.
  limit: { max: 1000, unit: 'bytes', bodyCharsMax: 300 },
  response: {
    // The request is not one that this subscription takes, or is too large: https://www.rfc-editor.org/rfc/rfc8292#section-4.2.
    refused: [401, 403, 413],
    // The subscription has expired, or the browser has ended it: https://www.rfc-editor.org/rfc/rfc8030#section-7.3.
    gone: [{ status: 404 }, { status: 410 }],
  },
};
