/**
 * A push service (RFC 8030) on this machine, over HTTPS, in the place of one on the internet: it verifies who sends, keeps what it
 * got, and answers as a test sets.
 */
import { webcrypto } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type Certificate, selfSigned } from './certificate.ts';
import { standInFor } from './in-place-of.ts';
import { HttpReceiver, type Received } from './receivers.ts';

interface Claims {
  readonly aud: string;
  /** Seconds since the epoch. */
  readonly exp: number;
  readonly sub: string;
}

/** The claims of a header `vapid t=…, k=…`, and the key; rejects unless it is signed with that. */
export async function verifiedClaims(
  authorization: string,
): Promise<{ readonly claims: Claims; readonly key: string }> {
  const [, head = '', content = '', signature = '', key = ''] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const bytes = (text: string) => Buffer.from(text, 'base64url');
  const publicKey = await webcrypto.subtle.importKey('raw', bytes(key), algorithm, false, ['verify']);
  const signed = Buffer.from(`${head}.${content}`);
  if (!(await webcrypto.subtle.verify(algorithm, publicKey, bytes(signature), signed)))
    throw new Error('not signed with that key');
  if (JSON.parse(bytes(head).toString()).alg !== 'ES256') throw new Error('not ES256');
  return { claims: JSON.parse(bytes(content).toString()), key };
}

const host = 'push.example.org';

export class PushService {
  /** What it answers: 201 unless a test sets another one. */
  answer: (response: ServerResponse) => void = (response) => response.writeHead(201).end();
  readonly #receiver: HttpReceiver;
  readonly #leave: () => void;

  private constructor(receiver: HttpReceiver, certificate: Certificate) {
    this.#receiver = receiver;
    this.#leave = standInFor({ host, port: receiver.port, certificate });
    receiver.answering = (_, response) => this.answer(response);
  }

  static async start(directory: string): Promise<PushService> {
    const certificate = selfSigned(directory, 1, host);
    return new PushService(await HttpReceiver.start(certificate), certificate);
  }

  get origin(): string {
    return `https://${host}`;
  }

  get all(): readonly Received[] {
    return this.#receiver.all;
  }

  /** Forgets what came, and answers as at the start. */
  forget(): void {
    this.#receiver.all.length = 0;
    this.answer = (response) => response.writeHead(201).end();
  }

  /** The request number `nth`, from 1 on, once it is there. */
  async request(nth: number): Promise<Received> {
    const found = (await this.#receiver.until(nth))[nth - 1];
    if (!found) throw new Error(`there is no request ${nth}`);
    return found;
  }

  async stop(): Promise<void> {
    this.#leave();
    await this.#receiver.stop();
  }
}
