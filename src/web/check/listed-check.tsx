/** In place of the page of a check that could not be loaded: what the list showed of the check last. */
import { useEffect } from 'preact/hooks';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { unreachable } from '../core/calls.ts';
import { noteStale, type Seen } from '../core/stale.ts';
import { between, nameOf, stateWords } from '../rows/row-words.ts';
import { listedLast } from '../rows/use-list.ts';
import { NotLoaded } from '../ui/bits.tsx';
import { StatusMark } from '../ui/status-mark.tsx';

/** `error`: why the page is not there; empty until that is known. */
export function ListedCheck({ id, error }: { readonly id: string; readonly error: string }) {
  const { words: why } = Object.values(unreachable).find(({ words }) => error.startsWith(words)) ?? {};
  const last = why === undefined ? null : listedLast(id);
  return last && why !== undefined ? <Listed {...{ last, why }} /> : <NotLoaded text={error} />;
}

/** The banner above the page says from when it is. */
function Listed({
  last: { answer: row, atMs },
  why,
}: {
  readonly last: Seen<CheckRow>;
  readonly why: string;
}) {
  useEffect(() => {
    const asker = {};
    noteStale(asker, { atMs, why, isSeen: true });
    return () => noteStale(asker, null);
  }, [atMs, why]);
  const { status, first, second } = stateWords(row, atMs);
  return (
    <>
      <h1>{nameOf(row)}</h1>
      <section class="card listed">
        <p>
          <StatusMark status={status} />
        </p>
        <p>{[first, second].filter((words) => words !== '').join(between)}</p>
        <p class="faint">This is what the list showed. The rest is loaded once there is a connection.</p>
      </section>
    </>
  );
}
