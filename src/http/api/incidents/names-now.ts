/**
 * The names by which the checks of an incident are known now: the incident has those that they had when they joined.
 * Invariant: one that is deleted, or in another project by now, keeps the name that the incident has.
 */
import type { Incident, IncidentCheck } from '../../../domain/alerting/incident.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import type { CheckId } from '../../../lib/ids.ts';

/** Returns the name of a check of an incident. */
export type NameNow = (check: Pick<IncidentCheck, 'id' | 'name'>) => string;

/** Of incidents of one project. Each check is looked up once. */
export function namesNow(
  { projectId }: Pick<Incident, 'projectId'>,
  read: Pick<EngineRead, 'check'>,
  nowMs: number,
): NameNow {
  const known = new Map<CheckId, string | null>();
  const nameIn = (id: CheckId): string | null => {
    const check = read.check(id, nowMs);
    return check?.projectId === projectId ? check.config.name || check.config.slug : null;
  };
  return ({ id, name }) => {
    if (!known.has(id)) known.set(id, nameIn(id));
    return known.get(id) ?? name;
  };
}

/** The incident with its checks by the names that they have now. Not for storing. */
export function withNamesNow(incident: Incident, nameNow: NameNow): Incident {
  return { ...incident, checks: incident.checks.map((check) => ({ ...check, name: nameNow(check) })) };
}
