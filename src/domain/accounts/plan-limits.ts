/** What each plan allows. Invariant: pure values, which the page shows as well. */
import type { Plan } from './project.ts';

interface PlanLimits {
  /** Checks a project may hold; Infinity for no limit. */
  readonly checksMax: number;
  /**
   * Checks of a project from which on a ping to an unknown slug creates no further one: a typo in a script must not fill the
   * disk. Twice what the plan allows, as Healthchecks; without such a limit, more than anybody has named by pinging.
   */
  readonly createdByPingMax: number;
  /** Pings kept for, and listed of, one check. */
  readonly pingsMax: number;
}

/** Specification, "Limits". */
export const planLimits: Readonly<Record<Plan, PlanLimits>> = {
  free: { checksMax: 20, createdByPingMax: 40, pingsMax: 100 },
  paid: { checksMax: Number.POSITIVE_INFINITY, createdByPingMax: 10_000, pingsMax: 1000 },
};
