/**
 * Browsers, by Web Push. Code, not only data: the message is encrypted for the browser (RFC 8291), and the request has to say which
 * server it is from (VAPID, RFC 8292).
 * Invariant: only the browser can read what a message says.
 */
import { createECDH } from 'node:crypto';
import type { Channel } from '../../domain/accounts/project.ts';
import { channelFields } from '../../integrations/channel-value.ts';
import { webpushRequests } from '../../integrations/push/webpush.ts';
import type { PushAuthorization, Send } from '../contract/channel.ts';
import { pushBytesMax } from '../contract/limits.ts';
import type { SendHttp } from '../wire/send-http.ts';
import { cut } from '../words/render.ts';
import { type HttpKindOptions, senderOf } from './http-kind.ts';

interface WebPushOptions extends HttpKindOptions {
  readonly pushAuthorization: PushAuthorization;
}

export function webPushSender(options: WebPushOptions): Send {
  return (notice, signal) => {
    const keys = keysOf(notice.channel);
    if (!isOnCurve(keys.p256dh))
      return Promise.resolve({ kind: 'refused', error: 'the subscription has a key that is not valid' });
    const send: SendHttp = async (request, stop) => {
      const headers = {
        ...request.headers,
        'Content-Type': 'application/octet-stream',
        'Content-Encoding': 'aes128gcm',
        Authorization: options.pushAuthorization(request.url, options.nowMs()),
      };
      const body = await encrypted(fitting(String(request.body)), keys);
      return options.send({ ...request, headers, body }, stop);
    };
    return senderOf(webpushRequests, { ...options, send })(notice, signal);
  };
}

export interface SubscriptionKeys {
  /** The browser's public key: an uncompressed point of P-256. */
  readonly p256dh: Buffer;
  /** The secret that it shares with Knell. */
  readonly auth: Buffer;
}

function keysOf({ kind, value }: Channel): SubscriptionKeys {
  const { p256dh, auth } = channelFields(kind, value);
  return { p256dh: Buffer.from(String(p256dh), 'base64url'), auth: Buffer.from(String(auth), 'base64url') };
}

/** A point elsewhere would make the shared secret one that can be guessed: OpenSSL takes none. */
function isOnCurve(point: Buffer): boolean {
  const own = createECDH('prime256v1');
  own.generateKeys();
  try {
    return own.computeSecret(point).length > 0;
  } catch {
    return false;
  }
}

/** The message with as much of its text as push services take: escapes of JSON can make it six times as long. */
export function fitting(json: string): string {
  const message = JSON.parse(json) as { readonly text: string };
  const chars = [...message.text].length;
  for (const share of [1, 1 / 2, 1 / 4, 1 / 8]) {
    const shorter = JSON.stringify({ ...message, text: cut(message.text, Math.floor(chars * share)) });
    if (Buffer.byteLength(shorter) <= pushBytesMax) return shorter;
  }
  return JSON.stringify({ ...message, text: '' });
}

interface Chosen {
  /** The key pair of this message alone. */
  readonly privateKey: ReturnType<typeof createECDH>;
  /** 16 bytes. */
  readonly salt: Buffer;
}

/** As one record of the coding `aes128gcm`, with a new key pair and a new salt unless they are given. */
export async function encrypted(
  text: string,
  { p256dh, auth }: SubscriptionKeys,
  chosen: Partial<Chosen> = {},
): Promise<Buffer> {
  // Loaded when the first message is sent: most Knells have none.
  const { encrypt } = await import('http_ece');
  const privateKey = chosen.privateKey ?? createECDH('prime256v1');
  if (!chosen.privateKey) privateKey.generateKeys();
  const { salt } = chosen;
  return encrypt(Buffer.from(text), {
    ...{ version: 'aes128gcm', dh: p256dh, authSecret: auth, privateKey },
    ...(salt ? { salt } : {}),
  });
}
