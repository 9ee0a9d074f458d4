/** The small pieces that every page is made of. */

import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { sentence } from '../../domain/words/sentence.ts';
import { isLoopback } from '../../domain/words/web-address.ts';
import { fromRoot } from '../core/base-path.ts';
import { messageOf, Refusal, unreachable } from '../core/calls.ts';
import { noteLacking } from '../core/stale.ts';
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

/** The time when a ping is expected next; while a run is in flight, it counts from its start. */
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
  const isBack = useNetworkBack(text);
  return text === '' ? null : (
    // The banner above the page says that of all of it, once it is there.
    <p class={isTriedAgain(text) ? 'problem unreached' : 'problem'} role="alert">
      {isBack ? 'The network is back. Try again.' : sentence(text)}
    </p>
  );
}

/** Whether it says only that nothing answers, and that it is asked for again. */
function isTriedAgain(text: string): boolean {
  return Object.values(unreachable).some(({ words }) => text === `${words}. Trying again…`);
}

/** Whether this device has a network again, of a text that says it has none. */
function useNetworkBack(text: string): boolean {
  const [back, setBack] = useState('');
  const isOffline = text.includes(unreachable.device.words);
  useEffect(() => {
    if (!isOffline) return;
    const came = (): void => setBack(text);
    // It may have come before this was listening.
    if (navigator.onLine) came();
    addEventListener('online', came);
    return () => removeEventListener('online', came);
  }, [isOffline, text]);
  return isOffline && back === text;
}

/** Milliseconds in which a press does not count: the second press of two quick ones is no answer, as nobody reads so fast. */
export const unreadMs = 400;

/** Whether a question was asked so lately that nobody can have read it. Its button looks off until then. */
export function useUnread(): boolean {
  const [isUnread, setUnread] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setUnread(false), unreadMs);
    return () => clearTimeout(timer);
  }, []);
  return isUnread;
}

/** In place of a page that the role of the user does not open: its title, and who can help. */
export function NotAllowed({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <>
      <h1>{title}</h1>
      <p role="alert">{text}</p>
    </>
  );
}

/** In place of a whole page that could not be loaded: a title that says so, and why. `text` is empty until that is known. */
export function NotLoaded({ text }: { readonly text: string }) {
  const { words = '' } = Object.values(unreachable).find((one) => text.startsWith(one.words)) ?? {};
  useNoted(text === '' ? null : words);
  if (text === '') return null;
  return (
    <>
      <h1>{words !== '' ? words : "This page can't be shown"}</h1>
      <Problem text={words === '' ? text : text.replace(`${words}. `, '')} />
    </>
  );
}

/** Above the page nothing is said of the time of what is not there, nor again what is `said` in its place. */
function useNoted(said: string | null): void {
  useEffect(() => {
    const asker = {};
    noteLacking(asker, said);
    return () => noteLacking(asker, null);
  }, [said]);
}

interface CopyProps {
  readonly text: string;
  readonly label?: string;
  /** Called once it is copied. */
  readonly copied?: () => void;
}

export function CopyButton({ text, label = 'Copy', copied = () => {} }: CopyProps) {
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    // Without TLS browsers give no clipboard but to localhost.
    setSaid(
      (await navigator.clipboard?.writeText(text).then(
        () => {
          copied();
          return 'Copied';
        },
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

/** Takes what went wrong, and the field that the server refused; both are empty once nothing is wrong. */
type Failed = (error: string, field: string) => void;

/** Something that is done at the server, and only once at a time: whether it is being done, and what does it. */
export function useOnce(
  run: () => Promise<unknown>,
  failed: Failed,
): readonly [busy: boolean, act: () => Promise<void>] {
  const [busy, setBusy] = useState(false);
  const act = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    await run().then(
      () => failed('', ''),
      (error: unknown) => failed(messageOf(error), error instanceof Refusal ? error.field : ''),
    );
    setBusy(false);
  };
  return [busy, act];
}

/** Beside a button that is off: why, once somebody has pressed it all the same, until that is another. `reason` is empty while it is on. */
export function useWhyOff(reason: string): readonly [said: ComponentChildren, press: () => void] {
  const [asked, ask] = useState('');
  const words = useRef<HTMLSpanElement>(null);
  const isSaid = reason !== '' && asked === reason;
  useEffect(() => ask(''), [reason]);
  // Who has pressed Enter in a field may be far above it.
  useEffect(() => words.current?.scrollIntoView({ block: 'nearest' }), [isSaid]);
  const said = isSaid && (
    <span class="faint" role="status" ref={words}>
      {reason}
    </span>
  );
  return [said, () => ask(reason)];
}

interface ActProps {
  readonly run: () => Promise<unknown>;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly disabled?: boolean;
  /** Why it does nothing for now, said at the pointer, and beside it once it is pressed; empty if it does. It keeps the focus then. */
  readonly offBecause?: string;
  /**
   * What is to be filled in before, said at the pointer; empty once it is. Only its look is off: a browser that fills in a password
   * by itself may not say so, and what is done says at its field what is missing.
   */
  readonly wants?: string;
  /** Whether Enter in a field of its form presses it. */
  readonly isDefault?: boolean;
  readonly failed: Failed;
  /** The button itself, for a form that gives it the focus back. */
  readonly own?: { current: HTMLButtonElement | null };
  /** Id of what says more of it. */
  readonly describedBy?: string;
}

/** A button that does so. */
export function Act(props: ActProps) {
  const {
    run,
    children,
    failed,
    own,
    disabled = false,
    offBecause = '',
    wants = '',
    isDefault = false,
  } = props;
  const [busy, act] = useOnce(run, failed);
  // What describes the button says it already.
  const [whyOff, askWhy] = useWhyOff(props.describedBy === undefined ? offBecause : '');
  return (
    <>
      {/* The button is not disabled while it is busy: that would take the focus from it. */}
      <button
        ref={own ?? null}
        type={isDefault ? 'submit' : 'button'}
        class={props.class ?? ''}
        title={offBecause || wants || undefined}
        disabled={disabled}
        aria-disabled={busy || offBecause !== '' || wants !== ''}
        aria-describedby={props.describedBy}
        data-at-once
        onClick={offBecause === '' ? act : askWhy}
      >
        {children}
      </button>
      {whyOff}
    </>
  );
}

interface SureProps {
  /** Label of the button. Three dots at its end come behind what it acts on. */
  readonly label: string;
  /** Name of what it acts on, where several buttons stand under each other. */
  readonly of: string;
  /** The title of the question, where it has one. */
  readonly title?: string;
  /** The question, which says what happens then. */
  readonly ask: string;
  readonly yes: string;
  readonly run: () => Promise<unknown>;
  /** Whether it is red: it deletes what others see. */
  readonly isDanger?: boolean;
  /** Called once it is done and the question is closed: where the button goes with it, the focus moves on. */
  readonly after?: () => void;
}

/** A button for what cannot be undone, which asks first. */
export function Sure({ label, of, title = '', ask, yes, run, isDanger = false, after }: SureProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [failed, setFailed] = useState('');
  const close = (): void => dialog.current?.close();
  const [words = '', dots] = label.split('…');
  const done = (): void => {
    close();
    after?.();
  };
  return (
    <>
      <button
        type="button"
        class={isDanger ? 'quiet danger' : 'quiet'}
        onClick={() => dialog.current?.showModal()}
      >
        {words}
        <span class="hidden"> {of}</span>
        {dots === '' && '…'}
      </button>
      <dialog ref={dialog} aria-label={`${words} ${of}`}>
        {title !== '' && <h2>{title}</h2>}
        {ask !== '' && <p>{ask}</p>}
        <Answers yes={yes} run={() => run().then(done)} close={close} {...{ failed, setFailed }} isDanger />
      </dialog>
    </>
  );
}

interface AnswersProps extends Pick<SureProps, 'yes' | 'run' | 'isDanger'> {
  readonly close: () => void;
  /** Why the last attempt failed; empty for none. */
  readonly failed: string;
  readonly setFailed: (error: string) => void;
}

/** At the foot of a question: what was wrong with the answer, and both answers. */
export function Answers({ yes, run, close, failed, setFailed, isDanger = false }: AnswersProps) {
  return (
    <>
      <Problem text={failed} />
      <div class="actions">
        <Act class={isDanger ? 'danger' : 'main'} run={run} failed={setFailed}>
          {yes}
        </Act>
        {/* The dialog begins there: Enter pressed once too often deletes nothing. */}
        <button type="button" onClick={close} autofocus={isDanger}>
          Cancel
        </button>
      </div>
    </>
  );
}

interface CopyableProps {
  readonly text: string;
  /** Whether it is a key that somebody may have to type elsewhere: all of it is in sight, in groups of four. */
  readonly isKey?: boolean;
  /** Whether it is an address, which is broken between its parts and not within an id. */
  readonly isAddress?: boolean;
  /** Name of the file that it can be downloaded as; empty for none. */
  readonly file?: string;
  /** Called once it is copied, by the button or by hand. */
  readonly copied?: () => void;
  /** Of the button. */
  readonly label?: string;
}

/** A text with a button that copies it. */
export function Copyable(props: CopyableProps) {
  const { text, isKey = false, isAddress = false, file = '', copied, label = 'Copy' } = props;
  return (
    <div class={isKey ? 'copyable whole' : 'copyable'} onCopy={copied}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>{isAddress ? inParts(text) : isKey ? inFours(text) : text}</pre>
      <CopyButton {...{ text, label }} {...(copied ? { copied } : {})} />
      {file !== '' && (
        <a
          class="button quiet"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download={file}
        >
          Download
        </a>
      )}
    </div>
  );
}

/** The space between the groups is no character: what is selected and copied by hand has none either. */
function inFours(key: string): ComponentChildren {
  return (key.match(/.{1,4}/g) ?? []).map((four, at) => (
    <span key={at} class="four">
      {four}
    </span>
  ));
}

/** Characters of a part that fits into a line on a phone. */
const partCharsMax = 24;

/** Browsers break a line after a hyphen by themselves, which in an id they are kept from; after a slash they break it only here. */
function inParts(address: string): ComponentChildren {
  return address.split(/(?<=\/)(?!\/)/).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part.length > partCharsMax ? part : <span class="part">{part}</span>}
    </Fragment>
  ));
}

/** Lets names of variables break behind each word. */
export function breakable(text: string): ComponentChildren {
  return text.split('_').map((part, n) =>
    n === 0 ? (
      part
    ) : (
      <Fragment key={n}>
        _<wbr />
        {part}
      </Fragment>
    ),
  );
}

interface LocalOnlyProps {
  /** The address, or one of them. */
  readonly url: string;
  /** What it is called there. */
  readonly what: 'These addresses' | 'This address' | 'This link';
}

/** Beside an address for other machines that reaches only the one on which Knell runs; nothing beside any other address. */
export function LocalOnly({ url, what }: LocalOnlyProps) {
  if (!URL.canParse(url) || !isLoopback(new URL(url).hostname)) return null;
  // Only people open a link: they need no other way for a job.
  if (what === 'This link')
    return (
      <p class="faint">
        This link works on this machine only. Elsewhere it needs KNELL_BASE_URL:{' '}
        <a href={fromRoot('/docs/configuration#the-server')} target="_blank" rel="noreferrer">
          settings of the server
        </a>
        .
      </p>
    );
  return (
    <p class="faint">
      {what} {what === 'These addresses' ? 'work' : 'works'} on this machine only. Other machines need
      KNELL_BASE_URL:{' '}
      <a href={fromRoot('/docs/getting-started#jobs-on-other-machines')} target="_blank" rel="noreferrer">
        jobs on other machines
      </a>
      .
    </p>
  );
}
