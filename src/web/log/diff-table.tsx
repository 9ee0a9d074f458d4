/** Lines of two outputs as a table: in two columns, or in one. What differs has a sign as well as a colour. */
import { useMemo, useState } from 'preact/hooks';
import { type DiffPart, type DiffRow, foldedDiff, lineDiff, sideBySide } from './line-diff.ts';

interface DiffProps {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly isWide: boolean;
}

/** Rows that are drawn at first, and that each press adds. */
const rowsAtOnce = 1000;

export function DiffTable({ before, after, isWide }: DiffProps) {
  const { rows, isRough } = useMemo(() => lineDiff(before, after), [before, after]);
  const [most, setMost] = useState(rowsAtOnce);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const removed = rows.filter(([, right]) => right === null).length;
  const added = rows.filter(([left]) => left === null).length;
  const parts = useMemo(() => foldedDiff(rows), [rows]);
  const { shown, left } = cutParts(parts, open, most);
  if (removed + added === 0) return <p role="status">The outputs are the same.</p>;
  return (
    <>
      <p class="faint" role="status">
        {linesWords(removed)} removed, {linesWords(added)} added.
        {isRough &&
          ' They differ in too much to be lined up: all from the first difference to the last is marked.'}
      </p>
      <table class={isWide ? 'diff' : 'diff unified'}>
        <colgroup>
          <col class="number" />
          <col />
          {isWide && <col class="number" />}
          {isWide && <col />}
        </colgroup>
        {shown.map((part, at) =>
          part.kind === 'same' && !open.has(at) ? (
            <Fold
              key={at}
              count={part.rows.length}
              isWide={isWide}
              open={() => setOpen(new Set([...open, at]))}
            />
          ) : (
            <tbody key={at}>
              {(isWide ? sideBySide(part.rows) : part.rows).map(([one, other]) => (
                <tr key={`${one} ${other}`}>
                  {isWide ? (
                    <>
                      <Side of={one} lines={before} kind={kindOf('removed', one, other, before, after)} />
                      <Side of={other} lines={after} kind={kindOf('added', one, other, before, after)} />
                    </>
                  ) : (
                    <Unified {...{ one, other, before, after }} />
                  )}
                </tr>
              ))}
            </tbody>
          ),
        )}
      </table>
      {left > 0 && (
        <button type="button" class="quiet" onClick={() => setMost(most + rowsAtOnce)}>
          Show more of {left.toLocaleString()} lines
        </button>
      )}
    </>
  );
}

function linesWords(count: number): string {
  return count === 1 ? '1 line' : `${count.toLocaleString()} lines`;
}

/** The parts up to so many rows, and how many rows are left. */
function cutParts(
  parts: readonly DiffPart[],
  open: ReadonlySet<number>,
  most: number,
): { readonly shown: readonly DiffPart[]; readonly left: number } {
  const shown: DiffPart[] = [];
  let [space, left] = [most, 0];
  for (const [at, part] of parts.entries()) {
    if (part.kind === 'same' && !open.has(at)) {
      if (left === 0) shown.push(part);
      continue;
    }
    const taken = part.rows.slice(0, space);
    if (taken.length > 0) shown.push({ ...part, rows: taken });
    space -= taken.length;
    left += part.rows.length - taken.length;
  }
  return { shown, left };
}

type Kind = 'same' | 'removed' | 'added';

/** Of a pair that is lined up only for its place, each side differs. */
function kindOf(
  kind: Exclude<Kind, 'same'>,
  one: number | null,
  other: number | null,
  before: readonly string[],
  after: readonly string[],
): Kind {
  return one !== null && other !== null && before[one] === after[other] ? 'same' : kind;
}

const signs: Readonly<Record<Kind, string>> = { same: ' ', removed: '−', added: '+' };

interface SideProps {
  readonly of: number | null;
  readonly lines: readonly string[];
  readonly kind: Kind;
}

function Side({ of, lines, kind }: SideProps) {
  if (of === null)
    return (
      <>
        <td class="number" />
        <td class="none" />
      </>
    );
  return (
    <>
      <td class="number">{of + 1}</td>
      <td class={`is-${kind}`}>
        <span class="sign">{signs[kind]}</span>
        {lines[of]}
      </td>
    </>
  );
}

interface UnifiedProps {
  readonly one: DiffRow[0];
  readonly other: DiffRow[1];
  readonly before: readonly string[];
  readonly after: readonly string[];
}

function Unified({ one, other, before, after }: UnifiedProps) {
  if (other === null) return <Side of={one} lines={before} kind="removed" />;
  return <Side of={other} lines={after} kind={one === null ? 'added' : 'same'} />;
}

interface FoldProps {
  readonly count: number;
  readonly isWide: boolean;
  readonly open: () => void;
}

function Fold({ count, isWide, open }: FoldProps) {
  return (
    <tbody>
      <tr>
        <td class="fold" colSpan={isWide ? 4 : 2}>
          <button type="button" class="quiet" onClick={open}>
            Show {linesWords(count)} that are the same
          </button>
        </td>
      </tr>
    </tbody>
  );
}
