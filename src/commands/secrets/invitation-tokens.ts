/**
 * What an invitation says beside its link: who invites, and to which project. It is written in the link, behind what makes it valid.
 * Invariant: what it says is signed together with its link, so it says nothing behind another one.
 */
import { asProjectId, asUserId, type ProjectId, type UserId } from '../../lib/ids.ts';
import { same } from './same.ts';

/** `project`: null for the installation as a whole. */
export interface LinkInvitation {
  readonly by: UserId;
  readonly project: ProjectId | null;
}

export interface InvitationTokens {
  /** The link with what the page behind it says. */
  invitation(link: string, invitation: LinkInvitation): string;
  /** Null for a link that says nothing. Not checked here: whether the link itself is valid. */
  invitationOf(link: string): LinkInvitation | null;
}

/** A link has four parts; those after them are of the invitation. */
const linkParts = 4;

export function createInvitationTokens(
  sign: (purpose: string, ...parts: readonly string[]) => string,
): InvitationTokens {
  return {
    invitation(link, { by, project }) {
      const said = `${by}.${project ?? ''}`;
      return `${link}.${said}.${sign('invitation', link, said)}`;
    },
    invitationOf(link) {
      const parts = link.split('.');
      const [by = '', project = '', signature = ''] = parts.slice(linkParts);
      const bare = parts.slice(0, linkParts).join('.');
      if (!same(sign('invitation', bare, `${by}.${project}`), signature)) return null;
      return { by: asUserId(by), project: project === '' ? null : asProjectId(project) };
    },
  };
}
