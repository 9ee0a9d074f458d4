/** A client of server-sent events over a socket of its own: it reads what comes, and can stop taking for a while. */
import { type ClientRequest, type IncomingMessage, request } from 'node:http';

export interface SentEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

export class EventStream {
  readonly events: SentEvent[] = [];
  /** The id that a browser would send when it comes back. */
  lastEventId = '';
  isOver = false;
  #rest = '';
  readonly #request: ClientRequest;
  readonly #response: IncomingMessage;

  private constructor(sent: ClientRequest, response: IncomingMessage) {
    this.#request = sent;
    this.#response = response;
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.#take(text));
    response.on('close', () => {
      this.isOver = true;
    });
    response.on('error', () => {});
  }

  /** Rejects for an answer that is no stream. */
  static open(url: string, headers: Readonly<Record<string, string>>): Promise<EventStream> {
    return new Promise((resolve, reject) => {
      const sent = request(url, { headers, agent: false });
      sent.on('error', reject);
      sent.on('response', (response) => {
        if (response.statusCode === 200) resolve(new EventStream(sent, response));
        else reject(new Error(`the server answered ${response.statusCode}`));
      });
      sent.end();
    });
  }

  pause(): void {
    this.#response.pause();
  }

  resume(): void {
    this.#response.resume();
  }

  async end(): Promise<void> {
    this.#request.destroy();
  }

  #take(text: string): void {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) this.#takeBlock(block);
  }

  #takeBlock(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => {
        const at = line.indexOf(':');
        return [line.slice(0, at), line.slice(at + 1).trimStart()] as const;
      }),
    );
    this.lastEventId = fields.get('id') ?? this.lastEventId;
    const data = fields.get('data');
    if (data !== undefined)
      this.events.push({ id: this.lastEventId, type: fields.get('event') ?? 'message', data });
  }
}
