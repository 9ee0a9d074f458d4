/**
 * One pass over a dump: what is small (projects, users, integrations, checks, status changes) as rows, and where the lines of
 * the newest pings of each check lie, so that gigabytes of bodies need no memory.
 */

import { KnellError } from '../lib/errors.ts';
import type { DumpFile, DumpRow } from './dump-file.ts';
import type { ImportReport } from './import-report.ts';
import { pingsKeptMax } from './limits.ts';

/** Places of lines in the file, oldest first. */
export interface PingPlaces {
  count: number;
  readonly at: number[];
  readonly length: number[];
}

export interface Dump {
  readonly users: readonly DumpRow[];
  readonly projects: readonly DumpRow[];
  readonly members: readonly DumpRow[];
  readonly channels: readonly DumpRow[];
  readonly checks: readonly DumpRow[];
  /** Flips by the primary key of the check, in the order of the dump. */
  readonly flips: ReadonlyMap<string, readonly DumpRow[]>;
  readonly pings: ReadonlyMap<string, PingPlaces>;
  /** The latest instant in it. */
  readonly latestMs: number;
}

/** Rows that are needed; others, such as profiles, notifications and sessions, are passed over. */
const listed = {
  'auth.user': 'users',
  'accounts.project': 'projects',
  'accounts.member': 'members',
  'api.channel': 'channels',
  'api.check': 'checks',
} as const;

type Listed = (typeof listed)[keyof typeof listed];

export function readDump(file: DumpFile, report: ImportReport, progress: (fraction: number) => void): Dump {
  const rows: Record<Listed, DumpRow[]> = { users: [], projects: [], members: [], channels: [], checks: [] };
  const flips = new Map<string, DumpRow[]>();
  const pings = new Map<string, PingPlaces>();
  let latestMs = 0;
  for (const row of file.rows(progress)) {
    const list = listedAs(row.model);
    if (list !== null) rows[list].push(row);
    else if (row.model === 'api.flip') {
      addTo(flips, row.fields.reference('owner'), row);
      report.read('status changes');
    } else if (row.model === 'api.ping') {
      addPing(pings, row);
      report.read('pings');
    } else continue;
    latestMs = Math.max(latestMs, row.fields.instant('created') ?? 0);
  }
  if (rows.projects.length === 0)
    throw new KnellError(
      'usage',
      'the dump holds no projects: dump accounts.project, api.check and the others',
    );
  return { ...rows, flips, pings, latestMs };
}

function listedAs(model: string): Listed | null {
  return model in listed ? listed[model as keyof typeof listed] : null;
}

function addTo(map: Map<string, DumpRow[]>, key: string, row: DumpRow): void {
  const known = map.get(key);
  if (known) known.push(row);
  else map.set(key, [row]);
}

/** A dump is in the order of primary keys, which is that of time. */
function addPing(pings: Map<string, PingPlaces>, { fields, at, length }: DumpRow): void {
  const owner = fields.reference('owner');
  const known = pings.get(owner);
  const places = known ?? { count: 0, at: [], length: [] };
  if (!known) pings.set(owner, places);
  places.count++;
  places.at.push(at);
  places.length.push(length);
  if (places.at.length < 2 * pingsKeptMax) return;
  places.at.splice(0, places.at.length - pingsKeptMax);
  places.length.splice(0, places.length.length - pingsKeptMax);
}
