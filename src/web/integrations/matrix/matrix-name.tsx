/**
 * The name of a check in the matrix. On a phone one that is too long for two lines has its beginning in the first and its end in the
 * second: names of a series often differ only at the end. A press shows the whole of it over the row.
 */
import { useState } from 'preact/hooks';
import { columnPx } from '../../rows/use-scrolled.ts';

interface NameProps {
  readonly name: string;
  /** Characters that fit into a line. */
  readonly lineMax: number;
}

export function MatrixName({ name, lineMax }: NameProps) {
  const [isOpen, setOpen] = useState(false);
  const end = endOf(name, lineMax);
  if (end === '') return <span>{name}</span>;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={() => setOpen(!isOpen)}
      onBlur={() => setOpen(false)}
    >
      <span>{name.slice(0, -end.length)}</span>
      <span>{end}</span>
    </button>
  );
}

/** In pixels: the narrowest column of names, the space beside a name in it, and a wide character of a name. */
const leastPx = 120;
const besidePx = 16;
const characterPx = 6.5;

/** Returns how many characters of a name fit into a line of a matrix of that width on a phone, where the names have what the columns leave. */
export function lineMaxOf(widthPx: number, columns: number): number {
  return Math.floor((Math.max(leastPx, widthPx - columns * columnPx) - besidePx) / characterPx);
}

/** Returns what the second line has of a name that needs more than two, from the beginning of a part on; else an empty text. */
function endOf(name: string, lineMax: number): string {
  const parts = name.split(/(?<=[-\s_./:])/);
  let lines = 1;
  let used = 0;
  for (const part of parts) {
    if (used > 0 && used + part.trimEnd().length > lineMax) {
      lines++;
      used = 0;
    }
    used += part.length;
    lines += Math.floor(used / (lineMax + 1));
  }
  if (lines <= 2) return '';
  let end = '';
  for (const part of parts.toReversed()) {
    if (end.length + part.length > lineMax) break;
    end = part + end;
  }
  return end.trim() === '' ? name.slice(-lineMax) : end;
}
