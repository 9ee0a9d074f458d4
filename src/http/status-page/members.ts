/**
 * Which checks a status page is about, and their statuses now. From memory: nothing is read from the history.
 * Invariant: a check of another project is never among them, whatever the page names.
 */
import { type Check, type Status, tagsOf } from '../../domain/check.ts';
import type { StatusPage } from '../../domain/status-page.ts';
import type { EngineRead } from '../../engine/engine.ts';
import type { CheckId } from '../../lib/ids.ts';
import { checksPerSlice, visitChecks } from '../check-slices.ts';

export interface Member {
  readonly id: CheckId;
  readonly status: Status;
  /** Places of the services that it belongs to. */
  readonly services: readonly number[];
}

export async function membersOf(
  read: EngineRead,
  page: StatusPage,
  nowMs: number,
): Promise<readonly Member[]> {
  const pick = (checks: readonly Check[]): Member[] => checks.flatMap((check) => memberOf(page, check));
  if (page.services.some(({ tag }) => tag !== ''))
    return (await visitChecks(read, page.projectId, nowMs, pick)).flat();
  const ids = [...new Set(page.services.flatMap(({ checks }) => checks))];
  const members: Member[] = [];
  for (let at = 0; at < ids.length; at += checksPerSlice) {
    const slice = ids.slice(at, at + checksPerSlice);
    members.push(
      ...(await read.durably(() =>
        pick(slice.map((id) => read.check(id, nowMs)).filter((one) => one !== null)),
      )),
    );
  }
  return members;
}

function memberOf({ projectId, services }: StatusPage, check: Check): Member[] {
  if (check.projectId !== projectId) return [];
  // Most checks have none of the tags: looked for first, since taking their tags apart costs more.
  const mayHave = services.some(({ tag }) => tag !== '' && check.config.tags.includes(tag));
  const tags = mayHave ? tagsOf(check.config) : [];
  const places = services.flatMap(({ checks, tag }, place) =>
    (tag === '' ? checks.includes(check.id) : tags.includes(tag)) ? [place] : [],
  );
  return places.length === 0 ? [] : [{ id: check.id, status: check.state.status, services: places }];
}
