/** This file finds which part of something tall is in sight while the page scrolls. */
import { useEffect, useState } from 'preact/hooks';

export interface Sight {
  /** Pixels from its upper edge. */
  readonly top: number;
  readonly height: number;
}

export function useSight(box: { readonly current: HTMLElement | null }): Sight {
  const [sight, setSight] = useState<Sight>({ top: 0, height: innerHeight });
  useEffect(() => {
    const look = (): void => {
      const top = Math.max(0, -(box.current?.getBoundingClientRect().top ?? 0));
      setSight((before) =>
        before.top === top && before.height === innerHeight ? before : { top, height: innerHeight },
      );
    };
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [box]);
  return sight;
}
