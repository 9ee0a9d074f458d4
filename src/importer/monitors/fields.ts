/** Fields of another program's JSON or YAML, of which nothing is certain. Throws nothing: what is of the wrong type is absent. */

export type Plain = Readonly<Record<string, unknown>>;

export function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function plainIn(from: unknown, name: string): Plain {
  const value = isPlain(from) ? from[name] : undefined;
  return isPlain(value) ? value : {};
}

/** The objects of a list; anything else in it is passed over. */
export function listIn(from: unknown, name: string): readonly Plain[] {
  const value = isPlain(from) ? from[name] : undefined;
  return Array.isArray(value) ? value.filter(isPlain) : [];
}

export function textIn(from: Plain, name: string): string {
  const value = from[name];
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
}

/** Null where it is no number, also not in a text. */
export function numberIn(from: Plain, name: string): number | null {
  const value = from[name];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** Databases have 0 and 1. */
export function flagIn(from: Plain, name: string, whenAbsent: boolean): boolean {
  const value = from[name];
  return value === undefined || value === null
    ? whenAbsent
    : value === true || value === 1 || value === 'true';
}

/** The texts of a list that are not empty; a single text may be several, with commas between. */
export function textsIn(from: Plain, name: string): readonly string[] {
  const value = from[name];
  return filled(typeof value === 'string' ? value.split(',') : value);
}

/** The texts of a list that are not empty. */
export function filled(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) => (typeof one === 'string' && one.trim() !== '' ? [one.trim()] : []));
}
