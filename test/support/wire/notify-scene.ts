/** Knells of a test, and the servers that their integrations notify: an HTTP receiver and a mail server. */
import { afterEach, beforeEach } from 'vitest';
import { type Answer, Knell, type KnellOptions } from '../knell.ts';
import { HttpReceiver, MailReceiver } from './receivers.ts';

interface ChannelSpec {
  readonly kind?: string;
  readonly name?: string;
  readonly value?: unknown;
  readonly [setting: string]: unknown;
}

/** A delivery, as `knell outbox list` shows it. */
interface Shown {
  readonly id: string;
  readonly state: string;
  readonly error: string;
  readonly next: string;
}

export class NotifyScene {
  #receiver: HttpReceiver | null = null;
  #mail: MailReceiver | null = null;
  readonly #running: Knell[] = [];

  /** For the tests of one file, each of which begins with nothing. */
  static forFile(): NotifyScene {
    const scene = new NotifyScene();
    beforeEach(async () => {
      scene.#receiver = await HttpReceiver.start();
      scene.#mail = await MailReceiver.start();
    });
    afterEach(async () => {
      for (const knell of scene.#running.splice(0)) await knell.stop();
      await scene.receiver.stop();
      await scene.mail.stop();
    });
    return scene;
  }

  get receiver(): HttpReceiver {
    if (!this.#receiver) throw new Error('no test is running');
    return this.#receiver;
  }

  get mail(): MailReceiver {
    if (!this.#mail) throw new Error('no test is running');
    return this.#mail;
  }

  readonly start = async ({ env, ...options }: KnellOptions = {}): Promise<Knell> => {
    const knell = await Knell.start({
      ...options,
      env: { KNELL_WEBHOOK_ALLOW: '127.0.0.0/8', KNELL_MAIL_URL: this.mail.url, ...env },
    });
    this.#running.push(knell);
    return knell;
  };

  readonly admin = (knell: Knell, command: string, args: Readonly<Record<string, unknown>> = {}) =>
    knell.app.admin({ command, args }, () => {});

  /** Its id. A webhook that is notified of down and up, unless something else is given. */
  readonly channel = async (
    knell: Knell,
    { kind = 'webhook', name = '', value, ...rest }: ChannelSpec = {},
  ): Promise<string> => {
    const url = this.receiver.url('/$STATUS/$NAME');
    const text = typeof value === 'string' ? value : JSON.stringify(value ?? { url_down: url, url_up: url });
    const args = { project: 'default', kind, name, value: text, ...rest };
    return ((await this.admin(knell, 'channel create', args)) as { id: string }).id;
  };

  readonly outbox = async (knell: Knell): Promise<readonly Shown[]> =>
    (await this.admin(knell, 'outbox list')) as readonly Shown[];

  /** Of what the receiver got, in its order. */
  readonly paths = (): string[] => this.receiver.all.map(({ path }) => path);

  readonly ping = (knell: Knell, uuid: string, action = '', body?: string): Promise<Answer> =>
    knell.request(`/ping/${uuid}${action}`, body === undefined ? {} : { method: 'POST', body });
}
