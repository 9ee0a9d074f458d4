/**
 * Finds the checks of a status page, with their present statuses. They are in memory: only of those that are new again, the last
 * change is read from the history.
 * Invariants: no turn of the event loop goes through more than `checksPerSlice`. A check of another project is never among
 * them, even if the page names it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StatusPage } from '../../domain/accounts/status-page.ts';
import { isAbout, type MaintenanceWindow, windowFor } from '../../domain/alerting/maintenance.ts';
import { type Check, type Status, tagsOf } from '../../domain/check/check.ts';
import type { EngineRead } from '../../engine/contract/engine.ts';
import { checksPerSlice } from '../../engine/contract/limits.ts';
import { visitChecks } from '../../engine/reads/check-slices.ts';
import type { CheckId } from '../../lib/ids.ts';

export interface Member {
  readonly id: CheckId;
  readonly status: Status;
  /** It was resumed after a pause, and has not reported since. */
  readonly isWaiting: boolean;
  /** When its ping was expected; null unless it is late. */
  readonly lateSinceMs: number | null;
  /** When the maintenance window about it that is on ends; null for none. */
  readonly maintainedUntilMs: number | null;
  /** The windows about it that do not count as downtime. */
  readonly excused: readonly MaintenanceWindow[];
  /** Places of the services that the check belongs to. */
  readonly services: readonly number[];
}

/** Those of one page, or of several pages of a project as if they were one. */
export async function membersOf(
  read: EngineRead,
  page: Pick<StatusPage, 'projectId' | 'services'>,
  nowMs: number,
): Promise<readonly Member[]> {
  const places = placesOf(page);
  const windows = read.maintenance(page.projectId);
  const pick = (checks: readonly Check[]): Member[] =>
    checks.flatMap((check) => {
      const services = servicesOf(places, check);
      return services.length === 0 ? [] : [{ ...withoutServices(check, { read, windows, nowMs }), services }];
    });
  if (places.byTag.size > 0) return (await visitChecks(read, page.projectId, nowMs, pick)).flat();
  const ids = [...places.byCheck.keys()];
  const members: Member[] = [];
  for (let at = 0; at < ids.length; at += checksPerSlice) {
    if (at > 0) await nextTurn();
    const slice = ids.slice(at, at + checksPerSlice);
    members.push(
      ...(await read.durably(() =>
        pick(slice.map((id) => read.check(id, nowMs)).filter((one) => one !== null)),
      )),
    );
  }
  return members;
}

/** Places of the services that name a check or a tag, looked up for each check instead of going through all services for it. */
interface Places {
  readonly projectId: StatusPage['projectId'];
  readonly byCheck: ReadonlyMap<CheckId, readonly number[]>;
  readonly byTag: ReadonlyMap<string, readonly number[]>;
}

function placesOf({ projectId, services }: Pick<StatusPage, 'projectId' | 'services'>): Places {
  const byCheck = new Map<CheckId, number[]>();
  const byTag = new Map<string, number[]>();
  services.forEach(({ checks, tag }, place) => {
    if (tag !== '') byTag.set(tag, [...(byTag.get(tag) ?? []), place]);
    else for (const id of new Set(checks)) byCheck.set(id, [...(byCheck.get(id) ?? []), place]);
  });
  return { projectId, byCheck, byTag };
}

function servicesOf(
  { projectId, byCheck, byTag }: Places,
  { id, config, projectId: of }: Check,
): readonly number[] {
  if (of !== projectId) return [];
  const tags = byTag.size > 0 && config.tags !== '' ? tagsOf(config) : [];
  return [...new Set([...(byCheck.get(id) ?? []), ...tags.flatMap((tag) => byTag.get(tag) ?? [])])];
}

interface Known {
  readonly read: Pick<EngineRead, 'lastChange'>;
  readonly windows: readonly MaintenanceWindow[];
  readonly nowMs: number;
}

/** Most projects have no window: then all members share the empty list. */
function withoutServices(check: Check, { read, windows, nowMs }: Known): Omit<Member, 'services'> {
  return {
    id: check.id,
    status: check.state.status,
    isWaiting: isResumed(read, check),
    lateSinceMs: check.state.status === 'grace' ? check.state.expectedAtMs : null,
    maintainedUntilMs: windows.length === 0 ? null : (windowFor(windows, check, nowMs)?.untilMs ?? null),
    excused:
      windows.length === 0
        ? windows
        : windows.filter((window) => !window.countsAsDowntime && isAbout(window, check)),
  };
}

function isResumed(read: Pick<EngineRead, 'lastChange'>, { id, state }: Check): boolean {
  return state.status === 'new' && state.nPings > 0 && read.lastChange(id)?.cause === 'resume';
}
