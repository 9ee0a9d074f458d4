/**
 * The results that a ping's address gives: `?m=files:142&m=bytes:8.1e9`, also `?m.files=142`. What is none is left out, as it always was:
 * a ping counts, whatever else its address says.
 */
import { givenResultsMax } from '../../domain/limits.ts';
import { readGivenResult } from '../../domain/results/given-results.ts';
import { noResults, type Result } from '../../domain/results/result.ts';

const prefix = 'm.';

/** At most `givenResultsMax`, each name once: the last of a name counts. */
export function givenResults(query: URLSearchParams): readonly Result[] {
  let values: Map<string, number> | null = null;
  for (const [key, text] of query) {
    const given = key === 'm' ? text : key.startsWith(prefix) ? `${key.slice(prefix.length)}:${text}` : '';
    const result = given === '' ? null : readGivenResult(given);
    if (result === null) continue;
    values ??= new Map();
    if (values.has(result.name) || values.size < givenResultsMax) values.set(result.name, result.value);
  }
  return values === null ? noResults : Array.from(values, ([name, value]) => ({ name, value }));
}
