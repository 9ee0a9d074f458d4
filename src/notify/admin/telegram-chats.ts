/**
 * Finds the chat of Telegram in which somebody wants to be notified: that person sends a code to the bot, in a chat with it, in a group,
 * a topic or a channel, and where the code was sent is the chat (https://core.telegram.org/bots/api#getupdates).
 * Invariant: the bot's messages are read only while somebody looks for a chat, and nothing of the others is kept. A code is known to who
 * asked for it, and is worth nothing after some minutes, nor after a restart.
 */
import type { TelegramBot, TelegramChat, TelegramChatSearch } from '../../domain/deliveries/telegram-chat.ts';
import type { Ids } from '../../lib/ids.ts';
import { fieldOf } from '../channels/http-response.ts';
import { chatNameCharsMax } from '../contract/limits.ts';
import type { HttpResponse, SendHttp } from '../wire/send-http.ts';
import { oneLine } from '../words/render.ts';
import { ChatCodes } from './chat-codes.ts';

interface Options {
  readonly send: SendHttp;
  /** Empty while none is set. */
  readonly token: () => string;
  readonly ids: Pick<Ids, 'randomBase62'>;
  nowMs(): number;
}

export class TelegramChats {
  readonly #options: Options;
  readonly #codes: ChatCodes<TelegramChat>;
  readonly #abort = new AbortController();
  /** The number of the next message to read; those before it are read. */
  #offset = 0;
  #reading: Promise<string | null> | null = null;

  constructor(options: Options) {
    this.#options = options;
    this.#codes = new ChatCodes(options);
  }

  stop(): void {
    this.#abort.abort();
  }

  /** A new code, and the bot to which it is to be sent. A text is the reason why there is none. */
  async begin(): Promise<TelegramBot | string> {
    const answer = await this.#call('getMe', {});
    if (typeof answer === 'string') return answer;
    const name = fieldOf(answer.body, 'result.username');
    if (typeof name !== 'string' || !/^\w{1,64}$/.test(name))
      return 'Telegram does not say what the bot is called';
    return { code: this.#codes.begin(), bot: name };
  }

  /** Where the code was sent. Looks at what was sent to the bot since the last look. */
  async find(code: string): Promise<TelegramChatSearch> {
    const known = this.#codes.get(code);
    if (!known) return { state: 'expired' };
    if (known.chat === null) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = null;
      });
      const error = await this.#reading;
      if (error !== null) return { state: 'failed', error };
    }
    return known.chat === null ? { state: 'waiting' } : { state: 'found', chat: known.chat };
  }

  /** The reason, if the messages cannot be read. */
  async #read(): Promise<string | null> {
    const answer = await this.#call('getUpdates', {
      ...{ offset: this.#offset, limit: 20, timeout: 0 },
      allowed_updates: ['message', 'channel_post'],
    });
    if (typeof answer === 'string') return answer;
    const updates = fieldOf(answer.body, 'result');
    for (const update of Array.isArray(updates) ? updates : []) this.#take(Object(update));
    return null;
  }

  #take({ update_id: id, message, channel_post: post }: Record<string, unknown>): void {
    if (typeof id === 'number') this.#offset = Math.max(this.#offset, id + 1);
    const said = Object(message ?? post) as Record<string, unknown>;
    const [, code = ''] = /^\/start(?:@\w+)?\s+(\w+)\s*$/.exec(String(said.text ?? '')) ?? [];
    const known = this.#codes.get(code);
    const chat = chatOf(said);
    if (!known || known.chat !== null || chat === null) return;
    known.chat = chat;
    void this.#call('sendMessage', {
      ...{ chat_id: chat.id, ...(chat.topicId === null ? {} : { message_thread_id: chat.topicId }) },
      text: 'This chat was found. Go back to Knell to add it.',
    });
  }

  /** Never rejects: a text is the reason why there is no answer. */
  async #call(method: string, body: object): Promise<HttpResponse | string> {
    const { send, token } = this.#options;
    if (token() === '') return 'Telegram needs KNELL_TELEGRAM_TOKEN to be set';
    const request = {
      ...{ method: 'POST', url: `https://api.telegram.org/bot${token()}/${method}` },
      ...{ headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
    };
    try {
      const answer = await send(request, this.#abort.signal);
      return answer.status === 200 ? answer : refusalOf(answer.status);
    } catch (error) {
      return error instanceof Error ? error.message : 'Telegram cannot be reached';
    }
  }
}

/** What may be wrong: https://core.telegram.org/bots/api#making-requests. The answer itself may repeat what was sent. */
function refusalOf(status: number): string {
  if (status === 401 || status === 404)
    return 'Telegram does not know the bot: KNELL_TELEGRAM_TOKEN is wrong';
  if (status === 409)
    return 'another program reads what is sent to this bot, so Knell cannot: enter the chat ID, or use a bot of its own';
  return `Telegram answered with status ${status}`;
}

/** https://core.telegram.org/bots/api#message */
function chatOf({
  chat,
  is_topic_message: isTopic,
  message_thread_id: topic,
}: Record<string, unknown>): TelegramChat | null {
  const { id, title, first_name: first, username } = Object(chat) as Record<string, unknown>;
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return null;
  const name = [title, first, username].find((one) => typeof one === 'string' && one !== '');
  return {
    id,
    topicId: isTopic === true && typeof topic === 'number' ? topic : null,
    name: [...oneLine(String(name ?? ''))].slice(0, chatNameCharsMax).join(''),
  };
}
