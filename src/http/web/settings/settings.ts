/**
 * The settings of a project as the page shows them.
 * Invariant: only owners of a project see its members, and only owners of the installation see who is not a member.
 */

import { channelsApart } from '../../../domain/accounts/channels-apart.ts';
import { planLimits } from '../../../domain/accounts/plan-limits.ts';
import { getsAlerts } from '../../../domain/accounts/project.ts';
import { mayActAs } from '../../../domain/accounts/user.ts';
import type { ProjectSettings } from '../../../domain/views/page-view.ts';
import { day } from '../../../lib/units.ts';
import { jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import { handOverOf } from '../account/hand-over.ts';
import type { ProjectCall } from '../calls/call.ts';
import { mayPing } from '../calls/shown-id.ts';
import { channelView } from './channel-view.ts';
import { membersFor } from './members.ts';

export function showSettings({ context, project, principal, role, nowMs }: ProjectCall): Promise<HttpReply> {
  const { read } = context.engine;
  return read.durably(() => {
    const { checksMax } = planLimits[project.plan];
    const channels = read.channels(project.id);
    const mayEdit = mayActAs(role, 'editor');
    const apart = channelsApart(channels, mayEdit);
    const settings: ProjectSettings = {
      project: {
        id: project.id,
        name: project.name,
        plan: project.plan,
        role,
        checks: read.checkCount(project.id),
        checksMax: Number.isFinite(checksMax) ? checksMax : null,
        ...(project.retention === undefined ? {} : { retention: project.retention }),
      },
      keys: read.keys(project.id).map(({ id, name, scope, clear, beginning, usedDay, createdAtMs }) => ({
        id,
        ...(name === undefined ? {} : { name }),
        scope,
        clear: mayPing(role) ? clear : null,
        ...(mayPing(role) && beginning !== undefined ? { beginning } : {}),
        ...(usedDay === undefined ? {} : { lastUsed: usedDay === null ? null : dateOfDay(usedDay) }),
        createdAtMs,
      })),
      channels: channels.filter(getsAlerts).map((one) => channelView(one, mayEdit, apart(one.id))),
      members: role === 'owner' ? membersFor(principal.user, read.users(), project.id) : [],
      handOver: role === 'owner' ? handOverOf(read, project, nowMs) : null,
    };
    return jsonReply(settings);
  });
}

/** Returns `2026-11-12`. */
function dateOfDay(usedDay: number): string {
  return new Date(usedDay * day).toISOString().slice(0, 10);
}
