/** On the page of a check: what it depends on, by name, since nobody is alerted of it while that is down. */
import { useEffect, useState } from 'preact/hooks';
import type { ListView, RowsView } from '../../domain/views/page-view.ts';
import { ask } from '../core/calls.ts';
import { nameOf } from '../rows/row-words.ts';

/** Of those that are named: each slug is a request. */
const namedMax = 5;
/** Checks that are asked for by a slug: others may have it in their names. */
const foundMax = 20;
const tagPrefix = 'tag:';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

interface DependsProps {
  readonly project: string;
  /** Slugs, UUIDs and tags, as they are set; empty for none. */
  readonly dependsOn: string;
}

/** `No alert while Vacuum orders is down`. */
export function DependsLine({ project, dependsOn }: DependsProps) {
  const parts = [...new Set(dependsOn.split(/\s+/).filter((part) => part !== ''))];
  const names = useNames(project, parts.slice(0, namedMax));
  if (parts.length === 0) return null;
  const more = parts.length - namedMax;
  const said = parts.slice(0, namedMax).map((part) => wordsOf(part, names));
  if (more > 0) said.push(`one of ${more.toLocaleString()} more`);
  const last = said.pop();
  return (
    <p class="faint depends-line">
      No alert while {said.length === 0 ? last : `${said.join(', ')} or ${last}`} is down
    </p>
  );
}

/** A name; null where no check has that slug. */
type Names = ReadonlyMap<string, string | null>;

function wordsOf(part: string, names: Names): string {
  if (part.startsWith(tagPrefix)) return `a check with the tag ${part.slice(tagPrefix.length)}`;
  if (names.get(part) === null) return `“${part}” (no check has this slug yet)`;
  return names.get(part) ?? (uuid.test(part) ? 'another check' : part);
}

/** The names of checks by their slugs and UUIDs, as far as they are known. */
function useNames(project: string, parts: readonly string[]): Names {
  const [names, setNames] = useState<Names>(new Map());
  const wanted = parts.filter((part) => !part.startsWith(tagPrefix)).join(' ');
  useEffect(() => {
    const note = (part: string, name: string | null): void =>
      setNames((before) => new Map([...before, [part, name]]));
    const asked = wanted === '' ? [] : wanted.split(' ');
    const ids = asked.filter((part) => uuid.test(part));
    if (ids.length > 0)
      ask<RowsView>(`/web/in/${project}/rows?ids=${ids.join()}`).then(
        ({ rows }) => {
          for (const row of rows) note(row.id, nameOf(row));
        },
        () => {},
      );
    for (const slug of asked.filter((part) => !uuid.test(part))) {
      const query = new URLSearchParams({ sort: 'name', count: String(foundMax), q: slug });
      ask<ListView>(`/web/in/${project}/list?${query}`).then(
        ({ rows, total }) => {
          const row = rows.find((one) => one.slug === slug);
          if (row) note(slug, nameOf(row));
          else if (total <= rows.length) note(slug, null);
        },
        () => {},
      );
    }
  }, [project, wanted]);
  return names;
}
