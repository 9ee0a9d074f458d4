/**
 * A home server of Matrix as its document describes it to one bot: whoami, sync with filters, join, state, send
 * (https://spec.matrix.org/latest/client-server-api/). The calls of this class are what people do in their own clients.
 */
import type { Json } from '../knell.ts';
import { HttpReceiver, type Received } from './receivers.ts';

const forbidden = [403, { errcode: 'M_FORBIDDEN', error: 'not in it' }] as const;

interface Room {
  readonly name: string;
  readonly encrypted: boolean;
  invited: { readonly at: number; readonly event: Json } | null;
  joinedAt: number | null;
  readonly timeline: { readonly at: number; readonly event: Json }[];
}

interface NewRoom {
  readonly name?: string;
  readonly encrypted?: boolean;
}

export class MatrixServer {
  static readonly token = 'bot-secret';
  readonly bot = '@knell:example.org';
  readonly rooms = new Map<string, Room>();
  /** What the bot has sent, by the room. */
  readonly sent: { readonly room: string; readonly content: Json }[] = [];
  /** Filters and tokens of the syncs. */
  readonly syncs: Json[] = [];
  /** Status instead of an answer, of paths that begin so; empty for none. */
  refusing: { readonly path: string; readonly status: number } = { path: '', status: 0 };
  /** Bytes that are added to each answer of a sync that has rooms in it. */
  padding = 0;
  readonly server: HttpReceiver;
  #now = 0;

  private constructor(server: HttpReceiver) {
    this.server = server;
    server.answering = (received, response) => {
      const [status, json] = this.#answer(received);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(json));
    };
  }

  static async start(): Promise<MatrixServer> {
    return new MatrixServer(await HttpReceiver.start());
  }

  get env() {
    return {
      KNELL_MATRIX_HOMESERVER: `http://127.0.0.1:${this.server.port}`,
      KNELL_MATRIX_TOKEN: MatrixServer.token,
    };
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  create(id: string, { name = '', encrypted = false }: NewRoom = {}): string {
    this.rooms.set(id, { name, encrypted, invited: null, joinedAt: null, timeline: [] });
    return id;
  }

  invite(id: string, reason?: string): void {
    const content = { membership: 'invite', ...(reason === undefined ? {} : { reason }) };
    const event = { type: 'm.room.member', sender: '@ann:example.org', state_key: this.bot, content };
    this.#room(id).invited = { at: ++this.#now, event };
  }

  say(id: string, text: string, sender = '@ann:example.org'): void {
    const { encrypted, timeline } = this.#room(id);
    const event = encrypted
      ? { type: 'm.room.encrypted', content: { algorithm: 'm.megolm.v1.aes-sha2', ciphertext: 'AwgA' } }
      : { type: 'm.room.message', content: { msgtype: 'm.text', body: text } };
    timeline.push({ at: ++this.#now, event: { ...event, sender, event_id: `$${this.#now}` } });
  }

  #room(id: string): Room {
    const room = this.rooms.get(id);
    if (!room) throw new Error(`no room ${id}`);
    return room;
  }

  #answer({ path, method, headers, body }: Received): readonly [status: number, json: Json] {
    const url = new URL(path, 'http://matrix.test');
    const [, call = ''] = /^\/_matrix\/client\/v3\/(.+)$/.exec(url.pathname) ?? [];
    if (headers.authorization !== `Bearer ${MatrixServer.token}`)
      return [401, { errcode: 'M_UNKNOWN_TOKEN', error: `unknown ${headers.authorization}` }];
    if (this.refusing.path !== '' && call.startsWith(this.refusing.path))
      return [this.refusing.status, { errcode: 'M_UNKNOWN', error: `secret of ${path}` }];
    if (method === 'GET' && call === 'account/whoami') return [200, { user_id: this.bot }];
    if (method === 'GET' && call === 'sync') return [200, this.#sync(url.searchParams)];
    const [, what, id = '', rest = ''] = /^(join|rooms)\/([^/]+)(?:\/(.+))?$/.exec(call) ?? [];
    const room = this.rooms.get(decodeURIComponent(id));
    if (method === 'POST' && what === 'join') {
      if (!room || (room.invited === null && room.joinedAt === null)) return forbidden;
      room.joinedAt ??= ++this.#now;
      room.invited = null;
      return [200, { room_id: decodeURIComponent(id) }];
    }
    if (!room || room.joinedAt === null) return forbidden;
    if (method === 'GET' && rest === 'state/m.room.name')
      return room.name === '' ? [404, { errcode: 'M_NOT_FOUND' }] : [200, { name: room.name }];
    if (method !== 'PUT' || !rest.startsWith('send/m.room.message/'))
      return [404, { errcode: 'M_UNRECOGNIZED' }];
    this.sent.push({ room: decodeURIComponent(id), content: JSON.parse(body) });
    this.say(decodeURIComponent(id), JSON.parse(body).body, this.bot);
    return [200, { event_id: `$${this.#now}` }];
  }

  #sync(query: URLSearchParams): Json {
    const filter = JSON.parse(query.get('filter') ?? '{}');
    const since = query.has('since') ? Number(query.get('since')) : null;
    this.syncs.push({ filter, since, timeout: query.get('timeout') });
    const next = { next_batch: String(this.#now) };
    if (filter.room?.rooms?.length === 0) return next;
    const join: Json = {};
    const invite: Json = {};
    for (const [id, room] of this.rooms) {
      if (room.invited && room.invited.at > (since ?? 0))
        invite[id] = { invite_state: { events: [room.invited.event] } };
      const events = room.joinedAt === null ? [] : this.#timeline(room, filter.room.timeline, since);
      if (events.length > 0) join[id] = { timeline: { events, limited: false } };
    }
    return { ...next, rooms: { join, invite }, ...(this.padding > 0 ? { x: 'x'.repeat(this.padding) } : {}) };
  }

  /** What was said before the bot came is in it, too, where the history is visible to new members, as it is by default. */
  #timeline({ timeline, joinedAt }: Room, filter: Json, since: number | null): Json[] {
    const from = since === null || (joinedAt ?? 0) > since ? 0 : since;
    const isWanted = ({ type }: Json): boolean =>
      (filter.types?.includes(type) ?? true) && !(filter.not_types ?? []).includes('*');
    return timeline
      .filter(({ at, event }) => at > from && isWanted(event))
      .map(({ event }) => event)
      .slice(-filter.limit);
  }
}
