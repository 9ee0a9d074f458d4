/** The kind of integration for WhatsApp. */

import { bothEvents, phone } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { phoneRule, unlessUnticked } from '../contract/values.ts';
import { byTwilio, noSuchNumber, twilio, twilioApi, twilioAuth, twilioStep } from './twilio.ts';

export const whatsapp: Kind = {
  form: {
    title: titles.whatsapp,
    help: `${byTwilio} And KNELL_WHATSAPP_SERVICE, _DOWN_SID, _UP_SID.`,
    steps: [
      twilioStep,
      'Under Messaging, Services, make a service with a WhatsApp sender, and two templates in Content Template Builder: the server needs their SIDs.',
      'Enter the number that is to get the messages in the international form, such as +4912345678.',
    ],
    keeps: 'json',
    fields: [phone, ...bothEvents],
  },
  category: 'Email and SMS',
  line: 'Message to a phone',
  icon: 'chat-round',
  needs: [...twilio, 'whatsappService', 'whatsappDownSid', 'whatsappUpSid'],
  valueError: phoneRule,
  accepts: unlessUnticked,
};

export const whatsappRequests: HttpKind = {
  requests: [
    {
      url: `${twilioApi}/Messages.json`,
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
};
