/**
 * Asks the running server for hints about its checks, for `knell doctor`: where their pings say that their settings are wrong, where
 * several have one slug, and which integrations fail.
 * Invariant: looks at so many checks at most (`doctorLimits.checksMax`), and says when there are more.
 */

import type { Config } from '../../config.ts';
import { answeredTitle } from '../../domain/accounts/channel-title.ts';
import type { CheckAnswer, CheckListAnswer, HintListAnswer } from '../../domain/views/api-answers.ts';
import { specOptionsOf } from '../checks/check-spec-options.ts';
import { askRunningServer } from '../io/admin-client.ts';
import { doctorLimits } from '../io/limits.ts';
import { type Finding, ok, warning } from './doctor-finding.ts';

/** Empty if no server runs: then there are no pings either. */
export async function checkFindings(config: Config): Promise<readonly Finding[]> {
  const projects = await askRunningServer(config, 'project list', {});
  if (projects === null) return [];
  const findings: Finding[] = [];
  let looked = 0;
  let count = 0;
  for (const { name: project } of projects) {
    findings.push(...(await failingOf(config, project)));
    const checks = await checksOf(config, project);
    count += checks.length;
    findings.push(...ambiguousSlugs(project, checks));
    for (const check of checks.slice(0, doctorLimits.checksMax - looked)) {
      looked += 1;
      findings.push(...(await hintsOf(config, project, check)));
    }
  }
  const of = looked < count ? `the first ${looked} of ${count}` : String(count);
  const where = findings.length === 0 ? '' : ', in the lines below';
  return [ok('checks', `checks looked at: ${of}, findings: ${findings.length}${where}`), ...findings];
}

/** Integrations of which the latest attempt failed. */
async function failingOf(config: Config, project: string): Promise<readonly Finding[]> {
  const channels = (await askRunningServer(config, 'channel list', { project })) ?? [];
  return channels.flatMap(({ id, name, kind, disabled, last_error }) =>
    disabled || last_error === ''
      ? []
      : warning(
          `integration ${answeredTitle(name, kind)}`,
          `of ${project}, its latest notification failed: ${last_error}`,
          `mend it, then knell channel test ${id}`,
        ),
  );
}

async function checksOf(config: Config, project: string): Promise<readonly CheckAnswer[]> {
  const body = await get(config, project, 'checks/');
  if (body === null) return [];
  const { checks } = JSON.parse(body) as CheckListAnswer;
  return checks.filter((check) => 'uuid' in check);
}

/** Pings by a slug that several checks have are refused with 409. */
function ambiguousSlugs(project: string, checks: readonly CheckAnswer[]): readonly Finding[] {
  const bySlug = new Map<string, CheckAnswer[]>();
  for (const check of checks) {
    if (check.slug === '') continue;
    const all = bySlug.get(check.slug);
    if (all) all.push(check);
    else bySlug.set(check.slug, [check]);
  }
  return [...bySlug].flatMap(([slug, all]) =>
    all.length < 2
      ? []
      : warning(
          `slug ${slug}`,
          `pings by it are refused: ${namesOf(all)} of ${project} have it`,
          `give all but one of them another: knell check edit ${all.at(-1)?.uuid} --slug ${freeSlug(slug, bySlug)}`,
        ),
  );
}

/** The first number behind it that no other check has. */
function freeSlug(slug: string, taken: ReadonlyMap<string, unknown>): string {
  for (let number = 2; ; number++) if (!taken.has(`${slug}-${number}`)) return `${slug}-${number}`;
}

function namesOf(checks: readonly CheckAnswer[]): string {
  const names = checks.slice(0, doctorLimits.namedMax).map(({ name, uuid }) => (name === '' ? uuid : name));
  const more = checks.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(' and ');
}

/** None of a check that has been deleted meanwhile. */
async function hintsOf(
  config: Config,
  project: string,
  { uuid, name }: CheckAnswer,
): Promise<readonly Finding[]> {
  const body = await get(config, project, `checks/${uuid}/hints/`);
  if (body === null) return [];
  const { hints } = JSON.parse(body) as HintListAnswer;
  return hints.map(({ text, change }) =>
    warning(
      `check ${name === '' ? uuid : name}`,
      text,
      change === null ? `see knell log ${uuid}` : `if so, knell check edit ${uuid} ${specOptionsOf(change)}`,
    ),
  );
}

async function get(config: Config, project: string, path: string): Promise<string | null> {
  const answer = await askRunningServer(config, 'api', { project, method: 'GET', path });
  return answer?.status === 200 ? answer.body : null;
}
