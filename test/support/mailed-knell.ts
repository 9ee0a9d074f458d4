/** A Knell whose mail arrives at a receiver of its own. */
import { Knell, type KnellOptions } from './knell.ts';
import { MailReceiver } from './wire/receivers.ts';

export interface MailedKnell {
  readonly knell: Knell;
  readonly inbox: MailReceiver;
  readonly stop: () => Promise<void>;
}

export async function startMailed(options: Omit<KnellOptions, 'env'> = {}): Promise<MailedKnell> {
  const inbox = await MailReceiver.start();
  const env = { KNELL_MAIL_URL: inbox.url, KNELL_BASE_URL: 'https://knell.test' };
  const knell = await Knell.start({ ...options, env });
  const stop = async (): Promise<void> => {
    await knell.stop();
    await inbox.stop();
  };
  return { knell, inbox, stop };
}
