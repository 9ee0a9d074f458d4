/** Which Knell this is. */
import { readFileSync } from 'node:fs';

/** As in package.json. */
export function version(): string {
  const parsed: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return typeof parsed === 'object' && parsed !== null && 'version' in parsed
    ? String(parsed.version)
    : 'unknown';
}

/** The commit that it was built from, short; empty where it was built outside of a checkout. */
export function commit(): string {
  try {
    return readFileSync(new URL('../commit.txt', import.meta.url), 'utf8').trim();
  } catch {
    return '';
  }
}
