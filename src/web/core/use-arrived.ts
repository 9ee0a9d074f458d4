/** Whether what a page asks for when it opens is there, so that it is drawn at once instead of moving with each answer. */
import { useEffect, useState } from 'preact/hooks';
import { isAsking } from './calls.ts';

/** Frames without a question: an answer is drawn, and only then asks the parts of the page for what it names. */
const quietFrames = 3;
/** Longest wait in milliseconds: on a slow network what is there is better than nothing. */
const waitMsMax = 2000;

/** `isAwaited`: what is drawn as it comes has arrived from the beginning. */
export function useArrived(isAwaited: boolean, { frames = quietFrames, ms = waitMsMax } = {}): boolean {
  const [isHere, setHere] = useState(!isAwaited);
  useEffect(() => {
    if (isHere) return;
    let quiet = 0;
    let frame = requestAnimationFrame(look);
    function look(): void {
      quiet = isAsking() ? 0 : quiet + 1;
      if (quiet < frames) frame = requestAnimationFrame(look);
      else setHere(true);
    }
    const timer = setTimeout(() => setHere(true), ms);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [isHere]);
  return isHere;
}
