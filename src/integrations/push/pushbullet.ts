/** The kind of integration for Pushbullet. */

import { line, needed } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { forms, only } from '../contract/values.ts';

export const pushbullet: Kind = {
  form: {
    title: titles.pushbullet,
    steps: [
      'Sign in to pushbullet.com, and open Settings, Account.',
      'Choose Create Access Token.',
      'Copy the token, which is shown only then.',
    ],
    keeps: 'text',
    fields: [line('value', 'Access token', { ...needed, part: 'word' })],
  },
  category: 'Push',
  line: 'Push to phones and browsers',
  icon: 'forward',
  audience: 'people',
  valueError: only(forms.word),
};

export const pushbulletRequests: HttpKind = {
  requests: [
    {
      url: 'https://api.pushbullet.com/v2/pushes',
      headers: { 'Access-Token': '{value.value}' },
      json: {
        type: 'link',
        title: '{title}',
        body: '{text}',
        url: '{checkUrl}',
        guid: '{deliveryId}',
      },
    },
  ],
  // 401 means that the access token is not valid: https://docs.pushbullet.com/#http-status-codes
  response: { refused: [403], gone: [{ status: 401 }] },
};
