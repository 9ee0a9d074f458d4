/** The mail client of the settings of the moment: an owner may set another mail server, or a first one, while Knell runs. */

import type { MailLimits } from '../contract/limits.ts';
import type { NotifySettings } from '../contract/settings.ts';
import { createMailClient, type MailClient } from './send-mail.ts';

export class ChangingMailClient {
  readonly #settings: Pick<NotifySettings, 'mailUrl' | 'mailFrom'>;
  readonly #limits: MailLimits;
  #client: MailClient | null = null;
  #of = '';

  constructor(settings: Pick<NotifySettings, 'mailUrl' | 'mailFrom'>, limits: MailLimits) {
    this.#settings = settings;
    this.#limits = limits;
    // Now, rather than when the first alert is due: loading the library takes a while.
    void this.current;
  }

  /** Null while no mail server is set. What is being sent by the one before is finished. */
  get current(): MailClient | null {
    const { mailUrl, mailFrom } = this.#settings;
    const of = JSON.stringify([mailUrl, mailFrom]);
    if (of !== this.#of) {
      this.close();
      this.#client = createMailClient(mailUrl, mailFrom, this.#limits);
      this.#of = of;
    }
    return this.#client;
  }

  close(): void {
    this.#client?.close();
    this.#client = null;
  }
}
