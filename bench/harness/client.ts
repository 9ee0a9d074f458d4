/**
 * One client of the management API: one connection that stays open, one call at a time.
 * Invariant: what is timed is from the call to the last byte of the answer, and an answer that is neither a 2xx nor a 304 that was asked for is an error.
 */
import { Agent, request } from 'node:http';

export interface Call {
  readonly path: string;
  readonly body?: unknown;
  /** The tag of an answer that the client has: then 304 is no error. */
  readonly ifNoneMatch?: string;
}

export interface Answer {
  readonly ms: number;
  readonly text: string;
  /** Its ETag; empty for none. */
  readonly tag: string;
}

export class ApiClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;
  readonly #apiKey: string;

  constructor(url: string, apiKey: string) {
    this.#url = url;
    this.#apiKey = apiKey;
  }

  /** With a body it is a POST. */
  call({ path, body, ifNoneMatch }: Call): Promise<Answer> {
    const startedMs = performance.now();
    return new Promise((resolve, reject) => {
      const options = { agent: this.#agent, method: body === undefined ? 'GET' : 'POST' };
      const known = ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch };
      const headers = { 'X-Api-Key': this.#apiKey, ...known };
      const outgoing = request(`${this.#url}${path}`, { ...options, headers }, (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.once('end', () => {
          const ms = performance.now() - startedMs;
          const text = Buffer.concat(chunks).toString();
          const { statusCode = 0 } = reply;
          const isKnown = statusCode === 304 && ifNoneMatch !== undefined;
          if (statusCode < 300 || isKnown) resolve({ ms, text, tag: reply.headers.etag ?? '' });
          else reject(new Error(`${path}: ${statusCode} ${text}`));
        });
      });
      outgoing.once('error', reject);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
