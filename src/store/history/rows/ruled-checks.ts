/**
 * Which checks and projects have, or had, rules of retention: an index in `meta`, so that a history without any is not searched for
 * them. And the rules of a folded check, at the place of the journal up to which the history has come.
 *
 *     r, c, uuid   nothing: this check has rules of its own, or had some
 *     r, p, uuid   nothing: this project likewise
 *
 * Invariant: every check and project with rules is in the index; one that is in it without any costs a look.
 */
import type { Project } from '../../../domain/accounts/project.ts';
import type { FormerRules } from '../../../domain/retention/former-rules.ts';
import { type Retention, retentionInForce } from '../../../domain/retention/kept-pings.ts';
import type { StoredCheck } from '../../codec/check.ts';
import { rows } from '../../codec/rows.ts';
import { bytesOfUuid, uuidBytes, uuidText } from '../../codec/uuid.ts';
import { configKey } from '../../kinds.ts';
import { type HistoryTables, type RetentionCounters, readMeta } from './tables.ts';

const checkKind = Buffer.from('rc');
const projectKind = Buffer.from('rp');
const noBytes = Buffer.alloc(0);
const headBytes = checkKind.length;

/** Inside a transaction. Reads nothing where there are no rules. */
export function noteRules({ meta }: Pick<HistoryTables, 'meta'>, uuid: Buffer, check: StoredCheck): void {
  if (hasRules(check.config.retention, check.formerRetention)) note(meta, Buffer.concat([checkKind, uuid]));
}

/** Likewise. */
export function noteRulesOfProject({ meta }: Pick<HistoryTables, 'meta'>, project: Project): void {
  const { id, retention, formerRetention } = project;
  if (hasRules(retention, formerRetention)) note(meta, Buffer.concat([projectKind, bytesOfUuid(id)]));
}

/** The key and the value of a check in the index; null for one without rules. */
export function ruledKey(uuid: Buffer, check: StoredCheck): Buffer | null {
  return hasRules(check.config.retention, check.formerRetention) ? Buffer.concat([checkKind, uuid]) : null;
}

export function ruledProjectKey({ id, retention, formerRetention }: Project): Buffer | null {
  return hasRules(retention, formerRetention) ? Buffer.concat([projectKind, bytesOfUuid(id)]) : null;
}

function hasRules(retention: string | undefined, former: readonly FormerRules[] | undefined): boolean {
  return Boolean(retention) || former !== undefined;
}

function note(meta: HistoryTables['meta'], key: Buffer): void {
  if (!meta.get(key)) meta.put(key, noBytes);
}

/** Inside a transaction. */
export function forgetRules({ meta }: HistoryTables, uuid: Buffer): void {
  meta.remove(Buffer.concat([checkKind, uuid]));
}

/** The projects with rules, by id. */
export function ruledProjects({ meta }: HistoryTables): ReadonlySet<string> {
  const found = new Set<string>();
  meta.scan({ start: projectKind, end: Buffer.concat([projectKind, aboveUuids]) }, (key) => {
    found.add(uuidText(Buffer.from(key.subarray(headBytes))));
  });
  return found;
}

/** Whether any check or project has rules. */
export function hasRuled({ meta }: HistoryTables): boolean {
  let isAny = false;
  meta.scan({ start: checkKind, end: Buffer.concat([projectKind, aboveUuids]) }, () => {
    isAny = true;
    return false;
  });
  return isAny;
}

/** Checks with rules of their own from `start` on and before `end`, in the order of their ids, so many at most. */
export function ruledChecks(
  { meta }: HistoryTables,
  range: { readonly start: Buffer; readonly end: Buffer; readonly limit: number },
): readonly Buffer[] {
  const found: Buffer[] = [];
  const [start, end] = [range.start, range.end].map((uuid) => Buffer.concat([checkKind, uuid]));
  if (!start || !end) return found;
  meta.scan({ start, end }, (key) => {
    found.push(Buffer.from(key.subarray(headBytes)));
    return found.length < range.limit;
  });
  return found;
}

const aboveUuids = Buffer.alloc(uuidBytes + 1, 255);

/** What retention says of a folded check; null for one that never had rules, and whose project had none. */
export function retentionOfFolded(
  tables: HistoryTables,
  check: StoredCheck,
  { pingsMax }: Pick<RetentionCounters, 'pingsMax'>,
  nPings: number,
): Retention | null {
  const stored = tables.config.get(configKey('project', bytesOfUuid(check.projectId)));
  const { formerRetention } = check;
  const own = { retention: check.config.retention, formerRetention };
  const inForce = retentionInForce(own, stored ? rows.project.read(stored) : {});
  return inForce && { ...inForce, aliveMs: readMeta(tables, 'alive') ?? 0, nPings, pingsMax };
}
