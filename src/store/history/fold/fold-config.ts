/**
 * Puts records of the configuration into the history, in the order of the journal. What every kind has in common follows from its
 * entry in `kinds`; here is what changes besides the row itself. `fold-check` does the same for checks.
 * Invariant: after a record the history says what the engine said behind it.
 */

import { planLimits } from '../../../domain/accounts/plan-limits.ts';
import type { Project } from '../../../domain/accounts/project.ts';
import type { User } from '../../../domain/accounts/user.ts';
import { keepsFailures } from '../../../domain/retention/kept-pings.ts';
import type { ProjectId } from '../../../lib/ids.ts';
import { ByteReader, damaged } from '../../codec/byte-reader.ts';
import { rows } from '../../codec/rows.ts';
import { bytesOfUuid, uuidText } from '../../codec/uuid.ts';
import { highestKey, lowestKey } from '../../disk/lmdb-env.ts';
import {
  type ConfigFacts,
  type ConfigKind,
  configKey,
  configKeyOf,
  kindOf,
  kinds,
  type RemovableKind,
  removedKindOf,
} from '../../kinds.ts';
import { forgetRunOut, removeEndedSessions } from '../rows/ended-session-rows.ts';
import { noteRulesOfProject } from '../rows/ruled-checks.ts';
import { type HistoryTables, readCounters, writeCounters } from '../rows/tables.ts';
import type { ConfigFact } from './fold-groups.ts';

/** Throws a KnellError `store-broken` for a record of an unknown type. */
export function applyConfig(tables: HistoryTables, { type, parts }: ConfigFact): void {
  const kind = kindOf(type);
  if (kind !== undefined) {
    put(tables, kind, parts);
    return;
  }
  const removed = removedKindOf(type);
  if (removed === undefined) throw damaged(`a journal record of the unknown type ${type}`);
  tables.config.remove(configKey(removed, parts));
  afterRemoval[removed]?.(tables, parts);
}

function put<Kind extends ConfigKind>(tables: HistoryTables, kind: Kind, row: Buffer): void {
  const fact = kinds[kind].row.read(row);
  const key = configKeyOf(kind, fact);
  const stored = tables.config.get(key);
  beforePut[kind]?.(tables, fact, stored && kinds[kind].row.read(stored));
  tables.config.put(key, row);
}

/** Removes or changes the rows that depend on one that is put. */
const beforePut: {
  readonly [Kind in ConfigKind]?: (
    tables: HistoryTables,
    fact: ConfigFacts[Kind],
    before: ConfigFacts[Kind] | null,
  ) => void;
} = {
  project(tables, project, before) {
    noteRulesOfProject(tables, project);
    if (before && (before.plan !== project.plan || keepsOther(before, project))) replan(tables, project);
  },
  user: forgetIfOtherPassword,
  'ended-session': forgetRunOut,
};

function forgetIfOtherPassword(tables: HistoryTables, { id, passwordHash }: User, before: User | null): void {
  if (before && before.passwordHash !== passwordHash) removeEndedSessions(tables, bytesOfUuid(id));
}

/** Removes the rows that depend on one that is removed, by the bytes of its id. */
const afterRemoval: { readonly [Kind in RemovableKind]?: (tables: HistoryTables, id: Buffer) => void } = {
  project: removeProject,
  user: removeEndedSessions,
};

/**
 * Removes a project with its keys, integrations and status pages, which are few. Its checks go by records of their own, a slice
 * at a time.
 */
function removeProject({ config }: HistoryTables, projectUuid: Buffer): void {
  const id = uuidText(projectUuid);
  const gone: Buffer[] = [];
  config.scan({ start: lowestKey, end: highestKey }, (key, row) => {
    const kind = kindOf(key[0] ?? 0);
    if (kind !== undefined && projectOfRow(kind, row) === id) gone.push(Buffer.from(key));
  });
  for (const key of gone) config.remove(key);
}

function projectOfRow<Kind extends ConfigKind>(kind: Kind, row: Uint8Array): ProjectId | null {
  const { projectOf, row: codec } = kinds[kind];
  return projectOf === null ? null : projectOf(codec.read(row));
}

function keepsOther(before: Project, project: Project): boolean {
  return keepsFailures(before.retention ?? '') !== keepsFailures(project.retention ?? '');
}

/** A changed plan or rule is so rare that looking at every check is cheaper than an index that every fold would keep. */
function replan(tables: HistoryTables, { id, plan, retention = '' }: Project): void {
  const found: { readonly uuid: Buffer; readonly keepsFailures: boolean }[] = [];
  tables.checks.scan({ start: lowestKey, end: highestKey }, (uuid, row) => {
    const { projectId, config } = rows.check.read(row);
    if (projectId !== id) return;
    found.push({ uuid: Buffer.from(uuid), keepsFailures: keepsFailures(config.retention || retention) });
  });
  const { pingsMax } = planLimits[plan];
  for (const { uuid, keepsFailures } of found) {
    const stored = tables.states.get(uuid);
    if (!stored) continue;
    const row = Buffer.from(stored);
    writeCounters(row, { ...readCounters(new ByteReader(row)), pingsMax, keepsFailures });
    tables.states.put(uuid, row);
  }
}
