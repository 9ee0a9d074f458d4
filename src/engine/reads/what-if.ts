/**
 * Replays the past of a check with the settings as they are and as they might be, with turns of the event loop in between: a
 * thousand pings take longer than a ping may wait. What a step does is in `domain/alerting/what-if`.
 * Invariant: a turn takes at most `replayedPingsPerTurn`, however many pings there are, and less where machines have to report.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ParentPast } from '../../domain/alerting/parents-past.ts';
import { type Alert, alertsOnlyIn, type CheckPast, Replay } from '../../domain/alerting/what-if.ts';
import type { Check, CheckConfig } from '../../domain/check/check.ts';
import { hostNames } from '../../domain/check/run-state.ts';
import { NEVER } from '../../lib/units.ts';
import type { EngineRead } from '../contract/engine.ts';
import { replayedPingsPerTurn } from '../contract/limits.ts';

/** The alerts of both ways within the period. */
export interface WhatIf {
  readonly fromMs: number;
  readonly untilMs: number;
  /** Pings in that time. */
  readonly pings: number;
  /** Whether there were pings in the period that the log no longer holds. */
  readonly isCut: boolean;
  readonly asIs: readonly Alert[];
  readonly asAsked: readonly Alert[];
  readonly onlyAsIs: readonly Alert[];
  readonly onlyAsAsked: readonly Alert[];
}

export interface WhatIfRequest {
  readonly config: CheckConfig;
  readonly fromMs: number;
  readonly untilMs: number;
  /** What it depended on, by either way; left out for nothing. */
  readonly parents?: { readonly asIs: readonly ParentPast[]; readonly asAsked: readonly ParentPast[] };
}

/** The past of a check until `nowMs`: at most so many pings. To be called where what it shows is durable. */
export function pastOf(read: EngineRead, check: Check, pingsMax: number, nowMs: number): CheckPast {
  const pings = read.pings(check.id, pingsMax).toReversed();
  const firstMs = pings[0]?.atMs ?? 0;
  const before = read.changes(check.id, { fromMs: 0, untilMs: firstMs }, 1);
  const changes = read.changes(check.id, { fromMs: firstMs, untilMs: nowMs + 1 });
  return { check, pings, changes: changes.toReversed(), statusBefore: before[0]?.to ?? 'new' };
}

export async function whatIf(
  past: CheckPast,
  { config, untilMs, parents, ...asked }: WhatIfRequest,
): Promise<WhatIf> {
  const { check, pings } = past;
  const asIs = await replayed(past, check.config, untilMs, parents?.asIs);
  const asAsked = await replayed(past, config, untilMs, parents?.asAsked);
  const first = pings[0];
  // Of a check that was imported, there may be pings from before it was created here.
  const beganMs = Math.min(check.createdAtMs, first?.atMs ?? NEVER);
  const fromMs = Math.max(asked.fromMs, beganMs);
  const isCut = first !== undefined && first.n > 1 && first.atMs > fromMs;
  const within = ({ atMs }: { readonly atMs: number }): boolean => atMs >= fromMs;
  const shown = (alerts: readonly Alert[]): readonly Alert[] => inOrderOfTime(alerts.filter(within));
  return {
    fromMs: isCut ? first.atMs : fromMs,
    untilMs,
    pings: pings.filter(within).length,
    isCut,
    asIs: shown(asIs),
    asAsked: shown(asAsked),
    onlyAsIs: shown(alertsOnlyIn(asIs, asAsked)),
    onlyAsAsked: shown(alertsOnlyIn(asAsked, asIs)),
  };
}

/** Each machine has a deadline of its own, which every step looks at: with a hundred of them a step takes a millisecond. */
const machinesOfStep = 10;

async function replayed(
  past: CheckPast,
  config: CheckConfig,
  untilMs: number,
  parents: readonly ParentPast[] = [],
): Promise<readonly Alert[]> {
  const replay = new Replay(past, config, untilMs, parents);
  const machines = hostNames(config.hosts).length;
  const perTurn = Math.max(1, Math.floor(replayedPingsPerTurn / (1 + machines / machinesOfStep)));
  for (let taken = 1; replay.step(); taken++) {
    if (taken % perTurn === 0) await nextTurn();
  }
  return replay.alerts;
}

/** As flips are listed. A run that began during an outage may have its deadline before the end of that: it fires when the check is up. */
function inOrderOfTime(alerts: readonly Alert[]): readonly Alert[] {
  return alerts.toSorted((one, other) => one.atMs - other.atMs);
}
