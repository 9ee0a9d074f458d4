/**
 * The mails about an account: the invitation of a member, the link for a forgotten password, and the test of the mail server. They
 * look like alerts, by the same templates.
 * Invariant: pure; a name that somebody chose is one line of text.
 */
import type { OutgoingMail } from '../wire/send-mail.ts';
import { oneLine } from '../words/render.ts';
import type { MailContent } from './content.ts';
import { singleMailOf } from './single.ts';

export type AccountMail = { readonly to: string } & (
  | {
      readonly kind: 'invitation';
      /** Name of the member who invites. */
      readonly by: string;
      /** Empty where it is for the installation as a whole. */
      readonly project: string;
      readonly url: string;
    }
  | { readonly kind: 'password'; readonly name: string; readonly url: string }
  | { readonly kind: 'test'; readonly by: string; readonly url: string }
);

interface MailFacts {
  /** The left part of the Message-ID. */
  readonly id: string;
  readonly nowMs: number;
}

export function accountMailOf(mail: AccountMail, facts: MailFacts): OutgoingMail {
  return singleMailOf({ project: '', ...saidOf(mail) }, { to: mail.to, ...facts });
}

type Said = Pick<MailContent, 'subject' | 'title' | 'headline' | 'button' | 'footer'>;

function saidOf(mail: AccountMail): Said {
  const { url } = mail;
  if (mail.kind === 'invitation') {
    const to = mail.project === '' ? 'Knell' : `the project ${oneLine(mail.project)}`;
    return {
      subject: `${oneLine(mail.by)} invites you to ${to}`,
      title: `You are invited to ${to}`,
      headline: `${oneLine(mail.by)} has created an account for ${mail.to}. Choose a password to sign in with. The link works once, within 24 hours; after that, "Forgot your password?" sends another one.`,
      button: { text: 'Choose a password', url },
      footer: { reason: 'If you did not expect this, do nothing.', links: [] },
    };
  }
  if (mail.kind === 'password')
    return {
      subject: 'Set a new password | Knell',
      title: 'Set a new password',
      headline: `Somebody asked for a new password of ${oneLine(mail.name)}. The link works once, within 24 hours. Two-factor sign-in stays as it is.`,
      button: { text: 'Set a new password', url },
      footer: { reason: 'If it was not you, do nothing: your password stays as it is.', links: [] },
    };
  return {
    subject: 'Test email from Knell',
    title: 'Email works',
    headline: `${oneLine(mail.by)} asked Knell to send this email. Alerts, reports and invitations arrive the same way.`,
    button: { text: 'Open Knell', url },
    footer: { reason: '', links: [] },
  };
}
