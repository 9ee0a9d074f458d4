/**
 * Whether somebody has typed something on this page that is only there: loading the document anew would lose it.
 * Invariant: a field that is gone, or empty again, does not count.
 */

/** Fields in which somebody has typed. */
const fields = new Set<HTMLInputElement | HTMLTextAreaElement>();

addEventListener(
  'input',
  ({ target, isTrusted }) => {
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (isTrusted && isField) fields.add(target);
  },
  { capture: true },
);

export function hasTyped(): boolean {
  for (const field of fields) if (!field.isConnected) fields.delete(field);
  return [...fields].some(({ value }) => value !== '');
}
