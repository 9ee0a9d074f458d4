/**
 * What retention keeps of the pings of a check. Reads, the fold and snapshots go by it alike, each at its own place of the journal:
 * it depends on the rules, the number of pings and the last alive mark there, on no clock and not on what was deleted so far.
 *
 * Invariant: what is dropped at one place of the journal is dropped at every later one. Alive marks are compared by the latest, so that
 * a clock that is set back brings nothing back; rules that were replaced go on as `former`, at the instant at which they were.
 */
import { type FormerRules, formerInForce, type RetentionSource } from './former-rules.ts';
import { type PingBounds, type RetentionRules, readRetention } from './retention-rules.ts';

/** The rules of a check at one place of the journal. */
export interface Retention {
  /** The text of those in force; empty: nothing but the limit of the plan. */
  readonly rules: string;
  readonly former: readonly FormerRules[];
  /** The latest alive mark; epoch milliseconds. */
  readonly aliveMs: number;
  readonly nPings: number;
  /** Pings that the plan allows: of failures that have a rule so many, of all others those among the last so many pings. */
  readonly pingsMax: number;
}

/** The rules in force of a check, as a text, with those that were replaced; null for a check that never had any. */
export function retentionInForce(
  check: RetentionSource,
  project: RetentionSource,
): Pick<Retention, 'rules' | 'former'> | null {
  const rules = check.retention || project.retention || '';
  const former = formerInForce(check, project);
  return rules === '' && former.length === 0 ? null : { rules, former };
}

/** Whether failures may be kept beyond the last pings that the plan allows. */
export function keepsFailures(rules: string): boolean {
  return rules !== '' && readRetention(rules).failures !== null;
}

/** `bodyAgeMs`: how many milliseconds a body is kept by the rule that dropped it; null while it is kept. */
export interface KeptPing {
  readonly bodyAgeMs: number | null;
}

/** What the rules look at of a ping. */
export interface SeenPing {
  readonly n: number;
  readonly atMs: number;
  readonly signal: string;
}

/** Rules at an instant: those in force, or former ones when they were replaced. */
interface RulesAt {
  readonly rules: RetentionRules;
  readonly atMs: number;
  /** The newest ping then; null until the ping is met. */
  newestN: number | null;
  /** Failures met so far that there were then. */
  failures: number;
}

function rulesOf({ rules, former, aliveMs, nPings }: Retention): readonly RulesAt[] {
  return [
    { rules: readRetention(rules), atMs: aliveMs, newestN: nPings, failures: 0 },
    ...former.map(({ rules: text, untilMs }) => ({
      ...{ rules: readRetention(text), atMs: untilMs, newestN: null, failures: 0 },
    })),
  ];
}

/** Goes over the pings of one check, every one of them, from the newest to the oldest. */
export class KeptPings {
  readonly #pingsMax: number;
  readonly #all: readonly RulesAt[];

  constructor(retention: Retention) {
    this.#pingsMax = retention.pingsMax;
    this.#all = rulesOf(retention);
  }

  /** Returns what is kept of the next ping; null when it is dropped. */
  next(ping: SeenPing): KeptPing | null {
    let isKept = true;
    let bodyAgeMs: number | null = null;
    for (const at of this.#all) {
      if (at.newestN === null) {
        if (ping.atMs > at.atMs) continue;
        at.newestN = ping.n;
      }
      if (drops(at, ping, this.#pingsMax)) isKept = false;
      bodyAgeMs ??= bodyAgeOf(at, ping);
      if (ping.signal === 'fail') at.failures++;
    }
    return isKept ? { bodyAgeMs } : null;
  }
}

/**
 * What `KeptPings` says of one ping, without going over those after it; undefined where it depends on them: on how many of them failed,
 * or on how many there were when rules were replaced.
 */
export function keptByItself(retention: Retention, ping: SeenPing): KeptPing | null | undefined {
  const { nPings, pingsMax } = retention;
  let isCertain = true;
  let bodyAgeMs: number | null = null;
  for (const at of rulesOf(retention)) {
    const isMet = at.newestN !== null || ping.atMs <= at.atMs;
    if (isMet && drops({ ...at, newestN: at.newestN ?? ping.n }, ping, pingsMax)) return null;
    // The most that there can be after it.
    if (drops({ ...at, newestN: nPings, failures: nPings - ping.n }, ping, pingsMax)) isCertain = false;
    bodyAgeMs ??= bodyAgeOf(at, ping);
  }
  return isCertain ? { bodyAgeMs } : undefined;
}

function drops(
  { rules, atMs, newestN, failures }: RulesAt,
  { n, atMs: pingMs, signal }: SeenPing,
  pingsMax: number,
): boolean {
  const own = signal === 'fail' ? rules.failures : null;
  const { last, ageMs }: PingBounds = own ?? rules.pings;
  if (ageMs !== null && pingMs < atMs - ageMs) return true;
  const lastKept = Math.min(last ?? pingsMax, pingsMax);
  return own === null ? n <= (newestN ?? 0) - lastKept : failures >= lastKept;
}

/** For how long the rule that dropped its body keeps it; null while it is kept. */
function bodyAgeOf({ rules, atMs }: RulesAt, { atMs: pingMs, signal }: SeenPing): number | null {
  const ageMs = signal === 'fail' ? rules.failureBodiesMs : rules.successBodiesMs;
  return ageMs !== null && pingMs < atMs - ageMs ? ageMs : null;
}
