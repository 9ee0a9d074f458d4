/**
 * Finds the projects and integrations that a command on the admin socket names, by id or by a unique name.
 * Invariant: a name that nothing has, or several have, is a KnellError that says so.
 */

import type { Targets } from '../../commands/contract/command.ts';
import type { AdminKey, Channel, Project } from '../../domain/accounts/project.ts';
import type { StatusPage } from '../../domain/accounts/status-page.ts';
import type { User } from '../../domain/accounts/user.ts';
import type { MaintenanceWindow } from '../../domain/alerting/maintenance.ts';
import type { Engine } from '../../engine/contract/engine.ts';
import { KnellError } from '../../lib/errors.ts';
import { asKeyId, asStatusPageId } from '../../lib/ids.ts';

export function adminTargets({ read }: Pick<Engine, 'read'>): Targets {
  return {
    project: (named) => projectNamed(read, named),
    channel: (named) => channelNamed(read, named),
    key: asKeyId,
    delivery: (named) => named,
    statusPage: (named) => statusPageNamed(read, named),
    maintenance: (named) => maintenanceNamed(read, named),
    adminKey: (named) => adminKeyNamed(read, named),
    user: (named) => userNamed(read, named),
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

function maintenanceNamed(read: Engine['read'], wanted: string): MaintenanceWindow {
  const all = read.projects().flatMap(({ id }) => read.maintenance(id));
  const [found, ...others] = all.filter(({ id, name }) => id === wanted || name === wanted);
  const shown = JSON.stringify(wanted);
  if (!found)
    throw new KnellError(
      'not-found',
      `no maintenance window is named ${shown}: see knell maintenance list PROJECT`,
    );
  if (others.length > 0)
    throw new KnellError('conflict', `several maintenance windows are named ${shown}: use the id of one`);
  return found;
}

function userNamed(read: Engine['read'], wanted: string): User {
  const users = read.users();
  const user = users.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (user) return user;
  const known = users.map(({ name }) => name).join(', ') || 'there are none yet';
  throw new KnellError('not-found', `no user is named ${wanted}; users: ${known}`);
}
