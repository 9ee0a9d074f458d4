/**
 * Previews the checks that a crontab would create: `domain/crontab` reads it, beside the checks that the project has.
 * Invariant: changes nothing.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Crontab, type CrontabOptions, crontabSteps } from '../../../domain/crontab/crontab.ts';
import { pingedIn } from '../../../domain/crontab/pinged-in.ts';
import { graceOfJob } from '../../../domain/discover/crontab-jobs.ts';
import type { CrontabCheckView, CrontabView } from '../../../domain/views/page-view.ts';
import { foldCase } from '../../../domain/words/search-words.ts';
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
  const checks: CrontabCheckView[] = [];
  const turn = turns();
  for (const job of jobs) {
    const { plainSlug, ...shown } = job;
    checks.push({
      ...shown,
      graceS: graceOfJob(job),
      ...pingsOf(job.command, known),
      isThere: known.scheduled.has(`${plainSlug} ${job.schedule} (${job.tz})`),
      isCalledSo: known.names.has(foldCase(job.name)),
    });
    await turn();
  }
  return jsonReply({ ...rest, checks } satisfies CrontabView);
}

async function readInTurns(text: string, options: CrontabOptions): Promise<Crontab> {
  const steps = crontabSteps(text, options);
  const turn = turns();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await turn();
  }
}

/** Returns what lets other work go first once enough was done without a pause. */
function turns(): () => Promise<void> | undefined {
  let beganMs = performance.now();
  return () => {
    if (performance.now() - beganMs < crontabTurnMs) return;
    return nextTurn().then(() => {
      beganMs = performance.now();
    });
  };
}

/** Which check of the project the command pings already, of several the first; nothing for none. */
function pingsOf(command: string, { byId, bySlug, pingKeys }: Known): { readonly pings?: string } {
  const { ids, slugs } = pingedIn(command);
  const own = slugs.filter(({ pingKey }) => pingKeys.has(pingKey));
  const [pings] = [...ids.map((id) => byId.get(id)), ...own.map(({ slug }) => bySlug.get(slug))].filter(
    (name) => name !== undefined,
  );
  return pings === undefined ? {} : { pings };
}

interface Known {
  /** The names of the checks, by their ids and by their slugs. */
  readonly byId: ReadonlyMap<string, string>;
  readonly bySlug: ReadonlyMap<string, string>;
  readonly pingKeys: ReadonlySet<string>;
}

/**
 * Returns the names and slugs of a project, and each slug with its schedule. Some of the collected texts are no slugs, which does no harm: no
 * free slug equals them.
 */
async function checksOf({ context, project, nowMs }: ProjectCall) {
  const list = context.lists.of(project.id, nowMs);
  await list.refresh(nowMs);
  const slugs = new Set<string>();
  const names = new Set<string>();
  const byId = new Map<string, string>();
  const bySlug = new Map<string, string>();
  const scheduled = new Set<string>();
  let count = 0;
  for (const { id, name, slug, schedule } of list.entries()) {
    slugs.add(slug);
    names.add(foldCase(name));
    byId.set(id, name || id);
    if (!bySlug.has(slug)) bySlug.set(slug, name);
    scheduled.add(`${slug} ${schedule}`);
    if (++count % crontabChecksPerTurn === 0) await nextTurn();
  }
  const pingKeys = new Set(context.engine.read.keys(project.id).map(({ clear }) => clear ?? ''));
  return { slugs, names, scheduled, byId, bySlug, pingKeys };
}
