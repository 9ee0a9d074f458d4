/**
 * The mail that asks an address whether it wants alerts. Looks like an alert, so that its readers recognize those.
 * Invariant: pure; says nothing of any check.
 */

import type { Channel, Project } from '../../domain/accounts/project.ts';
import { channelFields } from '../../integrations/channel-value.ts';
import type { OutgoingMail } from '../wire/send-mail.ts';
import { oneLine } from '../words/render.ts';
import { singleMailOf } from './single.ts';

interface VerificationFacts {
  readonly channel: Channel;
  readonly project: Pick<Project, 'name'>;
  /** URL at which the address is confirmed. */
  readonly url: string;
  /** The left part of the Message-ID. */
  readonly id: string;
  readonly nowMs: number;
}

export function verificationMailOf({ channel, project, url, id, nowMs }: VerificationFacts): OutgoingMail {
  const address = String(channelFields('email', channel.value).value);
  const name = oneLine(project.name);
  return singleMailOf(
    {
      subject: `Confirm this address | ${name}`,
      project: name,
      title: 'Confirm this address',
      headline: `Somebody wants to send the alerts of the project ${name} to ${address}. Until you confirm, none are sent.`,
      button: { text: 'Confirm', url },
      footer: { reason: 'If you did not expect this, do nothing.', links: [] },
    },
    { to: address, id, nowMs },
  );
}
