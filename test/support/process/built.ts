/**
 * Where the built files lie: threads and child processes cannot load TypeScript. The one place that knows.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const dist = new URL('../../../dist/', import.meta.url);

/** The built form of `src/<path>`, by its path with `.js`. */
export function builtUrl(path: string): URL {
  const url = new URL(path, dist);
  if (!existsSync(fileURLToPath(url))) throw new Error(`${path} is not built: run "npm run build" first`);
  return url;
}

/** The same as a path, for child processes. */
export function builtFile(path: string): string {
  return fileURLToPath(builtUrl(path));
}
