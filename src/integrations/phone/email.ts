/** The kind of integration that sends email. */

import { bothEvents, line, plain } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import { forms, jsonOr, unlessUnticked } from '../contract/values.ts';

export const email: Kind = {
  form: {
    title: 'Email',
    help: 'A message for each check that goes down or recovers.',
    keeps: 'json',
    fields: [line('value', 'Email address', { ...plain, part: 'mail' }), ...bothEvents],
  },
  category: 'Email and SMS',
  line: 'Down, late and recovery mails',
  icon: 'mail',
  popular: 2,
  audience: 'people',
  needs: ['mailUrl'],
  valueError: jsonOr(forms.mail, 'an email address, or {"value": "a@example.org", "up": true, "down": true}'),
  accepts: unlessUnticked,
};
