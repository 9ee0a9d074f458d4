/**
 * Endpoints of a project as a whole: its integrations and its badges; and whether Knell can write.
 * Invariant: the value of an integration is never shown, because it contains secrets.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Check, tagsOf } from '../../domain/check/check.ts';
import type { BadgeListAnswer, ChannelListAnswer } from '../../domain/views/api-answers.ts';
import type { EngineRead } from '../../engine/contract/engine.ts';
import { notWritableWords } from '../../engine/contract/not-written.ts';
import { visitChecks } from '../../engine/reads/check-slices.ts';
import { badgeUrls, everyTag } from '../badges/badge-address.ts';
import { badgeTagsAtFirst, badgeTagsPerPart } from '../limits.ts';
import { errorReply, jsonReply, renderedReply } from '../wire/json-reply.ts';
import type { HttpReply } from '../wire/message.ts';
import { tagsInTurns } from '../wire/sorted-in-turns.ts';
import type { ApiCall } from './call.ts';

export function listChannels({ read, project }: ApiCall): Promise<HttpReply> {
  return read.durably(() => {
    const channels = read.channels(project.id).map(({ id, name, kind }) => ({ id, name, kind }));
    return jsonReply({ channels } satisfies ChannelListAnswer);
  });
}

/**
 * Lists the tags in alphabetical order, then the one for all checks. It is rendered in parts, like a list of checks (`checks`).
 */
export async function listBadges(call: ApiCall): Promise<HttpReply> {
  const { read, project, nowMs } = call;
  const tags = await tagsInTurns(await visitChecks(read, project.id, nowMs, tagsIn));
  const parts = await badgeParts(call, [...tags.filter((tag) => tag !== everyTag), everyTag]);
  return renderedReply({ parts, length: parts.reduce((sum, { length }) => sum + length, 0) });
}

/** Collects each tag once: a slice has far fewer tags than checks. */
function tagsIn(checks: readonly Check[]): ReadonlySet<string> {
  return new Set(checks.flatMap((check) => tagsOf(check.config)));
}

const noBadges = JSON.stringify({ badges: {} } satisfies BadgeListAnswer);
const [opening, closing] = [noBadges.slice(0, -2), noBadges.slice(-2)];

async function badgeParts(call: ApiCall, tags: readonly string[]): Promise<readonly Uint8Array[]> {
  const signer = { badgeSecret: call.read.badgeSecret, badgeKey: call.project.badgeKey };
  const member = (tag: string): string =>
    `${JSON.stringify(tag)}:${JSON.stringify(badgeUrls(call.baseUrl, signer, tag))}`;
  const parts: Uint8Array[] = [];
  for (let start = 0, size = badgeTagsAtFirst; start < tags.length; start += size, size = badgeTagsPerPart) {
    if (start > 0) await nextTurn();
    const members = tags.slice(start, start + size).map(member);
    parts.push(Buffer.from(`${start === 0 ? opening : ','}${members.join(',')}`));
  }
  return [...parts, Buffer.from(closing)];
}

/** Answers probes and load balancers (specification, "Service status"). */
export function serviceStatus(read: Pick<EngineRead, 'writable' | 'isLogSilent'>): HttpReply {
  if (!read.writable) return errorReply(500, `${notWritableWords(read)}, pings cannot be recorded`);
  return { status: 200, headers: [['Content-Type', 'text/plain']], body: 'OK' };
}
