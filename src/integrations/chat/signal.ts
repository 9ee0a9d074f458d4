/** The kind of integration for Signal. */

import { bothEvents, line, plain } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { forms, jsonOr, unlessUnticked } from '../contract/values.ts';

export const signal: Kind = {
  form: {
    title: titles.signal,
    steps: [
      'Open Signal on the phone that is to get the messages, and its settings.',
      'Find your number at the top, or your user name, which ends with a dot and digits.',
      'Enter the number in the international form, such as +4912345678, or the user name, such as name.01.',
    ],
    keeps: 'json',
    fields: [
      line('value', 'Phone number or user name', {
        ...plain,
        help: 'E.g. +4912345678 or name.01.',
        part: 'signal',
      }),
      ...bothEvents,
    ],
  },
  category: 'Chat',
  line: 'Message to a phone',
  icon: 'chat',
  audience: 'people',
  needs: ['signalUrl', 'signalNumber'],
  valueError: jsonOr(forms.signal, forms.signal.is),
  accepts: unlessUnticked,
};

export const signalRequests: HttpKind = {
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
  // Signal sends a text of over 2,000 bytes as an attachment.
  limit: { max: 1700, unit: 'bytes', bodyCharsMax: 1000 },
  response: { gone: [{ status: 400, text: /Unregistered user/ }] },
};
