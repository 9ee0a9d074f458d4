/** The version of this Knell. */
import { existsSync, readFileSync } from 'node:fs';

/** The version in package.json. */
export function version(): string {
  const parsed: unknown = JSON.parse(readFileSync(packageFile(), 'utf8'));
  return typeof parsed === 'object' && parsed !== null && 'version' in parsed
    ? String(parsed.version)
    : 'unknown';
}

/** Above the sources, and above what the compiler makes of them; for the benches it makes a copy two folders further down. */
function packageFile(): URL {
  const near = new URL('../../package.json', import.meta.url);
  return existsSync(near) ? near : new URL('../../../../package.json', import.meta.url);
}

/** The commit that it was built from, short; empty where it was built outside of a checkout. */
export function commit(): string {
  try {
    return readFileSync(new URL('../commit.txt', import.meta.url), 'utf8').trim();
  } catch {
    return '';
  }
}
