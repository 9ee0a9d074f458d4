/**
 * What the rules of retention say of a check now, and what other rules would free. `domain/retention` decides; the store reads by it.
 * Invariant: the time is that of the latest alive mark that is durable, so that only the journal decides, and every machine alike.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { planLimits } from '../../domain/accounts/plan-limits.ts';
import type { Project } from '../../domain/accounts/project.ts';
import type { Check } from '../../domain/check/check.ts';
import type { Ping } from '../../domain/check/ping.ts';
import {
  keepsFailures,
  keptByItself,
  type Retention,
  retentionInForce,
  type SeenPing,
} from '../../domain/retention/kept-pings.ts';
import { type Freed, nothingFreed, sumOf, wouldFree } from '../../domain/retention/would-free.ts';
import type { CheckId, ProjectId } from '../../lib/ids.ts';
import type { EngineContext } from '../context/context.ts';
import type { EngineRead } from '../contract/engine.ts';
import { previewedChecksMax, previewedPingsPerTurn } from '../contract/limits.ts';
import { retentionOf } from '../registry/retention-source.ts';
import { visitListed } from './check-slices.ts';

/** In the row of every check that has, or had, rules: both names have it. */
const mark = Buffer.from('retention');

type Reader = Pick<EngineContext, 'registry' | 'store'>;

/** Null for a check without rules, in a project without any. */
export function retentionNow({ registry }: Pick<Reader, 'registry'>, id: CheckId): Retention | null {
  const handle = registry.handleOf(id);
  const project = handle < 0 ? null : registry.projectIndex(registry.projectId(handle))?.project;
  if (!project) return null;
  if (!hasRules(project) && !registry.mentions(handle, mark)) return null;
  const check = registry.check(handle);
  const inForce = retentionInForce(retentionOf(check), project);
  return inForce && { ...inForce, ...placeOf(registry.aliveMs, check, project) };
}

function hasRules({ retention, formerRetention }: Project): boolean {
  return Boolean(retention) || formerRetention !== undefined;
}

function placeOf(
  aliveMs: number,
  { state }: Check,
  { plan }: Project,
): Pick<Retention, 'aliveMs' | 'nPings' | 'pingsMax'> {
  return { aliveMs, nPings: state.nPings, pingsMax: planLimits[plan].pingsMax };
}

/** The newest pings, so many at most; who wants all that the plan lists gets the failures that are kept beside them, too. */
export function retainedPings({ registry, store }: Reader, id: CheckId, limit: number): readonly Ping[] {
  const retention = retentionNow({ registry }, id);
  if (!retention) return store.pings(id, limit);
  const isAll = limit >= retention.pingsMax && keepsFailures(retention.rules);
  return store.pings(id, isAll ? limit + retention.pingsMax : limit, retention);
}

/** The pings that are kept of the check that was read last: a client reads one output of it after the other. */
interface KeptOf {
  readonly id: CheckId;
  readonly of: string;
  /** Newest first. */
  readonly pings: readonly Ping[];
  /** By number: whether its body is kept, too. */
  readonly numbers: ReadonlyMap<number, boolean>;
}

/** What the rules keep of a check now. A check without rules keeps everything that is there. */
interface KeptReader {
  /** All pings that are kept; null without rules. Reads them all, a millisecond or two. */
  of(id: CheckId): KeptOf | null;
  /** Whether a ping is kept. Most are certain by themselves. */
  hasPing(id: CheckId, ping: SeenPing): boolean;
  hasBody(id: CheckId, ping: SeenPing): boolean;
}

export function keptReader({ registry, store }: Reader): KeptReader {
  let last: KeptOf | null = null;
  const readAll = (id: CheckId, retention: Retention): KeptOf => {
    const of = JSON.stringify(retention);
    if (last?.id !== id || last.of !== of) {
      const pings = store.pings(id, Number.POSITIVE_INFINITY, retention);
      last = { id, of, pings, numbers: new Map(pings.map(({ n, bodyBytes }) => [n, bodyBytes > 0])) };
    }
    return last;
  };
  const kept = (id: CheckId, ping: SeenPing, isWanted: (hasBody: boolean) => boolean): boolean => {
    const retention = retentionNow({ registry }, id);
    if (!retention) return true;
    const certain = keptByItself(retention, ping);
    if (certain !== undefined) return certain !== null && isWanted(certain.bodyAgeMs === null);
    const hasBody = readAll(id, retention).numbers.get(ping.n);
    return hasBody !== undefined && isWanted(hasBody);
  };
  return {
    of(id) {
      const retention = retentionNow({ registry }, id);
      return retention && readAll(id, retention);
    },
    hasPing: (id, ping) => kept(id, ping, () => true),
    hasBody: (id, ping) => kept(id, ping, (hasBody) => hasBody),
  };
}

/** Reads bodies; what the rules drop is not there. */
export function bodyReads(
  context: Reader,
): Pick<EngineRead, 'body' | 'lookAtBody' | 'keepsBody' | 'outputs'> {
  const { store } = context;
  const kept = keptReader(context);
  return {
    body(id, n) {
      const all = kept.of(id);
      return all === null || all.numbers.get(n) === true ? store.body(id, n) : null;
    },
    lookAtBody: (id, n, look) => store.lookAtBody(id, n, look),
    keepsBody: (id, ping) => kept.hasBody(id, ping),
    outputs(id, below, limit) {
      const all = kept.of(id);
      if (all === null) return store.outputs(id, below, limit);
      return all.pings.filter(({ n, bodyBytes }) => n < below && bodyBytes > 0).slice(0, limit);
    },
  };
}

/** What rules would free, of how many checks that is, and how many were not looked at. */
export interface RetentionPreview extends Freed {
  readonly checks: number;
  readonly checksLeftOut: number;
}

/** `rules`: a valid text for the check; empty: it goes by those of its project. */
export function previewOfCheck(
  read: Pick<EngineRead, 'pings' | 'retention' | 'project'>,
  check: Check,
  rules: string,
): RetentionPreview {
  const inForce = rules || read.project(check.projectId)?.retention || '';
  return { ...freedOf(read, check, inForce), checks: 1, checksLeftOut: 0 };
}

function freedOf(read: Pick<EngineRead, 'pings' | 'retention'>, check: Check, rules: string): Freed {
  const now = read.retention(check);
  return now.rules === rules ? nothingFreed : wouldFree(read.pings(check.id, now.pingsMax), now, rules);
}

/** The same of a project: of its checks without rules of their own, in short turns. */
export async function previewOfProject(
  read: EngineRead,
  projectId: ProjectId,
  rules: string,
  nowMs: number,
): Promise<RetentionPreview> {
  const ids = await visitListed(read, projectId, nowMs, (checks) => checks.map(({ id }) => id));
  const all = ids.flat();
  let freed = nothingFreed;
  let checks = 0;
  let pings = 0;
  for (const id of all.slice(0, previewedChecksMax)) {
    const check = read.check(id, nowMs);
    if (check?.projectId !== projectId || check.config.retention !== '') continue;
    freed = sumOf(freed, freedOf(read, check, rules));
    checks++;
    pings += read.retention(check).pingsMax;
    if (pings < previewedPingsPerTurn) continue;
    pings = 0;
    await nextTurn();
  }
  const checksLeftOut = Math.max(0, all.length - previewedChecksMax);
  return read.durably(() => ({ ...freed, checks, checksLeftOut }));
}

/** What is in force of a check, which may be nothing but the limit of the plan. */
export function retentionOfCheck({ registry }: Pick<Reader, 'registry'>, check: Check): Retention {
  const now = retentionNow({ registry }, check.id);
  if (now) return now;
  const plan = registry.projectIndex(check.projectId)?.project.plan ?? 'paid';
  const { pingsMax } = planLimits[plan];
  return { rules: '', former: [], aliveMs: registry.aliveMs, nPings: check.state.nPings, pingsMax };
}
