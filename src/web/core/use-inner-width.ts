/** The width that an element has within its padding, which its charts are drawn for. */
import { useLayoutEffect, useState } from 'preact/hooks';

/** Returns whole CSS pixels; 0 until the element is there. */
export function useInnerWidth(box: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return width;
}
