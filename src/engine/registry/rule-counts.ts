/**
 * How many rules of results the checks of a project have. Each is a time series, with up to thirty values in memory.
 * Invariant: the sum is that of what was set and not deleted.
 */
export class RuleCounts {
  readonly #byCheck = new Map<number, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(handle: number): number {
    return this.#byCheck.get(handle) ?? 0;
  }

  /** `results`: the rules as their owner wrote them, which are valid: one per line. */
  set(handle: number, results: string): void {
    const count = ruleCount(results);
    this.#total += count - this.of(handle);
    if (count === 0) this.#byCheck.delete(handle);
    else this.#byCheck.set(handle, count);
  }

  delete(handle: number): void {
    this.set(handle, '');
  }
}

/** Without reading them: at a start there may be a hundred thousand. */
export function ruleCount(results: string): number {
  return results === '' ? 0 : results.split('\n').filter((line) => line.trim() !== '').length;
}
