/**
 * The known name that a mistyped one probably means.
 * Invariant: pure; a name that differs in more than a third of its characters is not suggested.
 */
export function closestName(name: string, known: Iterable<string>): string | null {
  let closest: string | null = null;
  let closestEdits = Math.floor(name.length / 3) + 1;
  for (const candidate of known) {
    const edits = editsBetween(name, candidate);
    if (edits >= closestEdits) continue;
    closest = candidate;
    closestEdits = edits;
  }
  return closest;
}

/** Levenshtein distance: insertions, deletions and replacements of one character. O(length²). */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [index, char] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 0; at < to.length; at++) {
      const replaced = (row[at] ?? 0) + (char === to[at] ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
