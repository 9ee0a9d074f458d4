/**
 * How all projects are, asked for again and again while the page is there: a screen on the wall has nobody to reload it. What has
 * not changed does not travel.
 */
import { useEffect, useState } from 'preact/hooks';
import type { Overview, UnchangedView } from '../../domain/views/page-view.ts';
import { ask, messageOf } from '../core/calls.ts';

const everyMs = 2000;
/** Without an answer for so long, what is shown is old. */
export const staleAfterMs = 10_000;

export interface LookedOverview {
  readonly overview: Overview | null;
  readonly error: string;
  /** When the server last answered, by the browser's clock; null until then. */
  readonly answeredAtMs: number | null;
  /** The server's clock less the browser's. */
  readonly offsetMs: number;
}

interface OverviewWanted {
  /** Empty for all. */
  readonly project: string;
  /** Of a wall link; empty for who is signed in. */
  readonly key: string;
  /** Whether to name what is down or late. */
  readonly rows: boolean;
}

export function useOverview({ project, key, rows }: OverviewWanted): LookedOverview {
  const [looked, setLooked] = useState<LookedOverview>({
    overview: null,
    error: '',
    answeredAtMs: null,
    offsetMs: 0,
  });
  useEffect(() => {
    let hasEnded = false;
    let known = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      const query = new URLSearchParams({
        ...(project === '' ? {} : { project }),
        ...(rows ? { rows: '1' } : {}),
        ...(known === '' ? {} : { known }),
      });
      try {
        const headers = key === '' ? undefined : { 'X-Knell-Wall': key };
        const answer = await ask<Overview | UnchangedView>(`/web/overview?${query}`, headers);
        if (hasEnded) return;
        const answeredAtMs = Date.now();
        if ('same' in answer) setLooked((before) => ({ ...before, error: '', answeredAtMs }));
        else {
          known = answer.revision;
          setLooked({ overview: answer, error: '', answeredAtMs, offsetMs: answer.nowMs - answeredAtMs });
        }
      } catch (reason) {
        if (!hasEnded) setLooked((before) => ({ ...before, error: messageOf(reason) }));
      }
      if (!hasEnded) timer = setTimeout(look, everyMs);
    };
    void look();
    return () => {
      hasEnded = true;
      clearTimeout(timer);
    };
  }, [project, key, rows]);
  return looked;
}
