/**
 * How all projects are, asked for again and again while the page is there, since nobody reloads a screen on the wall. What has
 * not changed is not sent again.
 */
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Overview, UnchangedView } from '../../domain/views/page-view.ts';
import { ask, messageOf } from '../core/calls.ts';

const everyMs = 2000;
/** Milliseconds without an answer after which what is shown is old. */
export const staleAfterMs = 10_000;

export interface LookedOverview {
  readonly overview: Overview | null;
  readonly error: string;
  /** Time of the server's last answer, by the browser's clock; null until then. */
  readonly answeredAtMs: number | null;
  /** Milliseconds by which the server's clock is ahead of the browser's. */
  readonly offsetMs: number;
}

interface AskedOverview extends LookedOverview {
  /** Asks at once, for what has just been changed here. */
  readonly reload: () => void;
}

interface OverviewWanted {
  /** Code of a project; empty for all. */
  readonly project: string;
  /** Key of a wall link; empty for those who are signed in. */
  readonly key: string;
  /** Whether to name what is down or late. */
  readonly rows: boolean;
}

export function useOverview({ project, key, rows }: OverviewWanted): AskedOverview {
  const [looked, setLooked] = useState<LookedOverview>({
    overview: null,
    error: '',
    answeredAtMs: null,
    offsetMs: 0,
  });
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((before) => before + 1), []);
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
  }, [project, key, rows, round]);
  return { ...looked, reload };
}
