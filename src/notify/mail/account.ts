/**
 * The mails about an account: the invitation of a member, the link for a forgotten password or a new address, what was done with the
 * account, the offer of a project, and the test of the mail server. They look like alerts, by the same templates.
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
  /** The link by which a new address is confirmed. */
  | { readonly kind: 'address'; readonly name: string; readonly url: string }
  /** In its place, to an address that another account has. */
  | { readonly kind: 'address-taken'; readonly url: string }
  /** To the address before it. */
  | { readonly kind: 'address-changed'; readonly name: string; readonly after: string; readonly url: string }
  | { readonly kind: 'closed'; readonly name: string; readonly url: string }
  | { readonly kind: 'offer'; readonly by: string; readonly project: string; readonly url: string }
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

type Words = { readonly [Kind in AccountMail['kind']]: (mail: Extract<AccountMail, { kind: Kind }>) => Said };

const nothingExpected = 'If it was not you, do nothing';

const words: Words = {
  invitation({ to, by, project, url }) {
    const where = project === '' ? 'Knell' : `the project ${oneLine(project)}`;
    return {
      subject: `${oneLine(by)} invites you to ${where}`,
      title: `You are invited to ${where}`,
      headline: `${oneLine(by)} has created an account for ${to}. Choose a password to sign in with. The link works once, within 24 hours; after that, "Forgot your password?" sends another one.`,
      button: { text: 'Choose a password', url },
      footer: { reason: 'If you did not expect this, do nothing.', links: [] },
    };
  },
  password: ({ name, url }) => ({
    subject: 'Set a new password | Knell',
    title: 'Set a new password',
    headline: `Somebody asked for a new password of ${oneLine(name)}. The link works once, within 24 hours. Two-factor sign-in stays as it is.`,
    button: { text: 'Set a new password', url },
    footer: { reason: `${nothingExpected}: your password stays as it is.`, links: [] },
  }),
  address: ({ to, name, url }) => ({
    subject: 'Confirm your new address | Knell',
    title: 'Confirm your new address',
    headline: `${oneLine(name)} asked to use ${to} for the account, as the name to sign in with. Nothing changes before you confirm it. The link works once, within 24 hours.`,
    button: { text: 'Confirm this address', url },
    footer: { reason: `${nothingExpected}: nothing changes.`, links: [] },
  }),
  'address-taken': ({ to, url }) => ({
    subject: 'There is an account with your address already | Knell',
    title: 'You have an account already',
    headline: `Somebody asked to use ${to} for another account. You have one with this address, so nothing was changed, and nothing will be.`,
    button: { text: 'Open Knell', url },
    footer: { reason: 'If it was you, sign in with this address.', links: [] },
  }),
  'address-changed': ({ name, after, url }) => ({
    subject: 'Your address was changed | Knell',
    title: 'Your address was changed',
    headline: `The account ${oneLine(name)} is called ${oneLine(after)} now. Use that to sign in. Links for a new password no longer come to this address.`,
    button: { text: 'Open Knell', url },
    footer: { reason: 'If it was not you, write to an owner of this server at once.', links: [] },
  }),
  closed: ({ name, url }) => ({
    subject: 'Your account was closed | Knell',
    title: 'Your account was closed',
    headline: `The account ${oneLine(name)} is gone, with its sessions, its passkeys and its reports. Projects and checks stay.`,
    button: { text: 'Open Knell', url },
    footer: { reason: 'If it was not you, write to an owner of this server at once.', links: [] },
  }),
  offer: ({ by, project, url }) => ({
    subject: `${oneLine(by)} offers you the project ${oneLine(project)}`,
    title: `Take over the project ${oneLine(project)}?`,
    headline: `${oneLine(by)} wants to hand the project ${oneLine(project)} over to you. If you accept, you become its owner. You have 7 days; until then nothing changes.`,
    button: { text: 'Accept or decline', url },
    footer: { reason: 'If you do nothing, the offer expires.', links: [] },
  }),
  test: ({ by, url }) => ({
    subject: 'Test email from Knell',
    title: 'Email works',
    headline: `${oneLine(by)} asked Knell to send this email. Alerts, reports and invitations arrive the same way.`,
    button: { text: 'Open Knell', url },
    footer: { reason: '', links: [] },
  }),
};

function saidOf<Kind extends AccountMail['kind']>(mail: Extract<AccountMail, { kind: Kind }>): Said {
  const say: (mail: Extract<AccountMail, { kind: Kind }>) => Said = words[mail.kind as Kind];
  return say(mail);
}
