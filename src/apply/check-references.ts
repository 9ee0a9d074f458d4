/**
 * Resolves the names of checks on the status pages of a configuration, as `references` does for integrations.
 * Invariant: a slug that several checks will have means none of them.
 */
import type { ConfiguredCheck } from '../domain/configuration/configuration.ts';
import type { DesiredCheck } from './desired.ts';

export interface CheckReferences {
  /** Finds a check that will exist, by slug or id. */
  find(name: string): string | 'several' | null;
  ofNew(check: DesiredCheck): string;
  /** Sorted names, for people. */
  namesOf(ids: readonly string[]): readonly string[];
}

interface CheckReferenceOptions {
  /** Id or reference. */
  readonly project: string;
  /** Null: not managed by the file. */
  readonly wanted: readonly DesiredCheck[] | null;
  readonly there: readonly ConfiguredCheck[];
  readonly prune: boolean;
  actualCheck(check: DesiredCheck): ConfiguredCheck | 'several' | null;
}

export function createCheckReferences(options: CheckReferenceOptions): CheckReferences {
  const { project, wanted, there, prune, actualCheck } = options;
  const ofNew = ({ id, fields }: DesiredCheck): string => id ?? `${project}\0check ${fields.slug}`;
  const idOf = (check: DesiredCheck): string => {
    const found = actualCheck(check);
    return found === null || found === 'several' ? ofNew(check) : found.id;
  };
  const own = new Map((wanted ?? []).map((check) => [idOf(check), String(check.fields.slug ?? '')]));
  const staying = wanted && prune ? there.filter(({ id }) => own.has(id)) : there;
  const slugs = new Map([
    ...staying.map(({ id, fields }) => [id, String(fields.slug ?? '')] as const),
    ...own,
  ]);
  const bySlug = new Map<string, string>();
  for (const [id, slug] of slugs) bySlug.set(slug, bySlug.has(slug) ? 'several' : id);
  const slugThere = new Map(there.map(({ id, fields }) => [id, String(fields.slug ?? '')]));
  return {
    find(name) {
      if (slugs.has(name)) return name;
      return name === '' ? null : (bySlug.get(name) ?? null);
    },
    ofNew,
    namesOf: (ids) => ids.map((id) => slugs.get(id) || slugThere.get(id) || id).sort(),
  };
}
