/**
 * Sends the mails about accounts, each at once and once: who asked for it sees whether the mail server has taken it.
 * Invariant: never rejects. Only of a test, which is the owner's own, the words of the mail server are said.
 */
import type { Ids } from '../../lib/ids.ts';
import { noMailServer } from '../channels/email.ts';
import { type AccountMail, accountMailOf } from '../mail/account.ts';
import type { MailClient } from '../wire/send-mail.ts';

export interface AccountMails {
  /** Whether there is a mail server. */
  readonly canSend: boolean;
  /** Null: the mail server has taken it. Else why not. */
  send(mail: AccountMail): Promise<string | null>;
}

interface AccountMailsOptions {
  /** Null while no mail server is set. */
  mail(): MailClient | null;
  readonly ids: Pick<Ids, 'newUuid'>;
  nowMs(): number;
}

export function createAccountMails({ mail, ids, nowMs }: AccountMailsOptions): AccountMails {
  return {
    get canSend() {
      return mail() !== null;
    },
    async send(wanted) {
      const client = mail();
      if (client === null) return noMailServer;
      const message = accountMailOf(wanted, { id: ids.newUuid(), nowMs: nowMs() });
      const outcome = await client.send(message, wanted.kind === 'test');
      return outcome.kind === 'delivered' ? null : outcome.error;
    },
  };
}
