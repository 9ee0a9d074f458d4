/** The small pieces that every page is made of. */
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { messageOf } from '../core/calls.ts';
import { exactTime, relativeWords } from '../core/words.ts';

export function Time({ atMs, nowMs, none = '–' }: { atMs: number | null; nowMs: number; none?: string }) {
  if (atMs === null) return <span>{none}</span>;
  // The exact time is put into words only when the pointer is on it: in a list it would be most of the work.
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

/** When a ping is expected next: of a run that has begun, from its start on. */
export function Next({ row, nowMs }: { readonly row: CheckRow; readonly nowMs: number }) {
  const { startedMs, nextPingMs, status } = row;
  const running = startedMs !== null && nextPingMs !== null && nextPingMs <= startedMs;
  return running && status !== 'grace' ? (
    <span title="A run has started and not finished">now</span>
  ) : (
    <Time atMs={nextPingMs} nowMs={nowMs} />
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
    if (busy) return;
    setBusy(true);
    await run().then(
      () => failed(''),
      (error: unknown) => failed(messageOf(error)),
    );
    setBusy(false);
  };
  return (
    // Not disabled while it is busy: that would take the focus from it.
    <button type="button" class={className} disabled={disabled} aria-disabled={busy} onClick={act}>
      {children}
    </button>
  );
}

interface SureProps {
  /** What the button says. */
  readonly label: string;
  /** Of what, where several stand under each other. */
  readonly of: string;
  /** What happens then. */
  readonly ask: string;
  readonly yes: string;
  readonly run: () => Promise<unknown>;
  /** In red: it deletes what others see. */
  readonly isDanger?: boolean;
}

/** A button for what cannot be undone: it asks first. */
export function Sure({ label, of, ask, yes, run, isDanger = false }: SureProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [failed, setFailed] = useState('');
  const close = (): void => dialog.current?.close();
  return (
    <>
      <button
        type="button"
        class={isDanger ? 'quiet danger' : 'quiet'}
        onClick={() => dialog.current?.showModal()}
      >
        {label}
        <span class="hidden"> {of}</span>
      </button>
      <dialog ref={dialog} aria-label={`${label} ${of}`}>
        <p>{ask}</p>
        <Problem text={failed} />
        <div class="actions">
          <Act class="danger" run={() => run().then(close)} failed={setFailed}>
            {yes}
          </Act>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </dialog>
    </>
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
