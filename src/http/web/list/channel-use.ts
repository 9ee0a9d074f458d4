/**
 * Counts how many checks of a project notify each integration, and how many notify nobody, while checks are created, changed
 * and deleted.
 * Invariant: equal choices are one array in memory, however many checks have made them.
 */
import type { ChannelId } from '../../../lib/ids.ts';

type Choice = readonly ChannelId[];

export class ChannelUse {
  readonly #counts = new Map<ChannelId, number>();
  readonly #choices = new Map<string, { readonly choice: Choice; checks: number }>();
  #nobody = 0;

  /** Number of checks that notify nobody. */
  get nobody(): number {
    return this.#nobody;
  }

  of(id: ChannelId): number {
    return this.#counts.get(id) ?? 0;
  }

  /**
   * Replaces the choice of a check, `before`, by `after`; null means that there is no such check. Returns the choice to keep.
   */
  replaced(before: Choice | null, after: Choice | null): Choice {
    const kept = after ? this.#come(after) : [];
    if (before) this.#go(before);
    return kept;
  }

  #come(choice: Choice): Choice {
    this.#count(choice, 1);
    const key = choice.join();
    const known = this.#choices.get(key) ?? { choice, checks: 0 };
    this.#choices.set(key, known);
    known.checks++;
    return known.choice;
  }

  #go(choice: Choice): void {
    this.#count(choice, -1);
    const key = choice.join();
    const known = this.#choices.get(key);
    if (known && --known.checks === 0) this.#choices.delete(key);
  }

  #count(choice: Choice, change: 1 | -1): void {
    if (choice.length === 0) this.#nobody += change;
    for (const id of choice) this.#counts.set(id, this.of(id) + change);
  }
}
