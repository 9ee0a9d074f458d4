/**
 * Lines of an output with their numbers, each a link to its line. The numbers are no text: what is selected and copied is the output.
 * Invariant: one of the numbers is reached by Tab, the others by the arrow keys.
 */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { bytesNotStored, isErrorLine } from '../../domain/words/output-lines.ts';
import type { TerminalLine } from '../../domain/words/terminal-text.ts';
import { hashOf } from './line-address.ts';
import { TerminalLines } from './terminal-lines.tsx';
import { useLines } from './use-lines.ts';

/** Lines that get numbers: each is an element, of which a browser draws so many at once. */
export const numberedMax = 5000;

interface NumberedProps {
  /** Number of the ping that brought them. */
  readonly n: number;
  readonly lines: readonly TerminalLine[];
  /** Number of the first of them. */
  readonly first: number;
  /** Number of the line that a search has found, which is moved into sight; null for none. */
  readonly found?: number | null;
  /** Whether lines that speak of an error stand out. */
  readonly marksErrors?: boolean;
}

export function NumberedLines({ n, lines, first, found = null, marksErrors = false }: NumberedProps) {
  const [marked, choose] = useLines(n);
  const own = useRef<HTMLElement>(null);
  useEffect(() => lineIntoSight(own.current), [found]);
  if (lines.length > numberedMax)
    return <WithFound lines={lines} found={found === null ? null : found - first} own={own} />;
  const isMarked = (number: number): boolean =>
    marked !== null && number >= marked.from && number <= marked.to;
  const chosen = (event: MouseEvent, number: number): void => {
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    choose(number, event.shiftKey);
  };
  const reached = marked && marked.from >= first ? marked.from : first;
  return (
    <>
      {lines.map((line, at) => {
        const number = first + at;
        const isFound = number === found;
        const Line = isFound ? 'mark' : 'span';
        const names = ['output-line', isMarked(number) ? 'marked' : '', isFound ? 'found-line' : ''];
        if (marksErrors && isErrorLine(line)) names.push('bad');
        if (bytesNotStored(line.text) > 0) names.push('not-stored');
        return (
          <Line key={number} class={names.filter((name) => name !== '').join(' ')} ref={isFound ? own : null}>
            {/* biome-ignore lint/a11y/useAnchorContent: its label says what it is; as text it would be copied with the line. */}
            <a
              class="line-number"
              data-n={number}
              aria-label={`Line ${number}`}
              tabIndex={number === reached ? 0 : -1}
              href={hashOf({ n, from: number, to: number })}
              onClick={(event) => chosen(event, number)}
              onKeyDown={moved}
            />
            <TerminalLines lines={[line]} />
            {at < lines.length - 1 && '\n'}
          </Line>
        );
      })}
    </>
  );
}

/** Moves to a line of an output; to the whole output where its box shows all of it. */
export function lineIntoSight(line: HTMLElement | null): void {
  const box = line?.closest('pre');
  const isWhole = box && box.scrollHeight <= box.clientHeight;
  (isWhole ? box : line)?.scrollIntoView({ block: 'center' });
}

interface WithFoundProps {
  readonly lines: readonly TerminalLine[];
  /** Which of them a search has found, from 0; null for none. */
  readonly found: number | null;
  readonly own: RefObject<HTMLElement | null>;
}

/** Too many lines for an element each. */
function WithFound({ lines, found, own }: WithFoundProps) {
  if (found === null) return <TerminalLines lines={lines} />;
  return (
    <>
      <TerminalLines lines={lines.slice(0, found)} />
      {found > 0 && '\n'}
      <mark ref={own} class="found-line">
        <TerminalLines lines={lines.slice(found, found + 1)} />
      </mark>
      {found + 1 < lines.length && '\n'}
      <TerminalLines lines={lines.slice(found + 1)} />
    </>
  );
}

function moved(event: KeyboardEvent): void {
  const line = event.currentTarget instanceof HTMLElement ? event.currentTarget.parentElement : null;
  const next = { ArrowDown: line?.nextElementSibling, ArrowUp: line?.previousElementSibling }[event.key];
  if (!next) return;
  event.preventDefault();
  next.querySelector('a')?.focus();
}
