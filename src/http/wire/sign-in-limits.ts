/**
 * How often one may try to sign in: per address, per pair of account and address, and, much wider, per account.
 *
 * Wrong passwords lock out the pair: a stranger elsewhere cannot lock out the owner of an account. Pairs alone would
 * let a network of many addresses guess freely; the account's own bound stops that. It could again lock out its owner, so it
 * does not hold for an address from which the account has signed in lately.
 * Invariant: a try that is refused uses up nothing of the bounds that are wider than the one that refused it.
 */
import { createRateLimit, type RateLimit, type RateLimitOptions } from '../../lib/rate-limit.ts';

export interface SignInBounds {
  readonly perAddress: RateLimitOptions;
  readonly perPair: RateLimitOptions;
  readonly perAccount: RateLimitOptions;
  /** Of an account whose password is known. */
  readonly codes: RateLimitOptions;
  /** Failed tries that are in the audit log. */
  readonly noted: RateLimitOptions;
  /** Pairs that have signed in, so many of them are remembered. */
  readonly knownPairsMax: number;
}

/** A longer name is nobody's, and must not fill the memory. */
const nameCharsMax = 100;

export class SignInLimits {
  readonly #perAddress: RateLimit;
  readonly #perPair: RateLimit;
  readonly #perAccount: RateLimit;
  readonly #knownPairsMax: number;
  /** In the order of their latest sign-in. */
  readonly #known = new Set<string>();

  constructor({ perAddress, perPair, perAccount, knownPairsMax }: SignInBounds) {
    this.#perAddress = createRateLimit(perAddress);
    this.#perPair = createRateLimit(perPair);
    this.#perAccount = createRateLimit(perAccount);
    this.#knownPairsMax = knownPairsMax;
  }

  /** Counts a try: 0 when it may go on, else the whole seconds after which the next one may. `account`: '' for none. */
  take(address: string, account: string, nowMs: number): number {
    if (account === '') return this.#perAddress.take(address, nowMs);
    const pair = pairOf(address, account);
    const narrow = this.#perPair.take(pair, nowMs) || this.#perAddress.take(address, nowMs);
    if (narrow > 0 || this.#known.has(pair)) return narrow;
    return this.#perAccount.take(account.slice(0, nameCharsMax), nowMs);
  }

  /** The account has signed in from that address. */
  succeeded(address: string, account: string): void {
    const pair = pairOf(address, account);
    this.#known.delete(pair);
    this.#known.add(pair);
    if (this.#known.size <= this.#knownPairsMax) return;
    for (const oldest of this.#known) {
      this.#known.delete(oldest);
      return;
    }
  }
}

function pairOf(address: string, account: string): string {
  return `${address} ${account.slice(0, nameCharsMax)}`;
}
