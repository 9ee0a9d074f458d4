/**
 * The app of a Knell at Slack or Discord: the vendor's page, where a person chooses a channel, what it takes for a code, and the channel
 * itself. Written down from the vendors' documents, not from Knell's code.
 */
import { randomUUID } from 'node:crypto';
import { tempDir } from '../temp-dirs.ts';
import { selfSigned } from './certificate.ts';
import { Chat, slackBot } from './chat.ts';
import { standInFor } from './in-place-of.ts';
import { HttpReceiver, type Received } from './receivers.ts';

interface Rules {
  readonly host: string;
  readonly authorizePath: string;
  readonly tokenPath: string;
  readonly scope: string;
  /** What is answered to a code that is exchanged. */
  readonly given: object;
  readonly refused: (word: string) => { readonly status: number; readonly body: object };
  readonly words: Readonly<Record<'client' | 'redirect' | 'code', string>>;
}

export const secrets = {
  slack: ['xoxb-secret', 'T0/B0/hooksecret', 'slack-client-secret'],
  discord: ['discordhooksecret', 'discord-access', 'discord-refresh', 'discord-client-secret'],
} as const;

const rules = {
  /** https://docs.slack.dev/authentication/installing-with-oauth and /reference/methods/oauth.v2.access */
  slack: {
    host: 'slack.com',
    authorizePath: '/oauth/v2/authorize',
    tokenPath: '/api/oauth.v2.access',
    scope: 'incoming-webhook,chat:write',
    given: {
      ...{ ok: true, access_token: slackBot.token, token_type: 'bot', scope: 'incoming-webhook,chat:write' },
      ...{ bot_user_id: 'U0', app_id: 'A0', team: { name: 'Acme', id: 'T0' }, enterprise: null },
      authed_user: { id: 'U1' },
      incoming_webhook: {
        ...{ channel: '#ops', channel_id: slackBot.channel, configuration_url: 'https://acme.slack.com/x' },
        url: 'https://hooks.slack.com/services/T0/B0/hooksecret',
      },
    },
    refused: (error) => ({ status: 200, body: { ok: false, error } }),
    words: { client: 'bad_client_secret', redirect: 'bad_redirect_uri', code: 'code_already_used' },
  },
  /** https://docs.discord.com/developers/topics/oauth2: webhooks, and RFC 6749, section 5.2 */
  discord: {
    host: 'discord.com',
    authorizePath: '/oauth2/authorize',
    tokenPath: '/api/oauth2/token',
    scope: 'webhook.incoming',
    given: {
      ...{ token_type: 'Bearer', access_token: 'discord-access', scope: 'webhook.incoming' },
      ...{ expires_in: 604_800, refresh_token: 'discord-refresh' },
      webhook: {
        ...{ application_id: '310', name: 'Knell', type: 1, channel_id: '345', guild_id: '290', id: '347' },
        ...{ token: 'discordhooksecret', avatar: null },
        url: 'https://discord.com/api/webhooks/347/discordhooksecret',
      },
    },
    refused: (error) => ({ status: error === 'invalid_client' ? 401 : 400, body: { error } }),
    words: { client: 'invalid_client', redirect: 'invalid_grant', code: 'invalid_grant' },
  },
} as const satisfies Readonly<Record<string, Rules>>;

export type AppVendor = keyof typeof rules;

export const clientOf = (vendor: AppVendor) => ({ id: `${vendor}-app`, secret: `${vendor}-client-secret` });

/** The settings of the Knell whose apps they are. */
export const appSettings = {
  KNELL_SLACK_CLIENT_ID: clientOf('slack').id,
  KNELL_SLACK_CLIENT_SECRET: clientOf('slack').secret,
  KNELL_DISCORD_CLIENT_ID: clientOf('discord').id,
  KNELL_DISCORD_CLIENT_SECRET: clientOf('discord').secret,
};

export class VendorApp {
  readonly server: HttpReceiver;
  readonly chat: Chat;
  readonly exchanges: Received[] = [];
  /** Instead of an answer to an exchange: a status and a body, or nothing at all. */
  failure: { readonly status: number; readonly body: string } | 'hangs up' | null = null;
  /** The one that somebody has entered in the settings of the app. */
  registered: string;
  /** The secret that the vendor knows. */
  secret: string;
  readonly #rules: Rules;
  readonly #clientId: string;
  readonly #leave: () => void;
  /** Those that were not exchanged, with the address that they were given to. */
  readonly #codes = new Map<string, string>();

  private constructor(vendor: AppVendor, server: HttpReceiver, leave: () => void, registered: string) {
    this.server = server;
    this.#leave = leave;
    this.#rules = rules[vendor];
    this.registered = registered;
    const { id, secret } = clientOf(vendor);
    this.#clientId = id;
    this.secret = secret;
    this.chat = new Chat(vendor);
    server.answering = (request, response, nth) => {
      if (request.path !== this.#rules.tokenPath) return this.chat.answering(request, response, nth);
      this.exchanges.push(request);
      if (this.failure === 'hangs up') return void response.destroy();
      const { status, body } = this.failure ?? this.#exchange(request);
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    };
  }

  static async start(vendor: AppVendor, registered = 'http://knell.test/connected'): Promise<VendorApp> {
    const { host } = rules[vendor];
    const certificate = selfSigned(tempDir(), 1, host);
    const server = await HttpReceiver.start(certificate);
    return new VendorApp(vendor, server, standInFor({ host, port: server.port, certificate }), registered);
  }

  async stop(): Promise<void> {
    this.#leave();
    await this.server.stop();
  }

  /** Somebody allows it on the vendor's page, and chooses a channel: where the browser goes then. */
  allow(page: string): URL {
    const { back, state } = this.#opened(page);
    const code = randomUUID();
    this.#codes.set(code, back.href);
    back.search = new URLSearchParams({ code, state }).toString();
    return back;
  }

  /** All codes are older than it takes them. */
  forget(): void {
    this.#codes.clear();
  }

  /** Somebody does not. */
  deny(page: string): URL {
    const { back, state } = this.#opened(page);
    back.search = new URLSearchParams({ error: 'access_denied', state }).toString();
    return back;
  }

  /** Throws what the page shows instead of its question. */
  #opened(page: string): { readonly back: URL; readonly state: string } {
    const { origin, pathname, searchParams: asked } = new URL(page);
    const { host, authorizePath, scope } = this.#rules;
    if (origin + pathname !== `https://${host}${authorizePath}`) throw new Error('no such page');
    if (asked.get('client_id') !== this.#clientId) throw new Error('no such app');
    if (asked.get('scope') !== scope) throw new Error('invalid scope');
    if (asked.get('response_type') !== 'code') throw new Error('invalid response type');
    if (asked.get('redirect_uri') !== this.registered) throw new Error('redirect_uri did not match');
    return { back: new URL(this.registered), state: asked.get('state') ?? '' };
  }

  #exchange({ method, headers, body }: Received): { readonly status: number; readonly body: string } {
    const { refused, words, given } = this.#rules;
    const reply = (status: number, answer: object) => ({ status, body: JSON.stringify(answer) });
    const refuse = (word: string) => {
      const { status, body: said } = refused(word);
      return reply(status, said);
    };
    const basic = Buffer.from(`${this.#clientId}:${this.secret}`).toString('base64');
    const form = new URLSearchParams(body);
    if (method !== 'POST' || headers['content-type'] !== 'application/x-www-form-urlencoded')
      return refuse('invalid_request');
    if (headers.authorization !== `Basic ${basic}`) return refuse(words.client);
    if (form.get('grant_type') !== 'authorization_code') return refuse('unsupported_grant_type');
    const back = this.#codes.get(form.get('code') ?? '');
    this.#codes.delete(form.get('code') ?? '');
    if (back === undefined) return refuse(words.code);
    return form.get('redirect_uri') === back ? reply(200, given) : refuse(words.redirect);
  }
}
