/**
 * What one can do about notifications that failed: send them again, allow the private address that stopped them, or set what this
 * server lacks for their kind.
 * Invariant: nothing is offered to be sent again that would fail for a setting that is still missing, or that would not be sent now.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { channelKinds } from '../../domain/accounts/project.ts';
import { blockedAddressIn } from '../../domain/deliveries/blocked-words.ts';
import type { AttemptView, PageState, RetriedOneView } from '../../domain/views/page-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { sentence } from '../../domain/words/sentence.ts';
import { ask, messageOf, send } from '../core/calls.ts';
import { settingAddress } from '../core/route.ts';
import { errorWords } from '../core/words.ts';
import { Act, Answers, unreadMs } from './bits.tsx';
import { say } from './toasts.tsx';

/** What this server lacks, and whether the reader may set it, or allow a private address. */
export interface ServerLacks {
  readonly missing: PageState['missing'];
  readonly isOwner: boolean;
  readonly mayAllow: boolean;
}

export function lacksOf({ missing, mayAllow, user }: PageState): ServerLacks {
  return { missing, mayAllow, isOwner: user?.role === 'owner' };
}

type Allowed = (addresses: readonly string[]) => void;

const onAllowed = new Set<Allowed>();

/** Calls `allowed` when addresses were allowed anywhere on the page, and what was then to be sent was tried. */
export function useAllowed(allowed: Allowed): void {
  useEffect(() => {
    onAllowed.add(allowed);
    return () => void onAllowed.delete(allowed);
  });
}

export function wereAllowed(addresses: readonly string[]): void {
  for (const allowed of onAllowed) allowed(addresses);
}

/** Lets this server send to private addresses. Rejects for those who may not: see `PageState.mayAllow`. */
export function allowAddresses(addresses: readonly string[]): Promise<unknown> {
  return send('POST', '/web/server-settings/allow', { addresses });
}

/** Sends notifications again, and says what became of them. `look` is called once each has been tried. */
export async function retryEach(
  project: string,
  deliveries: readonly string[],
  look: () => void,
): Promise<void> {
  const attempts: Promise<AttemptView>[] = [];
  try {
    for (const id of deliveries) {
      const path = `/web/in/${project}/outbox/${id}`;
      const { attempts: before } = await send<RetriedOneView>('POST', `${path}/retry`);
      attempts.push(attemptOf(`${path}?attempts=${before}`));
    }
  } finally {
    const known = await Promise.all(attempts).finally(look);
    if (known.length > 0) say(attemptsWords(known, Date.now()));
  }
}

/** Resolves once it is known what became of it, or after `answerMsMax`. */
async function attemptOf(path: string): Promise<AttemptView> {
  const untilMs = performance.now() + answerMsMax;
  for (let waitMs = 100; ; waitMs = Math.min(2 * waitMs, 2000)) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const view = await ask<AttemptView>(path);
    if (view.outcome !== 'trying' || performance.now() >= untilMs) return view;
  }
}

/** Milliseconds: an attempt ends after 30 s. */
const answerMsMax = 31_000;

/** Those that a message names; more would not be read. */
const saidMax = 3;

function attemptsWords(attempts: readonly AttemptView[], nowMs: number): string {
  const arrived = attempts.filter(({ outcome }) => outcome === 'delivered');
  const others = attempts.filter(({ outcome }) => outcome !== 'delivered');
  const to = [...new Set(arrived.map(({ channel }) => channel))];
  const delivered = to.length > saidMax ? `${to.length} integrations` : to.join(', ');
  const not = [...new Set(others.map((one) => attemptWords(one, nowMs)))];
  const more = not.length - saidMax;
  return [
    delivered === '' ? '' : `Delivered to ${delivered}.`,
    ...not.slice(0, saidMax),
    more > 0 ? `And ${more} more.` : '',
  ]
    .filter((words) => words !== '')
    .join(' ');
}

function attemptWords({ outcome, channel, why }: AttemptView, nowMs: number): string {
  if (outcome === 'trying') return `${channel} has not answered yet.`;
  const again = outcome === 'failed' ? 'Not delivered' : 'Not sent';
  return sentence(`${again} to ${channel}${outcome === 'failed' ? ' again' : ''}: ${errorWords(why, nowMs)}`);
}

interface AllowQuestionProps {
  readonly addresses: readonly string[];
  readonly class?: string;
  /** Of the button of the question. */
  readonly yes: string;
  /** What is done once they are allowed. */
  readonly run: () => Promise<unknown>;
  readonly children: ComponentChildren;
}

/** A button that lets this server send to private addresses, and asks first: it is a setting of the whole server, of every project. */
export function AllowQuestion({ addresses, class: look = '', yes, run, children }: AllowQuestionProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useFocusKept(opener, dialog);
  const openedMs = useRef(0);
  const [failed, setFailed] = useState('');
  const all = addresses.join(' and ');
  const open = (): void => {
    openedMs.current = performance.now();
    setFailed('');
    dialog.current?.showModal();
  };
  const close = (): void => dialog.current?.close();
  const allow = async (): Promise<void> => {
    if (performance.now() - openedMs.current < unreadMs) return;
    await allowAddresses(addresses);
    await run().finally(() => wereAllowed(addresses));
    close();
  };
  return (
    <>
      <button type="button" class={look} onClick={open} ref={opener}>
        {children}
      </button>
      <dialog ref={dialog} aria-label={`Allow ${all}?`}>
        <h2>Allow {all}?</h2>
        <p>
          This changes a setting of the whole server, KNELL_WEBHOOK_ALLOW: every project may then send to{' '}
          {all}.
        </p>
        <Answers {...{ yes, close, failed, setFailed }} run={allow} />
      </dialog>
    </>
  );
}

type ElementRef = { readonly current: HTMLElement | null };

/** Once an address is allowed there is nothing to ask any more: the focus is on what the button was in, and not at the top of the page. */
function useFocusKept(opener: ElementRef, dialog: ElementRef): void {
  useLayoutEffect(
    () => () => {
      const { activeElement } = document;
      const had = [opener, dialog].some(({ current }) => current?.contains(activeElement));
      const row = opener.current?.closest<HTMLElement>('li.integration, section, main');
      if (!had || !row) return;
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body || !row.isConnected) return;
        if (!row.hasAttribute('tabindex')) row.tabIndex = -1;
        row.focus({ preventScroll: true });
      });
    },
    [opener, dialog],
  );
}

/** Milliseconds after a retry at which a page looks at what became of it: most receivers answer in less than two seconds, and an attempt ends after 30. */
const looksMs = [0, 500, 2000, 8000, 31_000];

/** What became of a notification is not published. Returns what calls `look` at once and some times more, while the page is open. */
export function useLooksAfterRetry(look: () => void): () => void {
  const timers = useRef<readonly ReturnType<typeof setTimeout>[]>([]);
  const stop = (): void => {
    for (const timer of timers.current) clearTimeout(timer);
  };
  useEffect(() => stop, []);
  return () => {
    stop();
    timers.current = looksMs.map((ms) => setTimeout(look, ms));
  };
}

/** One that failed, and why a retry would send nothing; absent where it would. */
interface Failed {
  readonly channelKind: string;
  /** Of the last attempt. */
  readonly error: string;
  readonly keptBack?: string | undefined;
}

interface RetryProps<One> {
  /** Those that can be sent again. */
  readonly of: readonly One[];
  readonly lacks: ServerLacks;
  /** Absent for those who may not. */
  readonly retry: ((all: readonly One[]) => Promise<void>) | undefined;
  readonly failed: (error: string) => void;
}

export function RetryNow<One extends Failed>(props: RetryProps<One>) {
  const { lacks, retry, failed } = props;
  const of = props.of.filter(({ keptBack = '' }) => keptBack === '');
  const [kept] = props.of;
  if (of.length === 0 && kept)
    return <KeptBack of={props.of} {...{ lacks, failed }} mayRetry={retry !== undefined} />;
  const lacked = of.map(({ channelKind }) => lackedSetting(channelKind, lacks));
  const able = of.filter((_, at) => lacked[at] === undefined);
  if (able.length > 0) {
    if (!retry) return null;
    const addresses = [...new Set(able.map(({ error }) => blockedAddressIn(error)))];
    const isBlocked = lacks.mayAllow && !addresses.includes('');
    if (!isBlocked)
      return (
        <Act class="quiet" run={() => retry(able)} failed={failed}>
          Retry now
        </Act>
      );
    const named = addresses.join(', ');
    // The question is answered by then: what becomes of them may take a while.
    const run = async (): Promise<void> => {
      say(`This server may send to ${named} now.`);
      retry(able).catch((error: unknown) => failed(messageOf(error)));
    };
    return (
      <AllowQuestion class="quiet" addresses={addresses} yes="Allow and retry" run={run}>
        Allow {named} and retry
      </AllowQuestion>
    );
  }
  const [setting] = lacked;
  return setting !== undefined && lacks.isOwner ? (
    <a class="button quiet" href={settingAddress(setting)}>
      Set {setting}
    </a>
  ) : null;
}

interface KeptBackProps extends Pick<RetryProps<Failed>, 'of' | 'lacks' | 'failed'> {
  readonly mayRetry: boolean;
}

/** Why none is sent for now. An address that stopped them may be allowed before. */
function KeptBack({ of, lacks, mayRetry }: KeptBackProps) {
  const addresses = [...new Set(of.map(({ error }) => blockedAddressIn(error)))];
  const why = [...new Set(of.map(({ keptBack = '' }) => keptBack))].map((one) => errorWords(one, Date.now()));
  const named = addresses.join(', ');
  const done = async (): Promise<void> => say(`This server may send to ${named} now.`);
  return (
    <>
      <span class="faint kept-back">{capital(why.join(', '))}</span>
      {mayRetry && lacks.mayAllow && !addresses.includes('') && (
        <AllowQuestion class="quiet" addresses={addresses} yes="Allow" run={done}>
          Allow {named}
        </AllowQuestion>
      )}
    </>
  );
}

export function lackedSetting(
  channelKind: string,
  { missing }: Pick<ServerLacks, 'missing'>,
): string | undefined {
  const kind = channelKinds.find((one) => one === channelKind);
  return kind === undefined ? undefined : missing[kind]?.[0];
}
