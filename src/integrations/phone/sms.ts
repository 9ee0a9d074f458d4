/** The kind of integration that sends text messages. */

import { bothEvents, phone } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { phoneRule, unlessUnticked } from '../contract/values.ts';
import { byTwilio, noSuchNumber, twilio, twilioApi, twilioAuth, twilioStep } from './twilio.ts';

export const sms: Kind = {
  form: {
    title: titles.sms,
    help: byTwilio,
    steps: [
      twilioStep,
      'Some countries take messages only of a registered sender: see Regulatory Compliance there.',
      'Enter the number that is to get the messages in the international form, such as +4912345678.',
    ],
    keeps: 'json',
    fields: [phone, ...bothEvents],
  },
  category: 'Email and SMS',
  line: 'Text message to a phone',
  icon: 'phone-lines',
  audience: 'people',
  needs: twilio,
  valueError: phoneRule,
  accepts: unlessUnticked,
};

export const smsRequests: HttpKind = {
  requests: [
    {
      url: `${twilioApi}/Messages.json`,
      basic: twilioAuth,
      form: { From: '{set.twilioFrom}', To: '{value.value}', Body: '{sms}', RiskCheck: 'disable' },
    },
  ],
  response: noSuchNumber,
};
