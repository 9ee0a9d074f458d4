/** The tags of a check in its row: each is there whole or not at all, and a number says how many are not. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useInnerWidth } from '../core/use-inner-width.ts';
import { Tag } from '../ui/tag.tsx';

/** CSS pixels between two tags, and those of the number with the space before it. */
const gapPx = 4;
const morePx = 28;

interface RowTagsProps {
  readonly names: readonly string[];
  readonly choose: (name: string) => void;
}

/** All of them are in the document, where those that do not fit are on a line out of sight: so their widths are known. */
export function RowTags({ names, choose }: RowTagsProps) {
  const box = useRef<HTMLSpanElement>(null);
  const widthPx = useInnerWidth(box);
  const [fitting, setFitting] = useState(names.length);
  const all = names.join(' ');
  useLayoutEffect(() => {
    if (!box.current || widthPx === 0) return;
    const tags = [...box.current.querySelectorAll<HTMLElement>('.tag')];
    setFitting(
      countThatFit(
        tags.map(({ offsetWidth }) => offsetWidth),
        widthPx,
      ),
    );
  }, [all, widthPx]);
  const tagOf = (name: string) => <Tag key={name} name={name} choose={() => choose(name)} />;
  const rest = names.slice(fitting);
  return (
    <span class="tags" ref={box}>
      {names.slice(0, fitting).map(tagOf)}
      {rest.length > 0 && (
        <span key="" class="number-more" aria-hidden="true" title={rest.join('\n')}>
          +{rest.length}
        </span>
      )}
      {rest.map(tagOf)}
    </span>
  );
}

/** Returns how many of the tags, at least one, fit beside the number of the others. */
function countThatFit(widths: readonly number[], widthPx: number): number {
  const taken = widths.map((_, at) =>
    widths.slice(0, at + 1).reduce((sum, one) => sum + one + gapPx, -gapPx),
  );
  if ((taken.at(-1) ?? 0) <= widthPx) return widths.length;
  return Math.max(1, taken.filter((px) => px + gapPx + morePx <= widthPx).length);
}
