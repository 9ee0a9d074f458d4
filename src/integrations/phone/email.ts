/** The kind of integration that sends email. */

import { bothEvents, line, plain } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import { titles } from '../contract/titles.ts';
import { forms, jsonOr, unlessUnticked } from '../contract/values.ts';

export const email: Kind = {
  form: {
    title: titles.email,
    help: 'An email when a check goes down or recovers.',
    steps: [
      'Choose an address that somebody reads when it matters.',
      'Enter it here, and confirm it by the link in the email that goes there.',
      'If none arrives, look in the spam folder, or send it again from the list.',
    ],
    keeps: 'json',
    fields: [line('value', 'Email address', { ...plain, part: 'mail' }), ...bothEvents],
  },
  category: 'Email and SMS',
  line: 'Down and recovery mails',
  icon: 'mail',
  popular: 2,
  audience: 'people',
  needs: ['mailUrl'],
  valueError: jsonOr(forms.mail, 'an email address, or {"value": "a@example.org", "up": true, "down": true}'),
  accepts: unlessUnticked,
};
