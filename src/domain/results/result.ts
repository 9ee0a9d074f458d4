/**
 * Results: numbers that a job reports of a run, and the rules of a check by which they are found and judged. Not here: how rules are
 * read (`result-rules`), how numbers are found (`find-results`), what they mean (`judge-results`).
 */

/** A number that a run reported. Never NaN, never infinite. */
export interface Result {
  readonly name: string;
  readonly value: number;
}

export const noResults: readonly Result[] = [];

/** What a limit that is broken makes of a success. */
export type ResultVerdict = 'warn' | 'fail';

/** `change`: by more than `value` (0.3 for 30 %) away from the usual, which is the median of the last good runs. */
export type ResultLimit =
  | { readonly kind: 'below' | 'above' | 'change'; readonly value: number; readonly then: ResultVerdict }
  | { readonly kind: 'missing'; readonly then: ResultVerdict };

/** Where the number of a rule is found. A ping that names it (`?m=files:142`) comes first, whatever the source is. */
export type ResultSource =
  /** A line `files=142`, `files: 142` or `files: 142 kB` of the output. */
  | { readonly kind: 'line' }
  /** A JSON pointer (RFC 6901) into the output, or into the last line of it that is JSON. */
  | { readonly kind: 'pointer'; readonly pointer: string }
  /** A line that has this text, with `{}` where the number is and `*` for anything. */
  | { readonly kind: 'pattern'; readonly pattern: string }
  /** How many lines have it. */
  | { readonly kind: 'count'; readonly pattern: string }
  /** What a well-known program prints: `rsync files`. */
  | { readonly kind: 'preset'; readonly program: string; readonly figure: string };

export interface ResultRule {
  readonly name: string;
  /** For people; empty for none. */
  readonly unit: string;
  readonly source: ResultSource;
  readonly limits: readonly ResultLimit[];
}

/** What is usual of a result. */
export interface UsualRange {
  readonly from: number;
  readonly median: number;
  readonly to: number;
}

/** A limit that a run broke. */
export interface ResultBreach {
  readonly name: string;
  readonly unit: string;
  /** Null when it did not come. */
  readonly value: number | null;
  readonly limit: ResultLimit;
  /** Null after too few good runs. */
  readonly usual: UsualRange | null;
}
