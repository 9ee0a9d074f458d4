/** The kind of integration for Pushover. */
import { line, needed, priorityFields } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import type { ValueParts } from '../contract/values.ts';

const pushoverPriorities = [
  ['2', 'Emergency: repeated until confirmed'],
  ['1', 'High'],
  ['0', 'Normal'],
  ['-1', 'Quiet'],
  ['-2', 'Silent'],
  ['-3', 'Do not notify'],
] as const;

export const po: Kind = {
  form: {
    title: titles.po,
    steps: [
      'Install the Pushover app, and sign in to pushover.net.',
      'Copy Your User Key at the top of its page; the key of a group will do, too.',
      'Choose how urgent each message is.',
    ],
    fill: 'Subscribe with Pushover',
    keeps: 'pipes',
    fields: [
      line('user', 'User or group key', { ...needed, part: 'pushoverUser' }),
      ...priorityFields(pushoverPriorities, { down: '0', up: '0' }),
    ],
  },
  category: 'Push',
  line: 'Push to phones',
  icon: 'phone',
  popular: 11,
  audience: 'people',
  needs: ['pushoverToken'],
  valueError: (value) =>
    /^\w+\|-?\d(\|-?\d)?$/.test(value) ? null : 'user key and priorities such as uQiRzpo4…|0|0',
  parts(value) {
    const [user = '', down = '0', up = down] = value.split('|');
    return { user, priorityDown: Number(down), priorityUp: Number(up), ...emergency(down, up) };
  },
  accepts(value, direction) {
    const [, down, up = down] = value.split('|');
    return (direction === 'up' ? up : down) !== '-3';
  },
};

/** An emergency (priority 2) goes on until somebody confirms it, so a recovery cancels it. */
export const poRequests: HttpKind = {
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
  // A message has at most 1,024 characters of 4 bytes each, a title 250, a URL 512: https://pushover.net/api#limits
  limit: { max: 1024, unit: 'characters', bodyCharsMax: 500 },
  // The errors are documented at https://pushover.net/api#response.
  response: { gone: [{ status: 400, field: { path: 'user', values: ['invalid'] } }] },
};

/** Pushover repeats an emergency (priority 2) every `retry` seconds until somebody confirms it, for `expire` seconds at most. */
function emergency(down: string, up: string): ValueParts {
  // 10,800 seconds are the longest that Pushover allows.
  const repeating = { retry: 300, expire: 10_800 };
  return {
    endsEmergency: down === '2',
    ...(down === '2' ? { retryDown: repeating.retry, expireDown: repeating.expire } : {}),
    ...(up === '2' ? { retryUp: repeating.retry, expireUp: repeating.expire } : {}),
  };
}
