/** What fills an integration's form at a vendor: what the page and the server say of it. Invariant: plain values. */

/** The contents of a form, by the names of its fields; they are the person's own, who has just got them from the vendor. */
export interface FilledValue {
  /** The vendor's name of it, such as that of a service; empty for none. */
  readonly name: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The name of an integration of the project that has these contents already. */
  readonly existing?: string;
}

/** What came of it. Without values `error` is a sentence that says what to do. */
export interface FilledView {
  readonly project: string;
  readonly values: readonly FilledValue[];
  readonly error: string;
}
