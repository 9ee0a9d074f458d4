/**
 * The body that came with a ping, as text, as a mail's HTML, or raw.
 * Invariant: a body is never markup of this page: HTML is shown in a frame without scripts, forms or an origin, and only what is
 * harmless is left of it.
 */

import { useEffect, useState } from 'preact/hooks';
import { bytesNotStored } from '../../domain/words/output-lines.ts';
import { terminalLines } from '../../domain/words/terminal-text.ts';
import { fromRoot } from '../core/base-path.ts';
import { messageOf } from '../core/calls.ts';
import { sizeWords } from '../core/words.ts';
import { CopyButton, Problem } from '../ui/bits.tsx';
import type { ReadMail } from './mail.ts';
import { shownHtml } from './mail-html.ts';
import { NumberedLines } from './numbered-lines.tsx';
import { TerminalLines } from './terminal-lines.tsx';

interface ViewerProps {
  readonly path: string;
  /** Number of the ping that brought it. */
  readonly n: number;
  /** Bytes as stored. */
  readonly bytes: number;
  readonly isMail: boolean;
  /** Whether it is of a run that failed: what speaks of an error is marked. */
  readonly hasFailed: boolean;
  readonly fileName: string;
  /** The line that is looked for, from 1, with all others around it; null for none. */
  readonly line: number | null;
}

/** Lines that are shown at first, from the end, where it is said what went wrong. */
const linesAtFirst = 12;

export function BodyViewer({ path, n, bytes, isMail, hasFailed, fileName, line }: ViewerProps) {
  const [body, setBody] = useState<ShownBody | null>(null);
  const [error, setError] = useState('');
  const [isWhole, setWhole] = useState(false);
  const [view, setView] = useState<'text' | 'html' | 'raw'>('text');
  useEffect(() => {
    readBody(path, isMail).then(setBody, (reason: unknown) => setError(messageOf(reason)));
  }, [path, isMail]);
  if (!body) return <Problem text={error} />;
  const { raw, mail } = body;
  const text = view === 'raw' || !mail ? raw : mail.text || '(no text)';
  // As a terminal would show it; Copy and Download give what was sent.
  const lines = terminalLines(text.trimEnd());
  const found = view === 'text' && line !== null && line <= lines.length ? line - 1 : null;
  const notStored = mail ? 0 : lines.reduce((sum, one) => sum + bytesNotStored(one.text), 0);
  const isCut = !isWhole && found === null && mail === null && lines.length > linesAtFirst;
  return (
    <div class="body">
      {mail && <p>Subject: {mail.subject || '(none)'}</p>}
      <div class="actions">
        <strong>Output</strong>
        <span class="faint">
          {isCut && `last ${linesAtFirst} of `}
          {lines.length > linesAtFirst && `${lines.length.toLocaleString()} lines · `}
          {sizeWords(bytes)}
          {notStored > 0 && ` of ${sizeWords(bytes + notStored)}: the middle was not stored`}
        </span>
        {isCut && (
          <button type="button" class="quiet" onClick={() => setWhole(true)}>
            View all
          </button>
        )}
        {mail && <Views view={view} change={setView} hasHtml={mail.html !== ''} />}
        <CopyButton text={text} />
        <a class="button quiet" href={fromRoot(path)} download={fileName}>
          Download
        </a>
      </div>
      {view === 'html' && mail ? (
        <iframe title="The mail's HTML" sandbox="" srcdoc={shownHtml(mail.html)} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <pre tabIndex={0}>
          {mail ? (
            <TerminalLines lines={lines} />
          ) : (
            <NumberedLines
              n={n}
              marksErrors={hasFailed}
              lines={isCut ? lines.slice(-linesAtFirst) : lines}
              first={isCut ? lines.length - linesAtFirst + 1 : 1}
              found={found === null ? null : found + 1}
            />
          )}
        </pre>
      )}
    </div>
  );
}

interface ShownBody {
  readonly raw: string;
  /** The mail; null when it is no mail, or none that can be read. */
  readonly mail: ReadMail | null;
}

async function readBody(path: string, isMail: boolean): Promise<ShownBody> {
  const response = await fetch(path);
  if (!response.ok) throw new Error('The body is no longer stored.');
  const bytes = await response.arrayBuffer();
  const raw = new TextDecoder().decode(bytes);
  if (!isMail) return { raw, mail: null };
  const { readMail } = await import('./mail.ts');
  return { raw, mail: await readMail(bytes) };
}

interface ViewsProps {
  readonly view: string;
  readonly change: (view: 'text' | 'html' | 'raw') => void;
  readonly hasHtml: boolean;
}

function Views({ view, change, hasHtml }: ViewsProps) {
  const button = (name: 'text' | 'html' | 'raw', label: string) => (
    <button type="button" aria-pressed={view === name} onClick={() => change(name)}>
      {label}
    </button>
  );
  return (
    <>
      {button('text', 'Text')}
      {hasHtml && button('html', 'HTML')}
      {button('raw', 'Raw')}
    </>
  );
}
