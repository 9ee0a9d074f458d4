/** Results of a run as the API has them: by name. */
import type { Result } from '../../../domain/results/result.ts';

export function resultsJson(results: readonly Result[]): Readonly<Record<string, number>> {
  return Object.fromEntries(results.map(({ name, value }) => [name, value]));
}
