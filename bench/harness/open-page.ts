/**
 * What an open page of the list asks of the server and gets from it, without a browser: state, list, the connection for live
 * updates, and the list again when the counts have changed, once a second at most.
 * Invariant: it costs its own process little, so that a hundred of them do not measure themselves.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** The proxy's header that signs a page in. */
export const userHeader = 'Remote-User';
export const pagesEnv = { KNELL_AUTH_PROXY_HEADER: userHeader } as const;

/** As many as the page asks for at once. */
const rowsShown = 60;
const listEveryMs = 1000;
const textOpcode = 1;

export interface PageOptions {
  readonly url: string;
  readonly user: string;
  /** The UUID of a check that is watched besides the rows in sight. */
  readonly also?: string;
  /** Called with each message, when it has come. */
  onUpdate?(text: string): void;
}

export class OpenPage {
  readonly #options: PageOptions;
  readonly #socket: Socket;
  readonly #project: string;
  #received = Buffer.alloc(0);
  #known: string;
  #wantsList = false;
  #counts = '';
  readonly #timer: NodeJS.Timeout;
  messages = 0;

  private constructor(
    options: PageOptions,
    socket: Socket,
    list: { readonly project: string; readonly known: string },
  ) {
    this.#options = options;
    this.#socket = socket;
    this.#project = list.project;
    this.#known = list.known;
    socket.on('data', (bytes) => this.#take(bytes));
    this.#timer = setInterval(() => void this.#listAgain(), listEveryMs);
  }

  static async open(options: PageOptions): Promise<OpenPage> {
    const state = await ask<{ csrf: string; projects: { id: string }[] }>(options, '/web/state');
    const project = state.projects[0]?.id ?? '';
    const list = await ask<{ revision: string; rows: { id: string }[] }>(options, `/web/in/${project}/list`);
    const shown = list.rows.slice(0, rowsShown).map(({ id }) => id);
    const watched = options.also === undefined ? shown : [...shown, options.also];
    const query = new URLSearchParams({ project, csrf: state.csrf });
    const socket = await openLive(options, query);
    socket.write(frame(watched.join(',')));
    return new OpenPage(options, socket, { project, known: list.revision });
  }

  close(): void {
    clearInterval(this.#timer);
    this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    for (let text = this.#next(); text !== null; text = this.#next()) {
      this.messages++;
      if (text.startsWith('{"summary"')) this.#counted(text);
      this.#options.onUpdate?.(text);
    }
  }

  /** Of a server's frames, which are not masked (RFC 6455, 5.2); what is no text is passed over. */
  #next(): string | null {
    const bytes = this.#received;
    if (bytes.length < 2) return null;
    const short = bytes.readUInt8(1) & 127;
    const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
    if (bytes.length < 2 + extended) return null;
    const length =
      extended === 0 ? short : extended === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    const start = 2 + extended;
    if (bytes.length < start + length) return null;
    this.#received = bytes.subarray(start + length);
    const isText = (bytes.readUInt8(0) & 15) === textOpcode;
    return isText ? bytes.toString('utf8', start, start + length) : this.#next();
  }

  /** As the page does, it asks for another order when the counts are others. */
  #counted(text: string): void {
    const { summary }: { summary: { counts: unknown } } = JSON.parse(text);
    const counts = JSON.stringify(summary.counts);
    if (this.#counts !== '' && this.#counts !== counts) this.#wantsList = true;
    this.#counts = counts;
  }

  async #listAgain(): Promise<void> {
    if (!this.#wantsList) return;
    this.#wantsList = false;
    const path = `/web/in/${this.#project}/list?known=${encodeURIComponent(this.#known)}`;
    const { revision } = await ask<{ revision?: string }>(this.#options, path).catch(() => ({
      revision: undefined,
    }));
    if (revision !== undefined) this.#known = revision;
  }
}

async function ask<Answer>({ url, user }: PageOptions, path: string): Promise<Answer> {
  const reply = await fetch(url + path, { headers: { [userHeader]: user } });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${text.slice(0, 200)}`);
  return JSON.parse(text);
}

async function openLive({ url, user }: PageOptions, query: URLSearchParams): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  const lines = [
    `GET /web/live?${query} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    'Sec-WebSocket-Version: 13',
    `${userHeader}: ${user}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const [head]: Buffer[] = await once(socket, 'data');
  const end = head?.indexOf('\r\n\r\n') ?? -1;
  if (!head?.toString('latin1').startsWith('HTTP/1.1 101') || end < 0)
    throw new Error('no connection for live updates');
  socket.unshift(head.subarray(end + 4));
  return socket;
}

/** A client masks what it sends; with zeros, since nobody listens. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(payload.length < 126 ? 6 : 8);
  head.writeUInt8(0x80 | textOpcode, 0);
  head.writeUInt8(0x80 | Math.min(payload.length, 126), 1);
  if (payload.length >= 126) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}
