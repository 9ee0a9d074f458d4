/**
 * What is said beside a slug that another check has, in a form and where it is copied. It forbids nothing, as the management API takes
 * such a slug, too: it is asked once.
 * Invariant: it is asked while one types, and says nothing of a slug that has changed since.
 */
import { useEffect, useState } from 'preact/hooks';
import { slugLengthMax } from '../../domain/limits.ts';
import { ask } from '../core/calls.ts';
import { type ApiCheck, apiPath } from '../rows/api-check.ts';

const typingMs = 250;

interface Found {
  readonly checks: readonly ApiCheck[];
}

/** Returns the words for `slug` of the check `except`, which is empty for a new one; empty while no other check has that slug. */
export function useSlugTwins(project: string, slug: string, except = ''): string {
  const names = useTwinNames(project, slug, { except, waitMs: typingMs });
  return names.length === 0 ? '' : twinWords(slug, names);
}

/** The same of a slug that a check has, whose pings by it are refused; empty where `slug` is. */
export function useSavedTwins(project: string, slug: string, except: string): string {
  const names = useTwinNames(project, slug, { except, waitMs: 0 });
  return names.length === 0 ? '' : twinWords(slug, names, 'are');
}

const noNames: readonly string[] = [];

interface Asked {
  readonly except: string;
  /** Milliseconds for which a slug has to stay the same before it is asked for. */
  readonly waitMs: number;
}

function useTwinNames(project: string, slug: string, { except, waitMs }: Asked): readonly string[] {
  const [found, setFound] = useState({ slug: '', names: noNames });
  useEffect(() => {
    if (slug === '') return;
    let isCurrent = true;
    const take = ({ checks }: Found): void => {
      const names = checks.filter(({ uuid }) => uuid !== except).map(({ name }) => name);
      if (isCurrent) setFound({ slug, names });
    };
    const timer = setTimeout(() => {
      const path = apiPath(project, `checks/?slug=${encodeURIComponent(slug)}`);
      // Without an answer nothing is said: the slug can be saved either way.
      ask<Found>(path).then(take, () => {});
    }, waitMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [project, slug, except, waitMs]);
  return slug !== '' && found.slug === slug ? found.names : noNames;
}

/** Returns what is said of an attempt to save a slug that other checks have, with one that is free; empty where none has it. */
export async function twinsError(project: string, slug: string, except = ''): Promise<string> {
  const others = async (wanted: string): Promise<number> => {
    const path = apiPath(project, `checks/?slug=${encodeURIComponent(wanted)}`);
    const { checks } = await ask<Found>(path).catch(() => ({ checks: [] }));
    return checks.filter(({ uuid }) => uuid !== except).length;
  };
  const count = await others(slug);
  if (count === 0) return '';
  const free = slugAfter(slug);
  const use = free === slug || (await others(free)) > 0 ? 'Choose another one' : `Use ${free}`;
  const whom = count === 1 ? 'both checks' : 'all of these checks';
  return `Pings to …/${slug} would be refused for ${whom}. ${use}, or save again to keep it.`;
}

/** Checks with one name and a number behind it, from `-2` on: after that somebody has to choose. */
const sameNamesMax = 9;

/** Returns the slug that is tried after one that another check has; the same one where none is left to try. */
export function slugAfter(slug: string): string {
  const [, base = slug, number = '1'] = /^(.+)-([2-9])$/.exec(slug) ?? [];
  const next = `${base}-${Number(number) + 1}`;
  return Number(number) < sameNamesMax && next.length <= slugLengthMax ? next : slug;
}

/** Says what follows from a slug that other checks have, by their names. */
export function twinWords(
  slug: string,
  names: readonly string[],
  be: 'would be' | 'are' = 'would be',
): string {
  const [first, ...more] = names;
  const another = first === '' ? 'Another check has' : `Another check, “${first}”, has`;
  const others = more.length === 0 ? another : `${names.length} other checks have`;
  return `${others} the slug “${slug}”. Pings by this slug ${be} refused as ambiguous: choose another slug, or ping each check by its UUID.`;
}

/** The words, announced to readers who do not see them appear; `id` binds the field to them. */
export function SlugTwins({ id, words }: { readonly id: string; readonly words: string }) {
  return (
    <div id={id} role="status">
      {words !== '' && <p class="caution">{words}</p>}
    </div>
  );
}
