/** The kind of integration that calls a phone. */

import { phone } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { phoneRule } from '../contract/values.ts';
import { byTwilio, noSuchNumber, twilio, twilioApi, twilioAuth, twilioStep } from './twilio.ts';

export const call: Kind = {
  form: {
    title: titles.call,
    help: `${byTwilio} Calls only when a check goes down.`,
    steps: [
      twilioStep,
      'Enter the number that is to ring in the international form, such as +4912345678.',
      'On that phone make the number of the server a contact whose calls ring at night, too, and send a test.',
    ],
    keeps: 'json',
    fields: [phone],
  },
  category: 'Email and SMS',
  line: 'Calls when a check goes down',
  icon: 'call',
  needs: twilio,
  valueError: phoneRule,
  accepts: (_, direction) => direction === 'down',
};

export const callRequests: HttpKind = {
  requests: [
    {
      url: `${twilioApi}/Calls.json`,
      basic: twilioAuth,
      form: {
        From: '{set.twilioFrom}',
        To: '{value.value}',
        Twiml: '<Response><Say>{title|html}. {reason|html}</Say></Response>',
      },
    },
  ],
  response: noSuchNumber,
};
