/**
 * What a command on the admin socket names: projects and integrations by id, or by a name that no other has.
 * Invariant: an argument of another type, or one that names nothing, is a KnellError that says so.
 */

import { type Args, type Targets, textIn } from '../../commands/contract/command.ts';
import type { AdminKey, Channel, Project } from '../../domain/accounts/project.ts';
import type { StatusPage } from '../../domain/accounts/status-page.ts';
import type { User } from '../../domain/accounts/user.ts';
import type { Engine } from '../../engine/contract/engine.ts';
import { KnellError } from '../../lib/errors.ts';
import { asKeyId, asStatusPageId } from '../../lib/ids.ts';

export function adminTargets({ read }: Pick<Engine, 'read'>, args: Args): Targets {
  return {
    project: () => projectNamed(read, textIn(args, 'project')),
    channel: () => channelNamed(read, textIn(args, 'channel')),
    key: () => asKeyId(textIn(args, 'id')),
    delivery: () => textIn(args, 'id'),
    statusPage: () => statusPageNamed(read, textIn(args, 'page')),
    adminKey: () => adminKeyNamed(read, textIn(args, 'key')),
    user: () => userNamed(read, typeof args.user === 'string' ? args.user : null),
  };
}

function projectNamed(read: Engine['read'], wanted: string): Project {
  const project = read.projects().find(({ id, name }) => id === wanted || name === wanted);
  if (project) return project;
  throw new KnellError('not-found', `no project is named ${JSON.stringify(wanted)}: see knell project list`);
}

function channelNamed(read: Engine['read'], wanted: string): Channel {
  const all = read.projects().flatMap(({ id }) => read.channels(id));
  const [found, ...others] = all.filter(({ id, name }) => id === wanted || name === wanted);
  const shown = JSON.stringify(wanted);
  if (!found) {
    throw new KnellError('not-found', `no integration is named ${shown}: see knell channel list PROJECT`);
  }
  if (others.length > 0)
    throw new KnellError('conflict', `several integrations are named ${shown}: use the id of one`);
  return found;
}

function adminKeyNamed(read: Engine['read'], wanted: string): AdminKey {
  const key = read.adminKeys().find(({ id, name }) => id === wanted || name === wanted);
  if (key) return key;
  throw new KnellError(
    'not-found',
    `no admin key is named ${JSON.stringify(wanted)}: see knell key list-admin`,
  );
}

function statusPageNamed(read: Engine['read'], wanted: string): StatusPage {
  const page = read.statusPage(asStatusPageId(wanted)) ?? read.statusPageBySlug(wanted);
  if (page) return page;
  const shown = JSON.stringify(wanted);
  throw new KnellError(
    'not-found',
    `no status page has the address ${shown}: see knell status-page list PROJECT`,
  );
}

/** An owner when no name is given. The file system is the permission, so no old password is asked for. */
function userNamed(read: Engine['read'], wanted: string | null): User | null {
  const users = read.users();
  const lower = wanted?.toLowerCase();
  const user = users.find(({ name, role }) =>
    lower === undefined ? role === 'owner' : name.toLowerCase() === lower,
  );
  if (user) return user;
  if (users.length === 0 && wanted === null) return null;
  const known = users.map(({ name }) => name).join(', ') || 'there are none yet';
  throw new KnellError('not-found', `no user is named ${wanted}; users: ${known}`);
}
