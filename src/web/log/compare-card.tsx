/**
 * The outputs of two runs, with what differs marked: side by side, or one below the other on a phone. Stretches that are the same are
 * folded. The address has which two they are.
 * Invariant: what an output says is text; so many rows are drawn as somebody asks for.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { RunAnswer, RunListAnswer } from '../../domain/views/api-answers.ts';
import { terminalLines } from '../../domain/words/terminal-text.ts';
import { useAsk } from '../core/calls.ts';
import { useSearch } from '../core/route.ts';
import { useWide } from '../core/use-wide.ts';
import { momentWords } from '../core/words.ts';
import { apiPath } from '../rows/api-check.ts';
import { Problem } from '../ui/bits.tsx';
import { type Compared, compare, comparedOf } from './compare-address.ts';
import { DiffTable } from './diff-table.tsx';
import { useOutput } from './linked-output.tsx';

interface CompareProps {
  readonly project: string;
  readonly id: string;
  readonly nowMs: number;
}

/** Runs that can be chosen: as many as one looks through. */
const runsListed = 100;

export function CompareCard(props: CompareProps) {
  const compared = comparedOf(useSearch());
  return compared === null ? null : <Chosen {...props} compared={compared} />;
}

function Chosen({ project, id, nowMs, compared }: CompareProps & { readonly compared: Compared }) {
  const { left, right } = compared;
  const card = useRef<HTMLElement>(null);
  const { data, error } = useAsk<RunListAnswer>(apiPath(project, `checks/${id}/runs/?limit=${runsListed}`));
  const runs = (data?.runs ?? []).filter(({ n }) => n !== null);
  const good = runs.find(({ n, outcome }) => outcome === 'success' && (n ?? 0) < right)?.n ?? null;
  useEffect(() => {
    if (left === 'good' && good !== null) compare({ left: good, right });
  }, [left, good, right]);
  const opener = useOpener(card, right);
  const close = (): void => {
    compare(null);
    (opener.current?.isConnected ? opener.current : document.getElementById('main'))?.focus();
  };
  const choose = (side: 'left' | 'right', n: number): void => compare({ ...compared, [side]: n });
  return (
    <section
      class="card compare"
      ref={card}
      tabIndex={-1}
      aria-label="Compare outputs"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        close();
      }}
    >
      <div class="card-head">
        <h2>Compare outputs</h2>
        <RunChoice label="Before" {...{ runs, nowMs }} n={left} choose={(n) => choose('left', n)} />
        <RunChoice label="After" {...{ runs, nowMs }} n={right} choose={(n) => choose('right', n)} />
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </div>
      <Problem text={error} />
      {left === 'good' && data !== null && good === null && (
        <Note>No good run before ping {right.toLocaleString()} is listed: choose another one.</Note>
      )}
      {left !== 'good' && <Difference {...{ project, id, left, right }} />}
    </section>
  );
}

/**
 * Shows the card when other outputs are asked for, and gives it the focus: by keyboard one would otherwise go on far above it. Returns
 * what had the focus before. A page that is opened with the outputs moves none.
 */
function useOpener(
  card: { readonly current: HTMLElement | null },
  right: number,
): { readonly current: HTMLElement | null } {
  const opener = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const { activeElement: active } = document;
    card.current?.scrollIntoView();
    if (!(active instanceof HTMLElement) || active === document.body || card.current?.contains(active))
      return;
    opener.current = active;
    card.current?.focus({ preventScroll: true });
  }, [card, right]);
  return opener;
}

function Note({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="faint" role="status">
      {children}
    </p>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly runs: readonly RunAnswer[];
  readonly n: Compared['left'];
  readonly choose: (n: number) => void;
  readonly nowMs: number;
}

/** One that is not listed any more is named by its number. */
function RunChoice({ label, runs, n: chosen, choose, nowMs }: ChoiceProps) {
  const isListed = runs.some(({ n }) => n === chosen);
  return (
    <label>
      <span class="hidden">{label}</span>
      <select value={chosen} onChange={(event) => choose(Number(event.currentTarget.value))}>
        {!isListed && (
          <option value={chosen}>{chosen === 'good' ? 'The last good run' : `Ping ${chosen}`}</option>
        )}
        {runs.map(({ n, outcome, ended }) => (
          <option key={n} value={n ?? 0}>
            {`Ping ${n}: ${outcome}, ${ended === null ? '' : momentWords(Date.parse(ended), nowMs)}`}
          </option>
        ))}
      </select>
    </label>
  );
}

interface DifferenceProps extends Omit<CompareProps, 'nowMs'> {
  readonly left: number;
  readonly right: number;
}

function Difference({ project, id, left, right }: DifferenceProps) {
  const path = (n: number): string => apiPath(project, `checks/${id}/pings/${n}/body`);
  const [one, other] = [useOutput(path(left)), useOutput(path(right))];
  const before = useLinesOf(one);
  const after = useLinesOf(other);
  const isWide = useWide();
  if (one === null || other === null) return null;
  const missing = [...(one === false ? [left] : []), ...(other === false ? [right] : [])];
  if (missing.length > 0)
    return (
      <Note>
        There is no output of ping {missing.map((n) => n.toLocaleString()).join(' and ')}: it brought none, or
        it is no longer kept.
      </Note>
    );
  return <DiffTable key={`${left}-${right}`} {...{ before, after, isWide }} />;
}

function useLinesOf(text: string | false | null): readonly string[] {
  return useMemo(
    () => (typeof text === 'string' ? terminalLines(text.trimEnd()).map((line) => line.text) : []),
    [text],
  );
}
