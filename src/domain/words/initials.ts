/** The two letters of a person. Invariant: pure. */

/** Returns `AL` for `Ada Lovelace`. Of an address only what is before its @ counts: the rest is the same for all who have one there. */
export function initials(name: string): string {
  const [first = '', second = ''] = name.replace(/(?<=.)@.*$/, '').split(/[\s._-]+/);
  return `${first.charAt(0)}${second.charAt(0) || first.charAt(1)}`.toUpperCase();
}
