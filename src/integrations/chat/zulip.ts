/** The kind of integration for Zulip. */

import { line, needed, plain } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { fields, parseObject, plainParts } from '../contract/values.ts';

export const zulip: Kind = {
  form: {
    title: titles.zulip,
    steps: [
      'In Zulip, open Personal settings, Bots, and choose Add a new bot.',
      'Choose Incoming webhook as its type, and add it.',
      'Copy its email address and its API key.',
    ],
    keeps: 'json',
    fields: [
      line('bot_email', "The bot's email address", { ...plain, part: 'mail' }),
      line('api_key', "The bot's API key", { ...needed, part: 'word' }),
      {
        name: 'mtype',
        label: 'Send to',
        input: 'choice',
        open: true,
        first: 'stream',
        choices: [
          ['stream', 'A channel'],
          ['private', 'A person'],
        ],
      },
      line('to', 'Channel or person', {
        ...plain,
        help: "The channel's name, or the person's email address.",
      }),
      line('topic', 'Topic', { open: true, help: 'Default: Knell.' }),
      line('site', 'Zulip URL', {
        open: true,
        help: "If it differs from the part after @ in the bot's email address.",
        part: 'url',
      }),
    ],
  },
  category: 'Chat',
  line: 'Message to a stream',
  icon: 'cloud',
  popular: 13,
  audience: 'people',
  valueError: fields('bot_email', 'api_key', 'to'),
  parts(value) {
    const parts = plainParts(value);
    const [, domain = ''] = String(parts.bot_email ?? '').split('@');
    const site = String(parts.site || `https://${domain}`).replace(/\/+$/, '');
    const mtype = String(parts.mtype || 'stream');
    return { ...parts, site, mtype, recipients: recipients(mtype, parseObject(value)?.to) };
  },
};

export const zulipRequests: HttpKind = {
  requests: [
    {
      url: '{value.site}/api/v1/messages',
      basic: ['{value.bot_email}', '{value.api_key}'],
      form: {
        type: '{value.mtype}',
        to: '{value.recipients}',
        topic: '{topic}',
        content: '**{title|zulip}**: [{linkText}]({checkUrl})\n{zulip}',
      },
    },
  ],
  // A message has at most 10,000 characters: https://zulip.com/api/send-message
  limit: { max: 9000, unit: 'characters', bodyCharsMax: 1000 },
  response: { retryAfter: { path: 'retry-after', unitMs: 1000 } },
};

/** A channel is given by its name or id, people by a JSON list of ids or of email addresses. */
function recipients(mtype: string, to: unknown): string {
  const text = typeof to === 'string' || typeof to === 'number' ? String(to).trim() : JSON.stringify(to);
  if (mtype === 'stream' || text.startsWith('[')) return text;
  const people = text.split(',').map((one) => one.trim());
  return JSON.stringify(people.map((one) => (/^\d+$/.test(one) ? Number(one) : one)));
}
