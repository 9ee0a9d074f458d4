/**
 * Alerts to browsers: the key that a browser subscribes with, and a subscription that has taken the place of another one.
 * Invariant: a subscription is replaced only by somebody who may edit its integration, and who names the one before: only its
 * browser and Knell know that.
 */
import { settingsOf } from '../../../domain/accounts/project.ts';
import { mayActAs, roleInProject } from '../../../domain/accounts/user.ts';
import type { CountView } from '../../../domain/views/page-view.ts';
import { projectsSeenBy } from '../../../engine/reads/build-report.ts';
import { channelFields } from '../../../integrations/channel-value.ts';
import { jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import { textIn, type UserCall } from '../calls/call.ts';
import { editChannel } from './owner-endpoints.ts';

/** The public half; the private one stays where it is. */
export function showPushKey({ context }: UserCall): HttpReply {
  return jsonReply({ key: context.pushKey() });
}

/** `before` is the endpoint that integrations have, `value` what they get. One that Knell has disabled since is enabled again. */
export async function replaceSubscription(call: UserCall): Promise<HttpReply> {
  const { context, principal, json } = call;
  const { read } = context.engine;
  const [before, value] = [textIn(json, 'before'), textIn(json, 'value')];
  let count = 0;
  for (const { id: project } of projectsSeenBy(read, principal.user)) {
    const role = roleInProject(principal.user, project);
    if (role === 'none' || !mayActAs(role, 'editor')) continue;
    for (const channel of read.channels(project)) {
      if (channel.kind !== 'webpush' || channelFields(channel.kind, channel.value).url !== before) continue;
      const isOff = settingsOf(channel).disabledReason !== '';
      const edit = { value, ...(isOff ? { disabled: false } : {}) };
      const reply = await editChannel.run({ ...call, role, path: { project, id: channel.id }, json: edit });
      if (reply.status >= 400) return reply;
      count++;
    }
  }
  return jsonReply({ count } satisfies CountView);
}
