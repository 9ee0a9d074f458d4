/**
 * Limits tries to sign in: per address, per pair of account and address, and, much wider, per account.
 *
 * Wrong passwords lock out the pair, so nobody at another address can lock out the owner of an account. With pairs alone a
 * network of many addresses could guess freely; the limit of the account stops that. It could again lock out its owner, so it
 * does not apply to an address from which the account has signed in lately.
 * Invariant: a refused try uses up nothing of the limits that are wider than the one that refused it.
 */
import { createRateLimit, type RateLimit, type RateLimitOptions } from '../../lib/rate-limit.ts';
import { triedNameCharsMax } from '../limits.ts';

export interface SignInBounds {
  readonly perAddress: RateLimitOptions;
  readonly perPair: RateLimitOptions;
  readonly perAccount: RateLimitOptions;
  /** Codes of an account whose password is known. */
  readonly codes: RateLimitOptions;
  /** Failed tries that are in the audit log. */
  readonly noted: RateLimitOptions;
  /** Pairs of account and address with a sign-in that are remembered. */
  readonly knownPairsMax: number;
}

export class SignInLimits {
  readonly #perAddress: RateLimit;
  readonly #perPair: RateLimit;
  readonly #perAccount: RateLimit;
  readonly #knownPairsMax: number;
  /** Pairs in the order of their latest sign-in. */
  readonly #known = new Set<string>();

  constructor({ perAddress, perPair, perAccount, knownPairsMax }: SignInBounds) {
    this.#perAddress = createRateLimit(perAddress);
    this.#perPair = createRateLimit(perPair);
    this.#perAccount = createRateLimit(perAccount);
    this.#knownPairsMax = knownPairsMax;
  }

  /**
   * Counts a try. Returns 0 if it is allowed, else the whole seconds until the next one is. `account` is empty if none was
   * given.
   */
  take(address: string, account: string, nowMs: number): number {
    if (account === '') return this.#perAddress.take(address, nowMs);
    const pair = pairOf(address, account);
    const narrow = this.#perPair.take(pair, nowMs) || this.#perAddress.take(address, nowMs);
    if (narrow > 0 || this.#known.has(pair)) return narrow;
    return this.#perAccount.take(account.slice(0, triedNameCharsMax), nowMs);
  }

  /** Remembers that the account has signed in from that address. */
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
  return `${address} ${account.slice(0, triedNameCharsMax)}`;
}
