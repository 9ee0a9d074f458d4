/**
 * Previews the checks that a crontab would create: `domain/crontab` reads it, beside the checks that the project has.
 * Invariant: changes nothing.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Crontab, type CrontabOptions, crontabSteps } from '../../../domain/crontab/crontab.ts';
import type { CrontabView } from '../../../domain/views/page-view.ts';
import { canonicalTimeZone } from '../../../schedule/schedule.ts';
import { crontabCharsMax, crontabChecksPerTurn, crontabTurnMs } from '../../limits.ts';
import { errorReply, jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import { type ProjectCall, textIn } from '../calls/call.ts';

/**
 * `text` is the crontab, `tz` the time zone of its machine; `hasUsers` says whether its sixth field is a user, and is detected
 * if absent.
 */
export async function previewCrontab(call: ProjectCall): Promise<HttpReply> {
  const { text, hasUsers } = call.json;
  if (typeof text !== 'string') return errorReply(400, 'text: paste a crontab');
  if (text.length > crontabCharsMax)
    return errorReply(400, `text: a crontab has at most ${crontabCharsMax.toLocaleString('en')} characters`);
  const tz = canonicalTimeZone(textIn(call.json, 'tz'));
  if (tz === null) return errorReply(400, 'tz: unknown time zone');
  const known = await checksOf(call);
  const { jobs, ...rest } = await readInTurns(text, {
    tz,
    isTaken: (slug) => known.slugs.has(slug),
    ...(typeof hasUsers === 'boolean' ? { hasUsers } : {}),
  });
  const checks = jobs.map(({ plainSlug, ...job }) => ({
    ...job,
    isThere: known.scheduled.has(`${plainSlug} ${job.schedule} (${job.tz})`),
  }));
  return jsonReply({ ...rest, checks } satisfies CrontabView);
}

async function readInTurns(text: string, options: CrontabOptions): Promise<Crontab> {
  const steps = crontabSteps(text, options);
  for (let beganMs = performance.now(); ; ) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - beganMs < crontabTurnMs) continue;
    await nextTurn();
    beganMs = performance.now();
  }
}

/**
 * Returns the slugs of a project, and each with its schedule. Some of the collected texts are no slugs, which does no harm: no
 * free slug equals them.
 */
async function checksOf({ context, project, nowMs }: ProjectCall) {
  const list = context.lists.of(project.id, nowMs);
  await list.refresh(nowMs);
  const slugs = new Set<string>();
  const scheduled = new Set<string>();
  let count = 0;
  for (const { slug, schedule } of list.entries()) {
    slugs.add(slug);
    scheduled.add(`${slug} ${schedule}`);
    if (++count % crontabChecksPerTurn === 0) await nextTurn();
  }
  return { slugs, scheduled };
}
