/**
 * Comma-separated values as RFC 4180 has them. Invariant: no cell is a formula: what others wrote into a text runs nothing in the
 * spreadsheet of who opens it.
 */

/** A spreadsheet takes a text that begins like this for a formula, which could send the other cells somewhere. */
const formula = /^[=+\-@\t\r]/;

/** A number is written as it is, also a negative one: it is no formula. */
export function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Ends with CR LF. */
export function csvRow(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}
