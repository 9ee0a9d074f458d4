/**
 * Integrations that are added on the vendor's own page (`integrations/contract/connection`): the address of that page, and the exchange of
 * the code.
 * Invariant: an error contains nothing of a request, and of an answer its status and one word at most.
 */
import { nameCharsMax } from '../../domain/limits.ts';
import { type ConnectedKind, connectedKinds, connections, kinds } from '../../integrations/all.ts';
import type { Connected } from '../../integrations/contract/connection.ts';
import { clientVariables } from '../../integrations/contract/settings.ts';
import { messageOf } from '../../lib/errors.ts';
import { errorWordIn } from '../channels/http-response.ts';
import type { NotifySettings } from '../contract/settings.ts';
import type { HttpResponse, SendHttp } from '../wire/send-http.ts';
import { oneLine } from '../words/render.ts';

interface Options {
  readonly send: SendHttp;
  /** Read anew each time: owners may change them. */
  readonly settings: NotifySettings;
}

export interface Exchange {
  /** As the vendor gave it to the browser. */
  readonly code: string;
  /** The one that the vendor has redirected to, without its query. */
  readonly redirectUri: string;
  /** The same for each exchange that is for the same integration. */
  readonly id: string;
}

export class Connections {
  readonly #options: Options;
  /** By `id`: a code is valid once, and a browser may send it twice at the same time. */
  readonly #running = new Map<string, Promise<Connected | string>>();
  readonly #abort = new AbortController();

  constructor(options: Options) {
    this.#options = options;
  }

  stop(): void {
    this.#abort.abort();
  }

  /** The kinds for which this server has an app. */
  get kinds(): readonly ConnectedKind[] {
    return connectedKinds.filter((kind) => {
      const { id, secret } = this.#clientOf(kind);
      return id !== '' && secret !== '';
    });
  }

  /** The address of the vendor's page. */
  pageOf(kind: ConnectedKind, asked: { readonly state: string; readonly redirectUri: string }): string {
    const { authorizeUrl, scope } = connections[kind];
    const url = new URL(authorizeUrl);
    url.search = new URLSearchParams({
      client_id: this.#clientOf(kind).id,
      scope,
      redirect_uri: asked.redirectUri,
      response_type: 'code',
      state: asked.state,
    }).toString();
    return url.href;
  }

  /** Never rejects: a text is the reason why there is no integration. */
  async exchange(kind: ConnectedKind, asked: Exchange): Promise<Connected | string> {
    const { id } = asked;
    const running = this.#running.get(id) ?? this.#exchange(kind, asked);
    this.#running.set(id, running);
    return running.finally(() => this.#running.delete(id));
  }

  async #exchange(kind: ConnectedKind, { code, redirectUri }: Exchange): Promise<Connected | string> {
    const { title } = kinds[kind].form;
    const { id, secret } = this.#clientOf(kind);
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    try {
      const answer = await this.#options.send(
        {
          method: 'POST',
          url: connections[kind].tokenUrl,
          headers: {
            'Content-Type': 'application/x-www-form-urlencoded',
            Accept: 'application/json',
            Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
          },
          body: new URLSearchParams(form).toString(),
        },
        this.#abort.signal,
      );
      const connected = answer.status === 200 ? connections[kind].read(answer.body) : null;
      return connected ? named(connected) : refusalOf(kind, answer, redirectUri);
    } catch (error) {
      return `${title} cannot be reached (${messageOf(error)}): try Add to ${title} again later, or enter the address by hand`;
    }
  }

  #clientOf(kind: ConnectedKind): { readonly id: string; readonly secret: string } {
    const { id, secret } = connections[kind].client;
    return { id: this.#options.settings[id], secret: this.#options.settings[secret] };
  }
}

function named({ value, name }: Connected): Connected {
  return { value, name: [...oneLine(name)].slice(0, nameCharsMax).join('') };
}

/**
 * The words that matter: https://www.rfc-editor.org/rfc/rfc6749#section-5.2 for Discord,
 * https://docs.slack.dev/reference/methods/oauth.v2.access#errors for Slack.
 */
const codeWords: readonly string[] = ['invalid_grant', 'invalid_code', 'code_already_used', 'code_expired'];
const clientWords: readonly string[] = ['invalid_client', 'invalid_client_id', 'bad_client_secret'];

function refusalOf(kind: ConnectedKind, { status, body }: HttpResponse, redirectUri: string): string {
  const { title } = kinds[kind].form;
  const { client } = connections[kind];
  const word = errorWordIn(body, 'error') ?? '';
  if (word === 'bad_redirect_uri')
    return `the app at ${title} does not know this server: add the redirect URL ${redirectUri} there`;
  if (clientWords.includes(word) || status === 401)
    return `${title} does not know this server's app: ${clientVariables[client.id]} or ${clientVariables[client.secret]} is wrong`;
  if (codeWords.includes(word))
    return `${title} does not accept this code any more: choose Add to ${title} again`;
  if (status === 200 && word === '')
    return `${title} named no channel to send to: choose Add to ${title} again, and a channel there`;
  const said = word === '' ? `status ${status}` : word;
  return `${title} refused it (${said}): choose Add to ${title} again, or enter the address by hand`;
}
