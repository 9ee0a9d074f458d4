/** Brings what an action has shown into sight: on a phone its button may be screens away from it. */
import { useEffect, useRef } from 'preact/hooks';

/** Returns the ref of a mark above what is shown, or of a box around it, which is one of `texts`; they are empty while nothing is. */
export function useInSight(...texts: readonly string[]) {
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (texts.some((text) => text !== '')) mark.current?.scrollIntoView({ block: 'nearest' });
  }, texts);
  return mark;
}
