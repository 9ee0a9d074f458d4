/**
 * What the limits of rules make of the results of a run, and what is usual. Not here: in which words (`result-words`).
 * Invariant: pure; only results of good runs become usual, which the caller decides.
 */
import { resultRunsMax, resultRunsMin } from '../limits.ts';
import type { Result, ResultBreach, ResultLimit, ResultRule, UsualRange } from './result.ts';

/** Values of the last good runs by the name of the rule, oldest first. */
export type UsualResults = ReadonlyMap<string, readonly number[]>;

export interface ResultJudgement {
  readonly verdict: 'success' | 'warn' | 'fail';
  /** The worst limit that is broken, the first of equals; null with `success` only. */
  readonly breach: ResultBreach | null;
}

export function judgeResults(
  rules: readonly ResultRule[],
  found: readonly Result[],
  usual: UsualResults,
): ResultJudgement {
  let worst: ResultBreach | null = null;
  for (const { name, unit, limits } of rules) {
    const value = found.find((result) => result.name === name)?.value ?? null;
    const range = usualRange(usual.get(name) ?? []);
    for (const limit of limits) {
      const isWorse = worst === null || (worst.limit.then === 'warn' && limit.then === 'fail');
      if (isWorse && isBroken(limit, value, range)) worst = { name, unit, value, limit, usual: range };
    }
  }
  return { verdict: worst?.limit.then ?? 'success', breach: worst };
}

function isBroken(limit: ResultLimit, value: number | null, usual: UsualRange | null): boolean {
  if (value === null || limit.kind === 'missing') return value === null && limit.kind === 'missing';
  if (limit.kind === 'below') return value < limit.value;
  if (limit.kind === 'above') return value > limit.value;
  return usual !== null && Math.abs(value - usual.median) > limit.value * Math.abs(usual.median);
}

/** The usual results after another good run: of names of rules only, each with at most `resultRunsMax` values. */
export function withGoodRun(
  usual: UsualResults,
  rules: readonly ResultRule[],
  found: readonly Result[],
): UsualResults {
  const next = new Map<string, readonly number[]>();
  for (const { name } of rules) {
    const result = found.find((one) => one.name === name);
    const values = [...(usual.get(name) ?? []), ...(result ? [result.value] : [])].slice(-resultRunsMax);
    if (values.length > 0) next.set(name, values);
  }
  return next;
}

/**
 * From the 10th to the 90th percentile, between two values in proportion: one strange run in thirty, which was good by the limits of
 * its time, must not widen what is called usual for a month. Null for fewer than `resultRunsMin` values.
 */
export function usualRange(values: readonly number[]): UsualRange | null {
  if (values.length < resultRunsMin) return null;
  const sorted = [...values].sort((one, other) => one - other);
  return { from: percentile(sorted, 0.1), median: percentile(sorted, 0.5), to: percentile(sorted, 0.9) };
}

function percentile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1);
  const before = sorted[Math.floor(place)] ?? 0;
  const after = sorted[Math.ceil(place)] ?? before;
  const part = place - Math.floor(place);
  // Two products instead of a difference, which could be infinite.
  return before === after ? before : before * (1 - part) + after * part;
}

const kinds = ['below', 'above', 'change', 'missing'] as const;

/**
 * A breach as numbers, as stored pings have them: the kind (0 to 3, as in `kinds`), 1 for a failure, whether there is a value, the
 * value, the limit, whether there is a usual range, and its three numbers. What is not there is 0. The name is not in them.
 */
export function breachFigures({ limit, value, usual }: ResultBreach): readonly number[] {
  return [
    kinds.indexOf(limit.kind),
    limit.then === 'fail' ? 1 : 0,
    value === null ? 0 : 1,
    value ?? 0,
    limit.kind === 'missing' ? 0 : limit.value,
    usual === null ? 0 : 1,
    usual?.from ?? 0,
    usual?.median ?? 0,
    usual?.to ?? 0,
  ];
}

/**
 * The breach of `name` that the figures are of; the unit is that of the rule of this name, empty when the rule is gone. Null when they
 * are no figures of a breach.
 */
export function breachOf(
  rules: readonly ResultRule[],
  name: string,
  figures: readonly number[],
): ResultBreach | null {
  const unit = rules.find((rule) => rule.name === name)?.unit ?? '';
  return readBreach(name, unit, figures);
}

/** Likewise, with the unit as the caller has it. */
export function readBreach(name: string, unit: string, figures: readonly number[]): ResultBreach | null {
  const [code = -1, failed, hasValue, value = 0, bound = 0, hasUsual, from = 0, median = 0, to = 0] = figures;
  const kind = kinds[code];
  if (kind === undefined || figures.length < 9 || !figures.every(Number.isFinite)) return null;
  const then = failed === 1 ? 'fail' : 'warn';
  return {
    name,
    unit,
    value: hasValue === 1 ? value : null,
    limit: kind === 'missing' ? { kind, then } : { kind, value: bound, then },
    usual: hasUsual === 1 ? { from, median, to } : null,
  };
}
