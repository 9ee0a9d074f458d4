/** The small pieces that every page is made of. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { messageOf } from './door.ts';
import { exactTime, relativeWords } from './words.ts';

export function Time({ atMs, nowMs, none = '–' }: { atMs: number | null; nowMs: number; none?: string }) {
  if (atMs === null) return <span>{none}</span>;
  // The exact time is put into words only for whoever points at it: in a list it would be most of the work.
  return (
    <time
      dateTime={new Date(atMs).toISOString()}
      onMouseEnter={({ currentTarget }) => {
        currentTarget.title = exactTime(atMs);
      }}
    >
      {relativeWords(atMs, nowMs)}
    </time>
  );
}

export function Problem({ text }: { readonly text: string }) {
  return text === '' ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}

export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    // Without TLS browsers give no clipboard but to localhost.
    setSaid(
      (await navigator.clipboard?.writeText(text).then(
        () => 'Copied',
        () => 'Select it and press Ctrl+C',
      )) ?? 'Select it and press Ctrl+C',
    );
    setTimeout(() => setSaid(''), 2000);
  };
  return (
    <button type="button" class="quiet" onClick={copy} aria-live="polite">
      {said || label}
    </button>
  );
}

interface ActProps {
  readonly run: () => Promise<unknown>;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly disabled?: boolean;
  readonly failed: (error: string) => void;
}

/** A button that does something at the server, once at a time. */
export function Act({ run, children, failed, disabled = false, class: className = '' }: ActProps) {
  const [busy, setBusy] = useState(false);
  const act = async (): Promise<void> => {
    setBusy(true);
    await run().then(
      () => failed(''),
      (error: unknown) => failed(messageOf(error)),
    );
    setBusy(false);
  };
  return (
    <button type="button" class={className} disabled={busy || disabled} onClick={act}>
      {children}
    </button>
  );
}

/** A text that one may want to copy. */
export function Copyable({ text }: { readonly text: string }) {
  return (
    <div class="copyable">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} />
    </div>
  );
}
