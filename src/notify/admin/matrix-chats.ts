/**
 * Finds the Matrix room for an integration: its owner invites the bot with a code as the reason, or invites it and sends the code in the
 * room. The room that the code came from is the one (https://spec.matrix.org/latest/client-server-api/#syncing).
 * Invariants: the home server is asked only while somebody looks for a room, and nothing of other messages is kept. A room is shown
 * to nobody but who has the code that was sent there. An encrypted room is found by its invitation only: messages cannot be read.
 */
import type { MatrixBot, MatrixChat, MatrixChatSearch } from '../../domain/deliveries/matrix-chat.ts';
import { parseObject } from '../../integrations/contract/values.ts';
import { messageOf } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import {
  chatNameCharsMax,
  matrixAnswerBytesMax,
  matrixInvitationsMax,
  matrixJoinsAtOnceMax,
  matrixJoinsMax,
  matrixMessageCharsMax,
  matrixMessagesMax,
} from '../contract/limits.ts';
import type { NotifySettings } from '../contract/settings.ts';
import type { SendHttp } from '../wire/send-http.ts';
import { oneLine } from '../words/render.ts';
import { ChatCodes } from './chat-codes.ts';

interface Options {
  readonly send: SendHttp;
  readonly settings: Pick<NotifySettings, 'matrixHomeserver' | 'matrixToken'>;
  readonly ids: Pick<Ids, 'randomBase62'>;
  nowMs(): number;
}

type Fields = Readonly<Record<string, unknown>>;

const none = { not_types: ['*'] };
const noise = { presence: none, account_data: none };
const quiet = { state: none, ephemeral: none, account_data: none };
/** What is new: messages and invitations. */
const newFilter = {
  ...noise,
  room: { ...quiet, timeline: { types: ['m.room.message'], limit: matrixMessagesMax } },
};
/** For the place from which on it is new: which invitations there are, and nothing of what was said. */
const firstFilter = { ...noise, room: { ...quiet, timeline: { ...none, limit: 1 } } };
/** For that place alone, if the bot is in more rooms than an answer has place for. */
const placeFilter = { ...noise, room: { rooms: [] } };

const notMatrix = 'what answers at KNELL_MATRIX_HOMESERVER is no home server of Matrix';
const tooMuch = 'the bot is in so many rooms that Knell cannot look for one: enter the room ID';

export class MatrixChats {
  readonly #options: Options;
  readonly #codes: ChatCodes<MatrixChat>;
  readonly #abort = new AbortController();
  #bot = '';
  /** Up to where everything was read; empty: nothing was. */
  #since = '';
  /** Rooms that the bot is invited to, with the code of the invitation; empty for one without. */
  readonly #invitations = new Map<string, string>();
  /** Invitations without a code that were accepted since the first of the forms that wait. */
  #joins = 0;
  #hasFailed = false;
  #reading: Promise<string | null> | null = null;

  constructor(options: Options) {
    this.#options = options;
    this.#codes = new ChatCodes(options);
  }

  stop(): void {
    this.#abort.abort();
  }

  /** A new code, and the bot that is to be invited. A text is the reason why there is none. */
  async begin(): Promise<MatrixBot | string> {
    const me = await this.#call('GET', 'account/whoami');
    if (typeof me === 'string') return me;
    const bot = me.user_id;
    if (typeof bot !== 'string' || !/^@\S{1,254}$/.test(bot))
      return 'the home server does not say whose access token KNELL_MATRIX_TOKEN is';
    if (this.#codes.isEmpty || this.#hasFailed || bot !== this.#bot) this.#forget(bot);
    const error = this.#since === '' ? await this.#readOnce() : null;
    return error ?? { code: this.#codes.begin(), bot };
  }

  /** The room that the code was for. Looks at what came since the last look. */
  async find(code: string): Promise<MatrixChatSearch> {
    const known = this.#codes.get(code);
    if (!known) return { state: 'expired' };
    if (known.chat === null) {
      const error = (await this.#readOnce()) ?? known.error;
      if (error !== '') return { state: 'failed', error };
    }
    return known.chat === null ? { state: 'waiting' } : { state: 'found', chat: known.chat };
  }

  #forget(bot: string): void {
    this.#bot = bot;
    this.#since = '';
    this.#joins = 0;
    this.#invitations.clear();
  }

  /** Those who look at once wait for one look. */
  #readOnce(): Promise<string | null> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** The reason, if it cannot be read. */
  async #read(): Promise<string | null> {
    const updates = this.#since === '' ? tooMuch : await this.#sync(newFilter);
    const read = updates === tooMuch ? await this.#first() : updates;
    this.#hasFailed = typeof read === 'string';
    if (typeof read === 'string') return read;
    const { join, invite } = objectAt(read, 'rooms');
    for (const [room, invitation] of Object.entries(Object(invite))) this.#takeInvitation(room, invitation);
    const found: Promise<void>[] = [];
    for (const [room, joined] of Object.entries(Object(join))) {
      const code = this.#codeIn(room, joined);
      if (code !== undefined) found.push(this.#found(room, code));
    }
    // Those with a code first.
    const invitations = [...this.#invitations].sort(([, one], [, other]) => other.length - one.length);
    for (const [room, code] of invitations.slice(0, matrixJoinsAtOnceMax))
      found.push(this.#accept(room, code));
    await Promise.all(found);
    return null;
  }

  async #first(): Promise<Fields | string> {
    this.#since = '';
    const all = await this.#sync(firstFilter);
    return all === tooMuch ? this.#sync(placeFilter) : all;
  }

  async #sync(filter: object): Promise<Fields | string> {
    const query = new URLSearchParams({
      ...{ filter: JSON.stringify(filter), timeout: '0', set_presence: 'offline' },
      ...(this.#since === '' ? {} : { since: this.#since }),
    });
    const updates = await this.#call('GET', `sync?${query}`);
    if (typeof updates === 'string') return updates;
    if (typeof updates.next_batch !== 'string') return notMatrix;
    this.#since = updates.next_batch;
    return updates;
  }

  #takeInvitation(room: string, invitation: unknown): void {
    if (!/^!\S{1,254}$/.test(room)) return;
    const own = eventsAt(Object(invitation), 'invite_state').find(
      ({ type, state_key: key }) => type === 'm.room.member' && key === this.#bot,
    );
    const reason = String(objectAt(own ?? {}, 'content').reason ?? '').slice(0, matrixMessageCharsMax);
    const code = this.#codes.wantedIn(reason) ?? '';
    // The codes are bounded, too.
    if (code !== '' || this.#invitations.size < matrixInvitationsMax) this.#invitations.set(room, code);
  }

  /** The code that somebody has sent in the room. */
  #codeIn(room: string, joined: unknown): string | undefined {
    if (!/^!\S{1,254}$/.test(room)) return undefined;
    for (const { type, sender, ...event } of eventsAt(Object(joined), 'timeline').slice(-matrixMessagesMax)) {
      if (type !== 'm.room.message' || sender === this.#bot) continue;
      const text = String(objectAt(event, 'content').body ?? '').slice(0, matrixMessageCharsMax);
      const code = this.#codes.wantedIn(text);
      if (code !== undefined) return code;
    }
    return undefined;
  }

  async #accept(room: string, code: string): Promise<void> {
    if (code === '' && this.#joins >= matrixJoinsMax) return;
    this.#invitations.delete(room);
    if (code === '') this.#joins++;
    const joined = await this.#call('POST', `join/${encodeURIComponent(room)}`, {});
    if (code === '') return;
    if (typeof joined !== 'string') return this.#found(room, code);
    const known = this.#codes.get(code);
    if (known) known.error = `the bot was invited and cannot join the room: ${joined}`;
    // Who tries again has another code, and cannot invite once more.
    this.#invitations.set(room, '');
  }

  async #found(room: string, code: string): Promise<void> {
    const path = `rooms/${encodeURIComponent(room)}`;
    const named = await this.#call('GET', `${path}/state/m.room.name`);
    const name = typeof named === 'string' ? '' : named.name;
    const known = this.#codes.get(code);
    if (!known || known.chat !== null) return;
    known.chat = {
      id: room,
      name: [...oneLine(typeof name === 'string' ? name : '')].slice(0, chatNameCharsMax).join(''),
    };
    const said = { msgtype: 'm.notice', body: 'This room was found. Go back to Knell to add it.' };
    void this.#call('PUT', `${path}/send/m.room.message/${code}`, said);
  }

  /** Never rejects: a text is the reason why there is no answer. `path`: below `/_matrix/client/v3/`. */
  async #call(method: string, path: string, body?: object): Promise<Fields | string> {
    const { matrixHomeserver: server, matrixToken: token } = this.#options.settings;
    if (server === '' || token === '')
      return 'Matrix needs KNELL_MATRIX_HOMESERVER and KNELL_MATRIX_TOKEN to be set';
    const request = {
      ...{
        method,
        url: `${server}/_matrix/client/v3/${path}`,
        trusted: true,
        bytesMax: matrixAnswerBytesMax,
      },
      headers: { Authorization: `Bearer ${token}`, ...(body ? { 'Content-Type': 'application/json' } : {}) },
      body: body ? JSON.stringify(body) : null,
    };
    try {
      const answer = await this.#options.send(request, this.#abort.signal);
      if (answer.status !== 200) return refusalOf(answer.status);
      if (Buffer.byteLength(answer.body) > matrixAnswerBytesMax) return tooMuch;
      return parseObject(answer.body) ?? notMatrix;
    } catch (error) {
      return messageOf(error);
    }
  }
}

/** What may be wrong: https://spec.matrix.org/latest/client-server-api/#standard-error-response. The answer may repeat what was sent. */
function refusalOf(status: number): string {
  if (status === 401) return 'the home server does not know the access token: KNELL_MATRIX_TOKEN is wrong';
  if (status === 403) return 'the home server does not allow it';
  if (status === 404) return 'there is no Matrix at the address of KNELL_MATRIX_HOMESERVER';
  if (status === 429) return 'the home server gets too many requests: wait a minute, and try again';
  return `the home server answered with status ${status}`;
}

function objectAt(fields: Fields, name: string): Fields {
  return Object(fields[name]) as Fields;
}

function eventsAt(fields: Fields, name: string): readonly Fields[] {
  const { events } = objectAt(fields, name);
  return Array.isArray(events) ? events.map((event) => Object(event) as Fields) : [];
}
