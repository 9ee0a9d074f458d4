/** The checks of all projects that the words of the palette find. The server is asked a moment after the last key. */
import { useEffect, useState } from 'preact/hooks';
import type { FoundChecksView } from '../../domain/views/page-view.ts';
import { ask, messageOf } from '../core/calls.ts';

const settleMs = 120;

interface Answer extends FoundChecksView {
  readonly text: string;
  readonly error: string;
}

const nothing: Answer = { text: '', checks: [], total: 0, error: '' };

export interface Found extends FoundChecksView {
  /** Whether the answer to the present text is not there yet: then these are of the text before. */
  readonly isPending: boolean;
  readonly error: string;
}

export function useFound(typed: string): Found {
  const text = typed.trim();
  const [answer, setAnswer] = useState(nothing);
  useEffect(() => {
    if (text === '') return setAnswer(nothing);
    let isCurrent = true;
    const look = (): void => {
      ask<FoundChecksView>(`/web/find?${new URLSearchParams({ q: text })}`).then(
        (view) => isCurrent && setAnswer({ ...view, text, error: '' }),
        (reason: unknown) => isCurrent && setAnswer({ ...nothing, text, error: messageOf(reason) }),
      );
    };
    const timer = setTimeout(look, settleMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text]);
  return { ...answer, isPending: answer.text !== text };
}
