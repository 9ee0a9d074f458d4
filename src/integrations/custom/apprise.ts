/** The kind of integration for Apprise. */

import { line, needed } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { forms, only } from '../contract/values.ts';

export const apprise: Kind = {
  form: {
    title: titles.apprise,
    steps: [
      'Find the service in the list at github.com/caronc/apprise/wiki.',
      'Make its URL as the list says, such as gotify://host/token.',
      'Try it there first: apprise -b hello URL.',
    ],
    keeps: 'text',
    fields: [line('value', 'Apprise URL', { ...needed, help: 'E.g. gotify://host/token.', part: 'apprise' })],
  },
  category: 'Custom',
  line: 'Any service of Apprise',
  icon: 'megaphone',
  audience: 'people',
  needs: ['appriseUrl'],
  valueError: only(forms.apprise),
};

export const appriseRequests: HttpKind = {
  requests: [
    {
      url: '{set.appriseUrl}/notify',
      trusted: true,
      json: {
        urls: '{value.value}',
        title: '{title}',
        body: '{linkedText}',
        type: { down: 'failure', up: 'success', late: 'warning' },
        format: 'text',
      },
    },
  ],
};
