/** The kind of integration for Signal. */

import { bothEvents, line, plain } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { forms, jsonOr, unlessUnticked } from '../contract/values.ts';

export const signal: Kind = {
  form: {
    title: 'Signal',
    help: 'Needs KNELL_SIGNAL_URL and KNELL_SIGNAL_NUMBER on the server.',
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
