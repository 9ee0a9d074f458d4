/** Enter in a field whose search is not answered yet. */
import { useEffect, useRef } from 'preact/hooks';

/** Who types a name and presses Enter at once means what is found a moment later. */
export function useEntered(isPending: boolean, take: () => void): () => void {
  const isWaiting = useRef(false);
  useEffect(() => {
    if (isPending || !isWaiting.current) return;
    isWaiting.current = false;
    take();
  }, [isPending]);
  return () => {
    if (isPending) isWaiting.current = true;
    else take();
  };
}
