/** The kind of integration for Pushsafer: https://www.pushsafer.com/en/pushapi_ext. */
import { line, needed, priorityFields } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { fields, parseObject, plainParts } from '../contract/values.ts';

const priorities = [
  ['2', 'High, and repeated every minute for an hour, until confirmed'],
  ['1', 'High'],
  ['0', 'Normal'],
  ['-1', 'Low'],
  ['-2', 'Lowest: no sound'],
  ['off', 'Do not notify'],
] as const;
const hasPriorities = (value: string): boolean => {
  const { down = '1', up = '0' } = parseObject(value) ?? {};
  return [down, up].every((given) => priorities.some(([priority]) => priority === String(given)));
};

/** Seconds between repetitions, and until they end; Pushsafer takes 60 to 10,800 of each. */
const repeating = { retry: 60, expire: 3600 };

export const pushsafer: Kind = {
  form: {
    title: titles.pushsafer,
    steps: [
      'Install the Pushsafer app, or register a browser, and sign in to pushsafer.com.',
      'Copy the private key from the dashboard, or create an alias key for Knell only.',
      'The number of a device or a group is in the list of devices; a is all of them.',
    ],
    keeps: 'json',
    fields: [
      line('key', 'Private or alias key', { ...needed, part: 'word' }),
      line('device', 'Device or group', {
        open: true,
        first: 'a',
        help: 'The number of a device, gs and the number of a group, or a for all.',
        part: 'word',
      }),
      ...priorityFields(priorities, { down: '1', up: '0' }, { down: 'down', up: 'up' }),
    ],
  },
  category: 'Push',
  line: 'Push to phones and browsers',
  icon: 'phone-waves',
  audience: 'people',
  valueError: (value) =>
    fields('key')(value) ?? (hasPriorities(value) ? null : '"down" and "up" of -2 to 2, or "off"'),
  parts(value) {
    const { device, down, up, ...parts } = { device: 'a', down: '1', up: '0', ...plainParts(value) };
    return {
      ...parts,
      device: String(device || 'a'),
      down,
      up,
      ...(String(down) === '2' ? { retryDown: repeating.retry, expireDown: repeating.expire } : {}),
      ...(String(up) === '2' ? { retryUp: repeating.retry, expireUp: repeating.expire } : {}),
    };
  },
  accepts: (value, direction) => parseObject(value)?.[direction] !== 'off',
};

export const pushsaferRequests: HttpKind = {
  requests: [
    {
      url: 'https://www.pushsafer.com/api',
      form: {
        k: '{value.key}',
        d: '{value.device}',
        t: '{markedTitle}',
        m: '{text}',
        u: '{checkUrl}',
        ut: '{linkText}',
        // `pr` is the priority. A notification is repeated only if its owner wants that.
        pr: { down: '{value.down}', up: '{value.up}' },
        're?': { down: '{value.retryDown}', up: '{value.retryUp}' },
        'ex?': { down: '{value.expireDown}', up: '{value.expireUp}' },
        c: { down: '#d9534f', up: '#5cb85c', late: '#f0ad4e' },
      },
    },
  ],
  // A message has at most 5,000 characters, a title 255.
  limit: { max: 4500, unit: 'characters', bodyCharsMax: 1000 },
  // Pushsafer also answers 200 to requests that it refuses.
  response: { accepted: { path: 'status', value: 1 } },
};
