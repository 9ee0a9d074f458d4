/** The kind of integration that calls a webhook. */

import { signingSecret } from '../contract/form.ts';
import type { FormField, Kind } from '../contract/kind.ts';
import { isOfIncident, placeholders, tagPlaceholder } from '../contract/placeholders.ts';
import { titles } from '../contract/titles.ts';
import { forms, parseObject, signingSecretError } from '../contract/values.ts';

function webhookFields(direction: 'down' | 'up'): readonly FormField[] {
  const box = direction === 'down' ? 'When a check goes down' : 'When a check recovers';
  const [url, body] = [`url_${direction}`, `body_${direction}`];
  return [
    { box, name: url, label: 'URL', input: 'line', part: 'template', inSomeBox: true },
    {
      box,
      name: `method_${direction}`,
      label: 'Method',
      help: 'Automatic is POST with a body, else GET.',
      input: 'choice',
      open: true,
      first: '',
      choices: [
        ['', 'Automatic'],
        ['GET', 'GET'],
        ['POST', 'POST'],
        ['PUT', 'PUT'],
      ],
    },
    { box, name: body, label: 'Body', help: 'For POST and PUT.', input: 'lines', inForm: true },
    {
      box,
      name: `headers_${direction}`,
      label: 'Headers',
      help: 'Such as X-Token: abc, one per line.',
      input: 'headers',
      headersOf: body,
    },
  ];
}

export const webhook: Kind = {
  form: {
    title: titles.webhook,
    help: 'Sends an HTTP request when a check goes down, and when it recovers if you choose so.',
    steps: [
      'Find the URL in the settings of the service, where they say “webhook” or “incoming”.',
      'Enter it with the method, body and headers that its manual shows; $NAME, $STATUS and others are filled in.',
      'Send a test: it says whether the service took it, and with which status it answered.',
    ],
    boxesHelp: 'Enter at least one of the two URLs.',
    secondBox: {
      none: 'Send nothing: the service does not learn of it',
      same: 'Send the same request ($STATUS is “up”)',
      other: 'Send another request',
    },
    placeholders: [
      ...Object.entries(placeholders).filter(([name]) => !isOfIncident(name)),
      [tagPlaceholder.name, tagPlaceholder.meaning],
      ...Object.entries(placeholders)
        .filter(([name]) => isOfIncident(name))
        .map(([name, meaning]) => [name, `${meaning}, if alerts are collected into incidents`] as const),
    ],
    keeps: 'json',
    fields: [...webhookFields('down'), ...webhookFields('up'), signingSecret],
  },
  category: 'Custom',
  line: 'Any HTTP request',
  icon: 'hook',
  popular: 12,
  valueError: valueError,
  accepts: (value, direction) => (parseObject(value)?.[`url_${direction}`] ?? '') !== '',
};

const webhookMethods: readonly unknown[] = [undefined, '', 'GET', 'POST', 'PUT'];

/** One of the two requests may be left out, but not both. */
function valueError(value: string): string | null {
  const object = parseObject(value);
  if (!object) return 'a JSON object with "url_down" or "url_up"';
  for (const state of ['down', 'up']) {
    const address = object[`url_${state}`] ?? '';
    if (address !== '' && !forms.template.fits(String(address)))
      return `JSON whose "url_${state}" is an address`;
    if (!webhookMethods.includes(object[`method_${state}`]))
      return `JSON whose "method_${state}" is GET, POST or PUT`;
  }
  const secretError = signingSecretError(object.secret);
  if (secretError !== null) return secretError;
  const some = [object.url_down, object.url_up].some((address) => address !== undefined && address !== '');
  return some ? null : 'a JSON object with "url_down" or "url_up"';
}
