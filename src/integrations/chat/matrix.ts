/** The kind of integration for Matrix. */

import { line, plain } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { forms, only } from '../contract/values.ts';

export const matrix: Kind = {
  form: {
    title: titles.matrix,
    steps: [
      'Choose Find the room, a button that is here once the server has these settings: it shows the bot and a code to invite it with.',
      'Invite the bot of this server to the room: it accepts, and the room appears in the form.',
      'Without the code, copy the Internal room ID: in Element, Room settings, Advanced.',
    ],
    finder: 'matrix-chat',
    keeps: 'text',
    fields: [
      line('value', 'Room', {
        ...plain,
        help: 'The internal room ID, e.g. !id:example.org: Room settings, Advanced.',
        part: 'room',
      }),
    ],
  },
  category: 'Chat',
  line: 'Message to a chat',
  icon: 'grid',
  audience: 'people',
  needs: ['matrixHomeserver', 'matrixToken'],
  valueError: only(forms.room),
};

const message = {
  msgtype: 'm.text',
  body: '{markedTitle}\n{linkedText}',
  format: 'org.matrix.custom.html',
  formatted_body: '<a href="{checkUrl|html}"><strong>{markedTitle|html}</strong></a><br>{html}',
  // The message mentions nobody, whatever its text contains.
  'm.mentions': {},
};
const messagesUrl = '{set.matrixHomeserver}/_matrix/client/v3/rooms/{value.value|url}/send/m.room.message';

export const matrixRequests: HttpKind = {
  requests: [
    {
      method: 'PUT',
      url: `${messagesUrl}/{deliveryId}`,
      headers: { Authorization: 'Bearer {set.matrixToken}' },
      trusted: true,
      // What comes later of an incident is a reply: https://spec.matrix.org/latest/client-server-api/#rich-replies
      json: { ...message, 'm.relates_to?': { 'm.in_reply_to': { event_id: '{messageId}' } } },
    },
  ],
  // A transaction of its own. What it says stands once, since an event has its limit; clients that know no replacements show the first
  // body: https://spec.matrix.org/latest/client-server-api/#event-replacements
  update: {
    id: 'event_id',
    request: {
      url: `${messagesUrl}/{deliveryId}.update`,
      json: {
        msgtype: 'm.text',
        body: '* {markedTitle}',
        'm.mentions': {},
        'm.new_content': message,
        'm.relates_to': { rel_type: 'm.replace', event_id: '{messageId}' },
      },
    },
  },
  // An event has at most 65,536 bytes, both bodies included: https://spec.matrix.org/latest/client-server-api/#size-limits
  limit: { max: 16_000, unit: 'bytes', bodyCharsMax: 1000 },
  response: {
    retryAfter: { path: 'retry_after_ms', unitMs: 1 },
    // The user is not a member of the room: it was removed, or it never joined.
    // https://spec.matrix.org/latest/client-server-api/#standard-error-response
    gone: [{ status: 403, field: { path: 'errcode', values: ['M_FORBIDDEN'] } }],
  },
};
