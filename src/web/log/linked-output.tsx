/**
 * The output that a link to one of its lines is of: opened, with the lines in sight and marked, wherever its ping is in the log. What is
 * kept no more says so.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { terminalLines } from '../../domain/words/terminal-text.ts';
import { askText } from '../core/calls.ts';
import { apiPath } from '../rows/api-check.ts';
import { CopyButton } from '../ui/bits.tsx';
import { type LineRange, lineRangeOf } from './line-address.ts';
import { lineIntoSight, NumberedLines, numberedMax } from './numbered-lines.tsx';

interface LinkedProps {
  readonly project: string;
  readonly id: string;
}

export function LinkedOutput({ project, id }: LinkedProps) {
  const [wanted, setWanted] = useState<LineRange | null>(() => lineRangeOf(location.hash));
  useEffect(() => {
    // Somebody has typed another address, or gone back to one.
    const look = (): void => setWanted(lineRangeOf(location.hash));
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, []);
  if (wanted === null) return null;
  const path = apiPath(project, `checks/${id}/pings/${wanted.n}/body`);
  return <Output key={path} {...{ path, wanted }} close={() => setWanted(null)} />;
}

interface OutputProps {
  readonly path: string;
  readonly wanted: LineRange;
  readonly close: () => void;
}

function Output({ path, wanted, close }: OutputProps) {
  const text = useOutput(path);
  const card = useRef<HTMLElement>(null);
  const { n, from } = wanted;
  const lines = typeof text === 'string' ? terminalLines(text.trimEnd()) : [];
  // Of a long output, the part around the line.
  const start = Math.max(0, Math.min(from - 1 - numberedMax / 2, lines.length - numberedMax));
  const shown = lines.slice(start, start + numberedMax);
  useEffect(() => {
    if (text === null) return;
    lineIntoSight(card.current?.querySelector<HTMLElement>('.marked') ?? card.current);
  }, [text, wanted]);
  if (text === null) return null;
  return (
    <section class="card linked-output" ref={card} aria-label={`Output of ping ${n}`}>
      <div class="card-head">
        <h2>Output of ping #{n.toLocaleString()}</h2>
        {text !== false && <CopyButton text={text} />}
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </div>
      {text === false && (
        <p class="faint" role="status">
          There is no output of ping {n.toLocaleString()}: it brought none, or it is no longer kept.
        </p>
      )}
      {text !== false && from > lines.length && (
        <p class="faint" role="status">
          The output has {lines.length.toLocaleString()} lines only.
        </p>
      )}
      {text !== false && (
        <div class="body">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
          <pre tabIndex={0}>
            <NumberedLines n={n} lines={shown} first={start + 1} />
          </pre>
        </div>
      )}
    </section>
  );
}

/** The text of an output; null until it is there, false where there is none. */
export function useOutput(path: string): string | false | null {
  const [text, setText] = useState<string | false | null>(null);
  useEffect(() => {
    let isWanted = true;
    setText(null);
    askText(path).then(
      (body) => isWanted && setText(body),
      () => isWanted && setText(false),
    );
    return () => {
      isWanted = false;
    };
  }, [path]);
  return text;
}
