/** This file finds which rows and columns of a box that scrolls by itself are in sight, with some ready around them. */
import { useLayoutEffect, useState } from 'preact/hooks';

export interface Range {
  readonly from: number;
  /** The first place after it. */
  readonly until: number;
}

interface Sizes {
  readonly total: number;
  readonly rowPx: number;
  readonly columns: number;
  /** Width of a column, as long as not all of them fit: what the style sheet makes of it then. If they do, they get wider. */
  readonly columnPx: number;
}

const spareRows = 6;
const spareColumns = 2;

/** `hiddenColumns`: those that are not in sight at the right, or not whole; `hiddenRows`: the same below; `widthPx`: of the box, within its edges. */
export function useScrolled(
  box: { readonly current: HTMLElement | null },
  { total, rowPx, columns, columnPx }: Sizes,
): {
  readonly rows: Range;
  readonly columns: Range;
  readonly hiddenColumns: number;
  readonly hiddenRows: number;
  /** Whether anything is cut off at the right. */
  readonly isCut: boolean;
  readonly widthPx: number;
} {
  const [seen, setSeen] = useState({
    top: 0,
    left: 0,
    height: innerHeight,
    width: innerWidth,
    rightPx: 0,
    belowPx: 0,
  });
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return;
    const look = (): void =>
      setSeen({
        top: current.scrollTop,
        left: current.scrollLeft,
        height: current.clientHeight,
        width: current.clientWidth,
        belowPx: current.scrollHeight - current.clientHeight - current.scrollTop,
        rightPx: current.scrollWidth - current.clientWidth - current.scrollLeft,
      });
    look();
    current.addEventListener('scroll', look, { passive: true });
    // The box grows without any event of the window once its rows are known, or when a message above it goes.
    const sizes = new ResizeObserver(look);
    sizes.observe(current);
    return () => {
      current.removeEventListener('scroll', look);
      sizes.disconnect();
    };
    // The box may be there only once something is known.
    // More or fewer rows below are no event either while the box is as high as it gets.
  }, [box, box.current, total]);
  return {
    widthPx: seen.width,
    rows: rangeOf(seen.top, seen.height, rowPx, { count: total, spare: spareRows }),
    columns: rangeOf(seen.left, seen.width, columnPx, { count: columns, spare: spareColumns }),
    // The fraction of a pixel that a zoomed page leaves is no column.
    hiddenRows: Math.max(0, Math.min(total, Math.ceil((seen.belowPx - 1) / rowPx))),
    isCut: seen.rightPx > 1,
    // A column whose box is in sight, though not its edge, is not counted.
    hiddenColumns: Math.max(0, Math.min(columns, Math.round(seen.rightPx / columnPx))),
  };
}

function rangeOf(
  startPx: number,
  sizePx: number,
  eachPx: number,
  { count, spare }: { readonly count: number; readonly spare: number },
): Range {
  const from = Math.max(0, Math.min(count, Math.floor(startPx / eachPx) - spare));
  return { from, until: Math.min(count, Math.ceil((startPx + sizePx) / eachPx) + spare) };
}
