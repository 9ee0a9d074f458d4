/**
 * Reads the settings of a check that a ping creates: `?create=1&timeout=1h&tags=db`. They are read only where there is `create=1`.
 */
import type { NewCheck } from '../../domain/check/new-check.ts';
import { readNewCheck } from '../../spec/new-check-spec.ts';
import { lastOf } from './address-words.ts';

/** Null: the query sets nothing. */
export function newCheckOf(query: URLSearchParams): NewCheck | { readonly error: string } | null {
  const last = (name: string): string | undefined => lastOf(query, name) ?? undefined;
  return readNewCheck({
    ...{ channels: last('channels'), grace: last('grace'), name: last('name'), schedule: last('schedule') },
    ...{ tags: last('tags'), timeout: last('timeout'), tz: last('tz') },
  });
}
