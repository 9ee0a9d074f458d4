/**
 * Pings that came by mail, decoded for people. The decoding itself is handed in: it runs on a thread of its own, since a
 * hostile mail can keep a parser busy for seconds.
 * Invariant: never rejects, and takes at most `waitMsMax`. A mail that cannot be decoded in time has a sentence as its text,
 * so that no message shows its source.
 */

import type { Clock } from '../../lib/clock.ts';
import type { PingMail } from '../contract/channel.ts';
import type { PingMailLimits } from '../contract/limits.ts';
import type { MailContents } from '../contract/notify.ts';

interface PingMailsOptions {
  read(mail: Uint8Array): Promise<MailContents>;
  readonly clock: Clock;
  readonly limits: PingMailLimits;
}

const unreadable: PingMail = { subject: '', text: 'This email has no text that can be shown.' };

export class PingMails {
  readonly #options: PingMailsOptions;
  /** Mails by check and number; the oldest first. */
  readonly #kept = new Map<string, Promise<PingMail>>();

  constructor(options: PingMailsOptions) {
    this.#options = options;
  }

  /** `key` identifies the ping. */
  read(key: string, mail: Uint8Array): Promise<PingMail> {
    const known = this.#kept.get(key);
    if (known) return known;
    const reading = this.#within(this.#options.read(mail).then(readableOf, () => unreadable));
    this.#kept.set(key, reading);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#options.limits.keptMax) break;
      this.#kept.delete(oldest);
    }
    return reading;
  }

  #within(reading: Promise<PingMail>): Promise<PingMail> {
    const { clock, limits } = this.#options;
    return new Promise((resolve) => {
      const cancel = clock.after(limits.waitMsMax, () => resolve(unreadable));
      void reading.then((mail) => {
        cancel();
        resolve(mail);
      });
    });
  }
}

function readableOf({ subject, texts }: MailContents): PingMail {
  const text = texts.map(tidy).find((one) => one !== '') ?? '';
  return subject === '' && text === '' ? unreadable : { subject, text };
}

/** Drops the empty lines that the markup of an HTML mail leaves behind. */
function tidy(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
