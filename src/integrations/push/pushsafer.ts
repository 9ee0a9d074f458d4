/** Pushsafer: https://www.pushsafer.com/en/pushapi_ext. */
import { line, needed } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { fields, parseObject, plainParts } from '../contract/values.ts';

const priorities = [
  ['2', 'High, and repeated every minute for an hour, until confirmed'],
  ['1', 'High'],
  ['0', 'Normal'],
  ['-1', 'Low'],
  ['-2', 'Lowest: no sound'],
  ['off', 'Do not notify'],
] as const;

export const pushsafer: Kind = {
  form: {
    title: 'Pushsafer',
    help: 'Your private key is on the dashboard of pushsafer.com; an alias key will do, too.',
    keeps: 'json',
    fields: [
      line('key', 'Private or alias key', { ...needed, part: 'word' }),
      line('device', 'Device or group', {
        open: true,
        first: 'a',
        help: 'The number of a device, gs and the number of a group, or a for all.',
        part: 'word',
      }),
      ...(['down', 'up'] as const).map((direction) => ({
        name: direction,
        label: `Priority when ${direction}`,
        input: 'choice' as const,
        open: true as const,
        first: direction === 'down' ? '1' : '0',
        choices: priorities,
      })),
    ],
  },
  category: 'Push',
  line: 'Push to phones and browsers',
  icon: 'phone',
  audience: 'people',
  valueError: fields('key'),
  parts(value) {
    const { device, down, up, ...parts } = { device: 'a', down: '1', up: '0', ...plainParts(value) };
    const isRepeated = down === '2';
    return {
      ...parts,
      device: String(device || 'a'),
      down,
      up,
      ...(isRepeated ? { retry: 60, expire: 3600 } : {}),
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
        // The priority; repeated and given up so many seconds later only where that is wished.
        pr: { down: '{value.down}', up: '{value.up}' },
        're?': { down: '{value.retry}', up: '{value.none}' },
        'ex?': { down: '{value.expire}', up: '{value.none}' },
        c: { down: '#d9534f', up: '#5cb85c', late: '#f0ad4e' },
      },
    },
  ],
  // A message of 5,000 characters, a title of 255.
  limit: { max: 4500, unit: 'characters', bodyCharsMax: 1000 },
  // What is refused is answered with 200, too.
  response: { accepted: { path: 'status', value: 1 } },
};
