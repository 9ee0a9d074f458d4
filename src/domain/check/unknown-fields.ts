/**
 * Fields in a stored record of a newer Knell that this one does not know. They stay with the fact, out of sight, and are written
 * again with it, so that going back to an older version loses no setting.
 * Invariant: copies made by spreading keep them; JSON and loops over a fact's own fields do not show them.
 */
export const unknownFields: unique symbol = Symbol('fields of a newer version');

export interface Growing {
  readonly [unknownFields]?: Readonly<Record<string, unknown>>;
}
