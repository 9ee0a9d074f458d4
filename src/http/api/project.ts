/**
 * What belongs to a project as a whole: its integrations, its badges; and whether Knell can write.
 * Invariant: of an integration its value is never shown: it holds secrets.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Check, tagsOf } from '../../domain/check.ts';
import type { EngineRead } from '../../engine/engine.ts';
import { type BadgeUrls, badgeUrls, everyTag } from '../badge-address.ts';
import { checksPerSlice, visitChecks } from '../check-slices.ts';
import { errorReply, jsonReply } from '../json-reply.ts';
import type { HttpReply } from '../message.ts';
import type { ApiCall } from './call.ts';

export function listChannels({ read, project }: ApiCall): Promise<HttpReply> {
  return read.durably(() => {
    const channels = read.channels(project.id).map(({ id, name, kind }) => ({ id, name, kind }));
    return jsonReply({ channels });
  });
}

/** Tags by alphabet, then the one for all checks. */
export async function listBadges(call: ApiCall): Promise<HttpReply> {
  const { read, project, nowMs } = call;
  const slices = await visitChecks(read, project.id, nowMs, tagsIn);
  const tags = new Set(slices.flat());
  tags.delete(everyTag);
  return jsonReply({ badges: Object.fromEntries(await signed(call, [...[...tags].sort(), everyTag])) });
}

/** Each once: a slice has far fewer tags than checks. */
function tagsIn(checks: readonly Check[]): readonly string[] {
  return [...new Set(checks.flatMap((check) => tagsOf(check.config)))];
}

/** A signature costs about as much as the JSON of a check, so they are made in slices too. */
async function signed(call: ApiCall, tags: readonly string[]): Promise<[tag: string, BadgeUrls][]> {
  const signer = { badgeSecret: call.read.badgeSecret, badgeKey: call.project.badgeKey };
  const badges: [string, BadgeUrls][] = [];
  for (const tag of tags) {
    if (badges.length > 0 && badges.length % checksPerSlice === 0) await nextTurn();
    badges.push([tag, badgeUrls(call.baseUrl, signer, tag)]);
  }
  return badges;
}

/** For probes and load balancers (specification, "Service status"). */
export function serviceStatus(read: Pick<EngineRead, 'writable'>): HttpReply {
  if (!read.writable) return errorReply(500, 'the disk is full, pings cannot be recorded');
  return { status: 200, headers: [['Content-Type', 'text/plain']], body: 'OK' };
}
