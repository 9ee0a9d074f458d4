/**
 * Checks as the page's list shows them.
 * Invariant: rows say nothing that is not durable: they are read in slices that wait for it.
 */
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { Check } from '../../domain/check.ts';
import { nextPingMs } from '../../domain/deadline.ts';
import type { CheckRow, CheckStory } from '../../domain/page-view.ts';
import type { Role } from '../../domain/user.ts';
import { day, NEVER } from '../../lib/units.ts';
import { visitChecks } from '../check-slices.ts';
import { jsonReply, notFound, renderedReply } from '../json-reply.ts';
import type { HttpReply } from '../message.ts';
import type { ProjectCall } from './call.ts';
import { checkIdOf, shownId } from './shown-id.ts';

export function rowOf({ id, config, state }: Check, next: number | null, role: Role): CheckRow {
  return {
    id: shownId(role, id),
    name: config.name,
    slug: config.slug,
    tags: config.tags,
    status: state.status,
    startedMs: state.startedMs,
    kind: config.kind,
    timeoutS: config.timeoutS,
    graceS: config.graceS,
    schedule: config.schedule,
    tz: config.tz,
    lastPingMs: state.lastPingMs,
    nextPingMs: next,
    downAtMs: state.downAtMs === NEVER ? null : state.downAtMs,
    nPings: state.nPings,
    channels: config.channels,
  };
}

/** As a user of that role gets it. */
export function rowJson(check: Check, role: Role): string {
  return JSON.stringify(rowOf(check, nextPingMs(check), role));
}

export async function listRows({
  context,
  project,
  principal,
  request,
  nowMs,
}: ProjectCall): Promise<HttpReply> {
  const { role } = principal.user;
  const slices = await visitChecks(context.engine.read, project.id, nowMs, (checks) =>
    checks.map((check) => rowJson(check, role)).join(','),
  );
  const json = `{"rows":[${slices.filter((slice) => slice !== '').join(',')}]}`;
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return renderedReply(json);
  const { headers, ...rest } = renderedReply(await gzipped(json, quick));
  return { ...rest, headers: [...headers, ['Content-Encoding', 'gzip'], ['Vary', 'Accept-Encoding']] };
}

/** On the thread pool. Rows are much alike: even the quickest makes a tenth of them, and a phone waits for the bytes. */
const gzipped = promisify(gzip);
const quick = { level: constants.Z_BEST_SPEED };

const storyMs = 90 * day;

/** The status changes of the last 90 days, from which the page draws the timeline. */
export async function showStory(call: ProjectCall): Promise<HttpReply> {
  const { context, project, path, nowMs } = call;
  const { read } = context.engine;
  const id = await checkIdOf(call, path.id ?? '');
  return read.durably(() => {
    const check = read.check(id, nowMs);
    if (check?.projectId !== project.id) return notFound;
    const fromMs = nowMs - storyMs;
    const changes = read.changes(check.id, { fromMs, untilMs: NEVER });
    const story: CheckStory = { fromMs, createdAtMs: check.createdAtMs, changes };
    return jsonReply(story);
  });
}
