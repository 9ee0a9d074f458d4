/**
 * What a ping brought along: as text, a mail's HTML, or raw.
 * Invariant: a body is never markup of this page: HTML is shown in a frame without scripts, forms or an origin, of which
 * only what is harmless is left.
 */
import { useEffect, useState } from 'preact/hooks';
import { CopyButton, Problem } from './bits.tsx';
import { messageOf } from './door.ts';
import { readMail } from './mail.ts';
import { shownHtml } from './mail-html.ts';

interface ViewerProps {
  readonly path: string;
  readonly isMail: boolean;
  readonly fileName: string;
}

export function BodyViewer({ path, isMail, fileName }: ViewerProps) {
  const [bytes, setBytes] = useState<ArrayBuffer | null>(null);
  const [error, setError] = useState('');
  const [view, setView] = useState<'text' | 'html' | 'raw'>('text');
  useEffect(() => {
    fetch(path)
      .then((response) =>
        response.ok ? response.arrayBuffer() : Promise.reject(new Error('the body is gone')),
      )
      .then(setBytes, (reason: unknown) => setError(messageOf(reason)));
  }, [path]);
  if (!bytes) return <Problem text={error} />;
  const raw = new TextDecoder().decode(bytes);
  const mail = isMail ? readMail(new TextDecoder('latin1').decode(bytes)) : null;
  const text = mail ? mail.text || '(no text)' : raw;
  return (
    <div class="body">
      {mail && <p>Subject: {mail.subject || '(none)'}</p>}
      <div class="actions">
        {mail && <Views view={view} change={setView} hasHtml={mail.html !== ''} />}
        <CopyButton text={view === 'raw' ? raw : text} />
        <a class="button" href={path} download={fileName}>
          Download
        </a>
      </div>
      {view === 'html' && mail ? (
        <iframe title="The mail's HTML" sandbox="" srcdoc={shownHtml(mail.html)} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <pre tabIndex={0}>{view === 'raw' ? raw : text}</pre>
      )}
    </div>
  );
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
