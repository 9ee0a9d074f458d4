/**
 * What a stored record of a newer Knell holds beyond what this one knows. It stays with the fact, out of sight, and is written
 * again with it, so that going back to an older version loses no setting.
 * Invariant: copies made by spreading keep it; JSON and loops over a fact's own fields do not show it.
 */
export const unknownFields: unique symbol = Symbol('fields of a newer version');

export interface Growing {
  readonly [unknownFields]?: Readonly<Record<string, unknown>>;
}
