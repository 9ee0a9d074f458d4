/**
 * Rules of retention that were replaced. What they have dropped stays dropped when the new ones keep more: otherwise a ping would show
 * again on a machine that has not deleted it yet, and not on another one.
 * Invariant: a list has at most `formerRulesMax` entries, the latest.
 */
import { formerRulesMax } from '../limits.ts';

/** Of pings that came until `untilMs` (epoch milliseconds), what these rules dropped by then is gone. */
export interface FormerRules {
  /** As a text; empty: the limit of the plan. */
  readonly rules: string;
  readonly untilMs: number;
}

/** What the owner set of a check, or of its project. */
export interface RetentionSource {
  /** Empty or undefined: nothing. */
  readonly retention?: string | undefined;
  readonly formerRetention?: readonly FormerRules[] | undefined;
}

/**
 * Those that count for a check: its own, and while it goes by its project's rules those of the project. Of these only such as were
 * replaced since then: the latest of its own was replaced when it began to.
 */
export function formerInForce(check: RetentionSource, project: RetentionSource): readonly FormerRules[] {
  const own = check.formerRetention ?? [];
  if (check.retention) return own;
  const sinceMs = own.at(-1)?.untilMs ?? 0;
  return [...own, ...(project.formerRetention ?? []).filter(({ untilMs }) => untilMs > sinceMs)];
}

/** The list once `rules` are replaced at `untilMs`. Of the same rules at two instants the later says all. */
export function withFormer(
  former: readonly FormerRules[],
  ...replaced: readonly FormerRules[]
): readonly FormerRules[] {
  const kept = former.filter(({ rules }) => replaced.every((one) => one.rules !== rules));
  return [...kept, ...replaced].slice(-formerRulesMax);
}

/**
 * What a check carries on when its rules in force change from those of `before` to those of `after`: undefined for nothing. Of a change
 * of the project's rules the project itself carries on.
 */
export function formerOfCheck(
  before: { readonly check: RetentionSource; readonly project: RetentionSource },
  after: { readonly check: RetentionSource; readonly project: RetentionSource },
  untilMs: number,
): readonly FormerRules[] | undefined {
  const own = before.check.formerRetention;
  const isSameProject = before.project === after.project;
  const isSame = (before.check.retention ?? '') === (after.check.retention ?? '');
  if (isSame && (isSameProject || before.check.retention)) return own;
  const rules = before.check.retention || before.project.retention || '';
  const next = after.check.retention || after.project.retention || '';
  const inForce = formerInForce(before.check, before.project);
  if (rules === '' && next === '' && inForce.length === 0) return own;
  return withFormer(inForce, { rules, untilMs });
}
