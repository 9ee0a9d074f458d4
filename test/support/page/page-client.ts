/** The page's endpoints as a browser uses it: keeps the cookie, sends the token that the state has given it. */
import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { type Answer, answerOf, type Knell } from '../knell.ts';

/** Whatever answers: a Knell in this process, or one elsewhere. */
export type Answering = Pick<Knell, 'request'>;

export const goodPassword = 'correct horse battery';

export class PageClient {
  readonly #knell: Answering;
  readonly #headers: Readonly<Record<string, string>>;
  cookie = '';
  csrf = '';

  constructor(knell: Answering, headers: Readonly<Record<string, string>> = {}) {
    this.#knell = knell;
    this.#headers = headers;
  }

  async get(path: string): Promise<Answer> {
    const answer = await this.#knell.request(path, { headers: { ...this.#headers, cookie: this.cookie } });
    if (path === '/web/state') this.csrf = answer.json().csrf;
    return answer;
  }

  async send(method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
    const answer = await this.#knell.request(path, {
      method,
      headers: {
        ...this.#headers,
        cookie: this.cookie,
        'content-type': 'application/json',
        'x-knell-csrf': this.csrf,
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const set = answer.headers.get('set-cookie');
    if (set !== null) this.cookie = set.split(';')[0] ?? '';
    return answer;
  }

  post(path: string, body: unknown = {}): Promise<Answer> {
    return this.send('POST', path, body);
  }

  async signIn(name: string, password: string = goodPassword): Promise<Answer> {
    const answer = await this.post('/web/sign-in', { name, password });
    await this.get('/web/state');
    return answer;
  }
}

/** The part of a link's address that is the link. */
export function linkIn(url: string | null): string {
  return url?.split('#')[1] ?? '';
}

/** A page whose owner has just set the first password. */
export async function ownerPage(knell: Knell): Promise<PageClient> {
  const page = new PageClient(knell);
  const { setUpUrl } = (await knell.app.leading) ?? knell.app;
  await page.post('/web/set-password', { link: linkIn(setUpUrl), name: 'ada', password: goodPassword });
  await page.get('/web/state');
  return page;
}

/** A Knell in another process; `url` is asked for each time, since a restart may change it. */
export function knellAt(url: () => string): Answering {
  return {
    request: async (path, init = {}) => answerOf(await fetch(url() + path, { redirect: 'manual', ...init })),
  };
}

/** The id of the first project that the page shows. */
export async function projectIn(page: PageClient): Promise<string> {
  return (await page.get('/web/state')).json().projects[0].id;
}

/** A WebSocket of `page`, let in. */
export async function listener(knell: Knell, page: PageClient) {
  const project = await projectIn(page);
  const url = `${knell.app.httpUrl}/web/live?project=${project}&csrf=${page.csrf}`;
  const asked = request(url, { headers: { cookie: page.cookie, ...upgrade } }).end();
  const [, socket]: Socket[] = await once(asked, 'upgrade');
  socket?.resume();
  return { closed: once(socket ?? asked, 'close'), isOpen: () => socket?.readyState === 'open' };
}

/** Headers that ask for a WebSocket. */
export const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-version': '13',
};
