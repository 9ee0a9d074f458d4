/**
 * The outputs of the project that have the words of the palette. The server searches a bounded part for each request, so one
 * request follows another until there is enough to show; then the user decides whether to go on.
 * Invariant: what is shown is of the present text, and no request follows once the text is another or the palette is closed.
 */
import { useEffect, useState } from 'preact/hooks';
import type { FoundOutputAnswer, SearchAnswer } from '../../domain/views/search-view.ts';
import { ask, messageOf } from '../core/calls.ts';

/** Milliseconds after the last key: longer than for checks, which are found in a moment. */
const settleMs = 300;
/** Characters of the shortest text: fewer are in every output. */
const charsMin = 2;
/** Hits that are shown before the user has to ask for more, and milliseconds after which that is so anyway. */
const hitsAtOnce = 8;
const searchMsMax = 10_000;

interface Outputs {
  /** Of which text; empty for none. */
  readonly text: string;
  /** Newest first. */
  readonly hits: readonly FoundOutputAnswer[];
  /** Back to where all was searched; null for everything, and before the first answer. */
  readonly backToMs: number | null;
  /** Cursor with which to go on; null where nothing is left. */
  readonly next: string | null;
  readonly isSearching: boolean;
  readonly error: string;
}

export interface FoundOutputs extends Outputs {
  /** Searches further back. */
  readonly goOn: () => void;
}

const nothing: Outputs = { text: '', hits: [], backToMs: null, next: null, isSearching: false, error: '' };

export function useOutputs(project: string, typed: string): FoundOutputs {
  const text = typed.trim();
  const [found, setFound] = useState(nothing);
  const [round, setRound] = useState(0);
  useEffect(() => setFound(nothing), [project, text]);
  useEffect(() => {
    if (text.length < charsMin) return;
    let isCurrent = true;
    const isFirst = found.text !== text;
    const before = isFirst ? { ...nothing, text } : found;
    const search = async (): Promise<void> => {
      const endMs = Date.now() + searchMsMax;
      let now: Outputs = { ...before, isSearching: true, error: '' };
      for (let more = hitsAtOnce; isCurrent && now.isSearching; ) {
        setFound(now);
        const answer = await ask<SearchAnswer>(pathOf(project, text, more, now.next));
        now = withAnswer(now, answer);
        more -= answer.outputs?.length ?? 0;
        if (more <= 0 || Date.now() > endMs) now = { ...now, isSearching: false };
      }
      if (isCurrent) setFound(now);
    };
    const begin = (): void => {
      search().catch((reason: unknown) => {
        if (isCurrent) setFound((last) => ({ ...last, text, isSearching: false, error: messageOf(reason) }));
      });
    };
    const timer = setTimeout(begin, isFirst ? settleMs : 0);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [project, text, round]);
  const isPending = text.length >= charsMin && found.text !== text;
  return {
    ...(isPending ? { ...nothing, isSearching: true } : found),
    goOn: () => setRound((last) => last + 1),
  };
}

function pathOf(project: string, text: string, limit: number, after: string | null): string {
  const query = new URLSearchParams({ q: text, in: 'outputs', limit: String(limit) });
  if (after !== null) query.set('after', after);
  return `/web/in/${project}/api/search?${query}`;
}

function withAnswer(before: Outputs, { outputs = [], searched, next }: SearchAnswer): Outputs {
  return {
    ...before,
    hits: [...before.hits, ...outputs],
    backToMs: searched?.from == null ? null : Date.parse(searched.from),
    next,
    isSearching: next !== null,
  };
}
