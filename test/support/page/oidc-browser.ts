/**
 * An OpenID Connect provider, `oidc-provider` of npm, and a client that keeps cookies per host as a browser does: what a person
 * does who signs in there.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export const oidcClient = { id: 'knell', secret: 'a secret of forty characters, more or less' };
export const callback = 'http://knell.test/web/oidc/callback';

/** By what is typed as the login. */
export type People = Map<string, Readonly<Record<string, unknown>>>;

export class OidcServer {
  readonly people: People = new Map();
  readonly issuer: string;
  readonly #server: Server;

  private constructor(server: Server, issuer: string) {
    this.#server = server;
    this.issuer = issuer;
  }

  /** `redirectUri`: where it sends browsers back to. */
  static async start(redirectUri = callback): Promise<OidcServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const one = new OidcServer(server, issuer);
    const provider = new Provider(issuer, {
      clients: [{ client_id: oidcClient.id, client_secret: oidcClient.secret, redirect_uris: [redirectUri] }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      cookies: { keys: ['a key'] },
      findAccount: (_: unknown, sub: string) => ({
        accountId: sub,
        claims: () => ({ sub, ...one.people.get(sub) }),
      }),
    });
    server.on('request', provider.callback());
    return one;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export class OidcBrowser {
  readonly #knell: () => string;
  readonly #cookies = new Map<string, Map<string, string>>();

  /** `knell`: where the host `knell.test` is. */
  constructor(knell: () => string) {
    this.#knell = knell;
  }

  /** Another one with the same cookies. */
  copy(): OidcBrowser {
    const other = new OidcBrowser(this.#knell);
    for (const [host, jar] of this.#cookies) other.#cookies.set(host, new Map(jar));
    return other;
  }

  /** What it sends to Knell, for a client that goes on from here. */
  get cookie(): string {
    return [...(this.#cookies.get('knell.test') ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async request(address: string, form?: Readonly<Record<string, string>>): Promise<Response> {
    const url = new URL(address);
    const jar = this.#cookies.get(url.host) ?? new Map<string, string>();
    this.#cookies.set(url.host, jar);
    const there = url.host === 'knell.test' ? this.#knell() + url.pathname + url.search : address;
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(there, {
      redirect: 'manual',
      headers: { cookie },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  /** Begins at Knell: the address at the provider. */
  async start(): Promise<string> {
    const response = await this.request('http://knell.test/web/oidc/start');
    return response.headers.get('location') ?? '';
  }

  /** Signs in at the provider, agrees to everything; the address at Knell to which the provider sends the browser. */
  async signInAt(address: string, login: string): Promise<string> {
    let at = address;
    for (let step = 0; step < 12; step++) {
      if (at.startsWith(callback)) return at;
      const response = await this.request(at);
      const location = response.headers.get('location');
      if (location !== null) at = new URL(location, at).href;
      else at = await this.#submit(at, await response.text(), login);
    }
    throw new Error(`the provider did not come to an end at ${at}`);
  }

  async #submit(at: string, html: string, login: string): Promise<string> {
    const action = /action="([^"]+)"/.exec(html)?.[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(html)?.[1];
    if (action === undefined || prompt === undefined) throw new Error(html);
    const response = await this.request(new URL(action, at).href, { prompt, login, password: 'any' });
    return new URL(response.headers.get('location') ?? '', at).href;
  }

  /** All of it; where Knell sends the browser then. */
  async signIn(login: string): Promise<string> {
    return this.land(await this.signInAt(await this.start(), login));
  }

  async land(address: string): Promise<string> {
    const response = await this.request(address);
    return response.headers.get('location') ?? String(response.status);
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects.
  async state(): Promise<any> {
    return (await this.request('http://knell.test/web/state')).json();
  }
}
