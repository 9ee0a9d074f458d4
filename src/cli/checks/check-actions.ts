/**
 * The actions of the commands about checks; they are the same over the socket and remotely.
 * Invariant: nothing is deleted without confirmation: `--yes`, or `yes` typed at a terminal.
 */

import { allChecks, checkNamed, type FoundCheck, projectsNamed } from '../../client/find-check.ts';
import type { ApiCheck, Management, ProjectRef } from '../../client/management.ts';
import { answeredTitle } from '../../domain/accounts/channel-title.ts';
import { slugify } from '../../domain/check/slugify.ts';
import { tookMs } from '../../domain/runs/run-took.ts';
import type { RunListAnswer } from '../../domain/views/api-answers.ts';
import { exactSpan } from '../../domain/words/span-words.ts';
import { systemClock } from '../../lib/clock.ts';
import { KnellError } from '../../lib/errors.ts';
import { second } from '../../lib/units.ts';
import type { JsonObject } from '../../spec/field-reader.ts';
import type { Flags } from '../io/flags.ts';
import { formOf, printColumns, printedForPrograms } from '../io/output.ts';
import { exitDone, exitFailed, print } from '../io/terminal.ts';
import { typedAnswer } from '../io/typed-answer.ts';
import {
  agoText,
  byName,
  byUrgency,
  checkColumns,
  countsText,
  lastDurationText,
  nameOf,
  scheduleText,
  spanText,
  statusWord,
} from './check-rows.ts';
import { alertSettingsText, copiedSpec, runSettingsText, specOf } from './check-spec-options.ts';
import { heldFields, heldText, withAlertsColumn, withHeldAlerts } from './snooze.ts';

export function projectIn({ project }: Flags): string | undefined {
  return typeof project === 'string' ? project : undefined;
}

export async function showStatus(management: Management, flags: Flags): Promise<number> {
  const all = byUrgency(await withHeldAlerts(management, await allChecks(management, projectIn(flags))));
  const isDown = all.some(({ check }) => check.status === 'down');
  const shown = flags.problems ? all.filter(({ check }) => ['down', 'grace'].includes(check.status)) : all;
  if (!flags.quiet && !printedForPrograms(flags, shown.map(plain))) {
    if (shown.length > 0) printChecks(shown, flags);
    print(countsText(all) || 'no checks');
  }
  return isDown ? exitFailed : exitDone;
}

export async function listChecks(management: Management, flags: Flags): Promise<number> {
  const all = await withHeldAlerts(management, await allChecks(management, projectIn(flags)));
  const shown = byName(all).filter(
    ({ check }) =>
      (flags.tag === undefined || check.tags.split(/\s+/).includes(String(flags.tag))) &&
      (flags.status === undefined || statusWord(check.status) === flags.status),
  );
  if (!printedForPrograms(flags, shown.map(plain)) && shown.length > 0) printChecks(shown, flags);
  return exitDone;
}

/** The check as the API shows it, with its snooze and acknowledgement, and its project where that is known. */
function plain(found: FoundCheck): object {
  const check = { ...found.check, ...heldFields(found) };
  return found.project.name === '' ? check : { ...check, project: found.project.name };
}

function printChecks(rows: readonly FoundCheck[], flags: Flags): void {
  const projects = new Set(rows.map(({ project }) => project.id)).size > 1;
  const nowMs = systemClock.nowMs();
  const columns = checkColumns({ nowMs, wide: formOf(flags) === 'wide', projects });
  printColumns(withAlertsColumn(columns, rows, nowMs), rows);
}

export async function findCheck(management: Management, word: string, flags: Flags): Promise<FoundCheck> {
  return checkNamed(await allChecks(management, projectIn(flags)), word);
}

export async function showCheck(management: Management, word: string, flags: Flags): Promise<number> {
  const named = await findCheck(management, word, flags);
  const [found = named] = await withHeldAlerts(management, [named]);
  if (printedForPrograms(flags, plain(found))) return exitDone;
  const { check, project } = found;
  const nowMs = systemClock.nowMs();
  const [notified, took] = [await namesOfChannels(management, found), await lastTook(management, found)];
  const lines: readonly (readonly [label: string, text: string])[] = [
    ['Name', check.name],
    ['Status', statusWord(check.status) + (check.started ? ', running' : '')],
    ['Alerts', heldText(found, nowMs)],
    ['Project', project.name],
    ['Slug', check.slug],
    ['Tags', check.tags],
    ['Description', check.desc],
    ['Schedule', scheduleText(check)],
    ['Grace time', spanText(check.grace)],
    ['Runs', runSettingsText(check)],
    ['Alerts are held', alertSettingsText(check)],
    ['Kept', (check.retention ?? '').replaceAll(/\n+/g, ', ')],
    ['Pings', String(check.n_pings)],
    [
      'Last ping',
      check.last_ping === null ? 'never' : `${agoText(check.last_ping, nowMs)} (${check.last_ping})`,
    ],
    ['Next ping', check.next_ping ?? ''],
    ['Last duration', took],
    ['Notifies', notified],
    ['Ping URL', check.ping_url ?? ''],
    ['UUID', check.uuid],
  ];
  const shown = lines.filter(([, text]) => text !== '');
  printColumns(
    [
      { title: 'CHECK', cell: ([label]) => label },
      { title: nameOf(found), cell: ([, text]) => text },
    ],
    shown.slice(1),
  );
  return exitDone;
}

/** How long its last run took; empty for none. The check itself has whole seconds. */
async function lastTook(management: Management, { project, check }: FoundCheck): Promise<string> {
  const seconds = check.last_duration;
  if (seconds === undefined) return '';
  const path = `checks/${check.uuid}/runs/?outcome=success,warning,failure&limit=1`;
  const { runs } = (await management.call(project, 'GET', path)) as RunListAnswer;
  const ms = runs[0] ? tookMs(runs[0]) : null;
  return ms === null || Math.floor(ms / second) !== seconds ? lastDurationText(seconds) : exactSpan(ms);
}

/** Names of the check's integrations; empty where the key may not read them. */
async function namesOfChannels(management: Management, { project, check }: FoundCheck): Promise<string> {
  const assigned = check.channels?.split(',');
  if (!assigned) return '';
  const { channels } = (await management.call(project, 'GET', 'channels/')) as {
    readonly channels: readonly { readonly id: string; readonly name: string; readonly kind: string }[];
  };
  const names = channels
    .filter(({ id }) => assigned.includes(id))
    .map(({ name, kind }) => answeredTitle(name, kind));
  return names.join(', ') || 'nobody';
}

export async function createCheck(management: Management, name: string, flags: Flags): Promise<number> {
  const given = specOf(flags);
  if (flags.upsert && flags.slug === undefined)
    throw new KnellError(
      'usage',
      '--upsert needs --slug: it updates the check of that slug, if there is one',
    );
  const project = await oneProject(management, flags);
  const slug = flags.slug ?? (await freeSlug(management, project, name));
  const spec = {
    ...{ name, slug, channels: '*', ...given },
    ...(flags.upsert ? { unique: ['slug'] } : {}),
  };
  return changed(
    { project, check: (await management.call(project, 'POST', 'checks/', spec)) as ApiCheck },
    'created',
    flags,
  );
}

/** A slug from the name, so that the check can be pinged by it; empty if another check has it, since two of one slug cannot be. */
async function freeSlug(management: Management, project: ProjectRef, name: string): Promise<string> {
  const slug = slugify(name);
  if (slug === '') return '';
  const { checks } = (await management.call(project, 'GET', `checks/?slug=${slug}`)) as {
    readonly checks: readonly unknown[];
  };
  return checks.length === 0 ? slug : '';
}

async function oneProject(management: Management, flags: Flags): Promise<ProjectRef> {
  const [project, ...others] = await projectsNamed(management, projectIn(flags));
  if (project && others.length === 0) return project;
  const names = [project, ...others].map((one) => one?.name).join(', ');
  throw new KnellError('usage', `name the project: --project with one of ${names}`);
}

export async function editCheck(management: Management, word: string, flags: Flags): Promise<number> {
  const spec = { ...(flags.name === undefined ? {} : { name: flags.name }), ...specOf(flags) };
  if (Object.keys(spec).length === 0)
    throw new KnellError('usage', 'name what to change, e.g. --grace 10m; see --help');
  const found = await findCheck(management, word, flags);
  return changed(await posted(management, found, '', spec), 'changed', flags);
}

async function posted(
  management: Management,
  { project, check }: FoundCheck,
  action: string,
  json: JsonObject,
): Promise<FoundCheck> {
  const answer = await management.call(project, 'POST', `checks/${check.uuid}${action}`, json);
  return { project, check: answer as ApiCheck };
}

/** Pauses, resumes or deletes checks; all of them are looked up before any is changed. */
export async function switchChecks(
  management: Management,
  action: 'pause' | 'resume' | 'delete',
  { words, flags }: { readonly words: readonly string[]; readonly flags: Flags },
): Promise<number> {
  const all = await allChecks(management, projectIn(flags));
  const found = words.map((word) => checkNamed(all, word));
  if (action === 'delete' && !flags.yes) await confirmDelete(found);
  const done: FoundCheck[] = [];
  for (const one of found) {
    if (action !== 'delete') done.push(await posted(management, one, `/${action}`, {}));
    else {
      await management.call(one.project, 'DELETE', `checks/${one.check.uuid}`);
      done.push(one);
    }
  }
  if (printedForPrograms(flags, done.length === 1 ? done.map(plain)[0] : done.map(plain))) return exitDone;
  const verbs = { pause: 'paused', resume: 'resumed', delete: 'deleted' } as const;
  for (const one of done) print(`${verbs[action]} ${nameOf(one)}`);
  return exitDone;
}

async function confirmDelete(found: readonly FoundCheck[]): Promise<void> {
  const names = found.map(nameOf).join(', ');
  if (!process.stdin.isTTY)
    throw new KnellError('usage', `this permanently deletes ${names} with all pings; add --yes to confirm`);
  const typed = await typedAnswer(`This permanently deletes ${names} with all pings. Type yes: `);
  if (typed !== 'yes') throw new KnellError('usage', 'nothing was deleted');
}

/** The copy has no slug unless one is given: two checks of one slug cannot be pinged by it. */
export async function cloneCheck(management: Management, word: string, flags: Flags): Promise<number> {
  const found = await findCheck(management, word, flags);
  const name = flags.name ?? `${found.check.name} (copy)`;
  const spec = { ...copiedSpec(found.check), name, slug: '', ...specOf(flags) };
  const check = (await management.call(found.project, 'POST', 'checks/', spec)) as ApiCheck;
  return changed({ project: found.project, check }, 'created', flags);
}

function changed(found: FoundCheck, verb: string, flags: Flags): number {
  if (printedForPrograms(flags, plain(found))) return exitDone;
  print(`${verb} ${nameOf(found)}, UUID ${found.check.uuid}`);
  if (verb === 'created' && found.check.ping_url !== undefined) print(found.check.ping_url);
  return exitDone;
}
