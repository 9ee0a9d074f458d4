/**
 * A chat of Discord, Matrix, Slack or Telegram, as far as messages that are sent, updated and deleted go: what somebody who reads it sees.
 * Written down from the vendors' documents, not from Knell's templates.
 */
import type { Json } from '../knell.ts';
import type { Answering, Received } from './receivers.ts';

export interface ChatMessage {
  readonly id: string;
  readonly text: string;
  readonly isUpdated: boolean;
  /** The message that it answers; null for none. */
  readonly replyTo: string | null;
}

interface Reply {
  readonly status: number;
  readonly body: Json;
}

/** What one vendor does with a request. */
type Vendor = (chat: Chat, request: Received, message: Json) => Reply;

/** https://docs.discord.com/developers/resources/webhook: execute (an answer only with `wait`), edit message */
const discord: Vendor = (chat, { method, path }, { embeds: [embed] }) => {
  const url = new URL(path, 'http://localhost');
  const text = `${embed.title}\n${embed.description}`;
  const id = /\/messages\/(\w+)$/.exec(url.pathname)?.[1];
  if (method === 'POST' && id === undefined) {
    const sent = chat.send(text, null);
    return url.searchParams.get('wait') === 'true'
      ? { status: 200, body: { id: sent, channel_id: '1', embeds: [embed] } }
      : { status: 204, body: '' };
  }
  if (method === 'PATCH' && id !== undefined && chat.update(id, text)) return { status: 200, body: { id } };
  return { status: 404, body: { message: 'Unknown Message', code: 10008 } };
};

/** https://spec.matrix.org/latest/client-server-api/: a transaction counts once; a replacement of what is not there is taken and shown by none. */
const matrix: Vendor = (chat, { path }, content) => {
  const transaction = path.split('/').at(-1) ?? '';
  const known = chat.transactions.get(transaction);
  if (known !== undefined) return { status: 200, body: { event_id: known } };
  const related = content['m.relates_to'];
  if (related?.rel_type === 'm.replace') {
    chat.update(related.event_id, content['m.new_content'].body);
    return { status: 200, body: { event_id: `$update-${transaction}` } };
  }
  const id = chat.send(content.body, related?.['m.in_reply_to']?.event_id ?? null);
  chat.transactions.set(transaction, id);
  return { status: 200, body: { event_id: id } };
};

/** https://core.telegram.org/bots/api: sendMessage, editMessageText */
const telegram: Vendor = (chat, { path }, { text, message_id, reply_parameters }) => {
  const refused = (description: string): Reply => ({
    status: 400,
    body: { ok: false, error_code: 400, description: `Bad Request: ${description}` },
  });
  if (path.endsWith('/sendMessage')) {
    const replyTo = reply_parameters ? String(reply_parameters.message_id) : null;
    const id = Number(chat.send(text, replyTo));
    return { status: 200, body: { ok: true, result: { message_id: id } } };
  }
  if (!Number.isInteger(message_id)) return refused('message identifier is not specified');
  const shown = chat.find(String(message_id));
  if (!shown) return refused('message to edit not found');
  if (shown.text === text) return refused('message is not modified');
  chat.update(String(message_id), text);
  return { status: 200, body: { ok: true, result: { message_id } } };
};

/**
 * https://docs.slack.dev/reference/methods/chat.postMessage and chat.update: 200 to everything, the word says what is wrong. The
 * address of a webhook needs no token: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 */
const slack: Vendor = (chat, { path, headers }, { channel, ts, text, attachments: [attachment] = [] }) => {
  const refused = (error: string): Reply => ({ status: 200, body: { ok: false, error } });
  const shown = text ?? `${attachment.title}\n${attachment.text}`;
  if (path.startsWith('/services/')) {
    chat.send(shown, null);
    return { status: 200, body: 'ok' };
  }
  if (headers.authorization !== `Bearer ${slackBot.token}`) return refused('invalid_auth');
  if (chat.refusal !== '') return refused(chat.refusal);
  if (channel !== slackBot.channel) return refused('channel_not_found');
  if (path === '/api/chat.postMessage') {
    const sent = chat.send(shown, null);
    return { status: 200, body: { ok: true, channel, ts: `${sent}.000100`, message: { text: '' } } };
  }
  if (path !== '/api/chat.update') return refused('unknown_method');
  const [id = ''] = String(ts).split('.');
  return chat.update(id, shown)
    ? { status: 200, body: { ok: true, channel, ts } }
    : refused('message_not_found');
};

/** What Slack has given the app of the tests, which is a member of that channel. */
export const slackBot = { token: 'xoxb-secret', channel: 'C0123' };

export const vendors = { discord, matrix, slack, telegram };

export class Chat {
  readonly transactions = new Map<string, string>();
  readonly #vendor: Vendor;
  #messages: ChatMessage[] = [];
  #next = 1;
  /** The word with which Slack's methods refuse everything; empty for none. */
  refusal = '';
  /** What the next requests get instead, in their order. */
  failures: number[] = [];

  constructor(vendor: keyof typeof vendors) {
    this.#vendor = vendors[vendor];
  }

  readonly answering: Answering = (request, response) => {
    const failure = this.failures.shift();
    if (failure !== undefined) {
      response.writeHead(failure).end('{}');
      return;
    }
    const { status, body } = this.#vendor(this, request, JSON.parse(request.body));
    response.writeHead(status).end(JSON.stringify(body));
  };

  /** The first line of each message that is there, and whether it was updated: what a reader sees. */
  get titles(): readonly string[] {
    return this.#messages.map(({ text, isUpdated }) => {
      const [title = ''] = text.replace(/<[^>]*>/g, '').split('\n');
      return isUpdated ? `${title} (edited)` : title;
    });
  }

  get replies(): readonly (string | null)[] {
    return this.#messages.map(({ replyTo }) => replyTo);
  }

  find(id: string): ChatMessage | undefined {
    return this.#messages.find((message) => message.id === id);
  }

  send(text: string, replyTo: string | null): string {
    const id = String(this.#next++);
    this.#messages.push({ id, text, isUpdated: false, replyTo });
    return id;
  }

  update(id: string, text: string): boolean {
    const place = this.#messages.findIndex((message) => message.id === id);
    const message = this.#messages[place];
    if (!message) return false;
    this.#messages[place] = { ...message, text, isUpdated: true };
    return true;
  }

  /** Somebody in the chat does that. */
  deleteAll(): void {
    this.#messages = [];
  }
}
