/** The result of a test: what a webhook answered, and where it was not delivered the reason and the way out. One button allows an address that is blocked. */

import { useEffect, useState } from 'preact/hooks';
import { blockedAddressIn, privateWords } from '../../domain/deliveries/blocked-words.ts';
import type { IntegrationView } from '../../domain/views/integration-view.ts';
import type { BlockedView, TestedView } from '../../domain/views/page-view.ts';
import { sentence } from '../../domain/words/sentence.ts';
import { messageOf, send } from '../core/calls.ts';
import { focusWhatIsShown } from '../core/use-focus.ts';
import { momentWords } from '../core/words.ts';
import { Problem } from '../ui/bits.tsx';
import { AllowQuestion, useAllowed } from '../ui/retry-now.tsx';
import { say } from '../ui/toasts.tsx';

/** What a webhook answered; undefined for other kinds, and where none came. */
export type Answer = TestedView['answer'];

export class TestFailed extends Error {
  readonly blocked: BlockedView | null;
  readonly answer: Answer;
  /** Of one that was sent before the page was opened. */
  readonly atMs: number | null;

  constructor(
    message: string,
    { blocked = null, answer, atMs = null }: Partial<Pick<TestFailed, 'blocked' | 'answer' | 'atMs'>>,
  ) {
    super(message);
    this.blocked = blocked;
    this.answer = answer;
    this.atMs = atMs;
  }
}

/** Sends a test; rejects with the reason when it was not delivered. */
export async function sendTest(project: string, id: string): Promise<Answer> {
  const tested = await send<TestedView>('POST', `/web/in/${project}/channels/${id}/test`);
  const { ok, error, blocked, answer } = tested;
  if (!ok) throw new TestFailed(error || 'the service gave no reason', { blocked: blocked ?? null, answer });
  return answer;
}

/**
 * What was sent last, if it failed since its address is blocked and the user may allow that: the way out is there after the page was
 * loaded again, too. Null for anything else.
 */
export function blockedLast(
  { recent }: Pick<IntegrationView, 'recent'>,
  mayAllow: boolean,
): TestFailed | null {
  const last = recent.at(-1);
  const address = mayAllow && last?.outcome === 'failed' ? blockedAddressIn(last.error) : '';
  if (last === undefined || address === '') return null;
  return new TestFailed(last.error, { blocked: { addresses: [address], mayAllow }, atMs: last.atMs });
}

/**
 * Says what was delivered, and keeps what was answered and why it was not; null if there is no reason, or it does not hold any more: its
 * address was allowed elsewhere on the page, or a notification was delivered since. `lastError`: of the integration; `before`: as of `blockedLast`.
 */
export function useTest(
  project: string,
  id: string,
  name: string,
  { lastError, before = null }: { readonly lastError?: string; readonly before?: TestFailed | null } = {},
) {
  const [own, setFailure] = useState<unknown>(null);
  const [isPast, setPast] = useState(false);
  const failure = own ?? (isPast ? null : before);
  useAllowed((addresses) => {
    if (isToBeAllowed(failure) && failure.blocked.addresses.every((one) => addresses.includes(one))) {
      setFailure(null);
      setPast(true);
    }
  });
  useEffect(() => {
    if (lastError === '') setFailure(null);
  }, [lastError]);
  const [answer, setAnswer] = useState<Answer>();
  const test = (): Promise<void> =>
    sendTest(project, id).then(
      (answered) => {
        setFailure(null);
        setPast(true);
        setAnswer(answered);
        say(`The test to ${name} was delivered.`);
      },
      (reason: unknown) => {
        setAnswer(undefined);
        setFailure(reason);
      },
    );
  return { failure, answer, test };
}

/** Whether the reason has a button of its own to try again. */
export function isToBeAllowed(reason: unknown): reason is TestFailed & { readonly blocked: BlockedView } {
  return reason instanceof TestFailed && reason.blocked?.mayAllow === true;
}

interface FailedTestProps {
  readonly reason: unknown;
  /** Whether the user is an owner of the installation. */
  readonly isOwner: boolean;
  /** Sends the test again, once its address is allowed. */
  readonly again: () => Promise<unknown>;
  /** Given where nothing else says when the last notification was sent. */
  readonly nowMs?: number;
}

export function FailedTest({ reason, isOwner, again, nowMs }: FailedTestProps) {
  if (!(reason instanceof TestFailed) || reason.blocked === null)
    return (
      <>
        <Problem text={`The test was not delivered: ${sentence(messageOf(reason))}`} />
        {reason instanceof TestFailed && <TestAnswer answer={reason.answer} />}
      </>
    );
  const isDated = reason.atMs !== null && nowMs !== undefined;
  const when = isDated ? `Last notification, ${momentWords(reason.atMs, nowMs)}` : '';
  return <Blocked blocked={reason.blocked} isOwner={isOwner} test={again} words="send again" when={when} />;
}

/** Its first line, and how its text begins. Nothing where there is none. */
export function TestAnswer({ answer }: { readonly answer: Answer }) {
  if (!answer) return null;
  return (
    <div class="test-answer">
      <p>
        The answer was <strong>{answer.status}</strong>
        {answer.text === '' ? ', without a text.' : ':'}
      </p>
      {answer.text !== '' && <pre>{answer.text}</pre>}
    </div>
  );
}

interface BlockedProps extends Pick<FailedTestProps, 'isOwner'> {
  readonly blocked: BlockedView;
  readonly test: () => Promise<unknown>;
  /** What the button does, once the address is allowed. */
  readonly words: string;
  /** What was not sent and when; empty for what was tried just now. */
  readonly when?: string;
}

export function Blocked({ blocked: { addresses, mayAllow }, isOwner, test, words, when = '' }: BlockedProps) {
  const all = addresses.join(' and ');
  // The button goes with what it was for: the keyboard goes on at the result.
  const again = (): Promise<unknown> => test().finally(() => requestAnimationFrame(focusWhatIsShown));
  return (
    <>
      <p class="problem" role="alert">
        {when === '' ? 'Nothing' : `${when}: nothing`} was sent: {privateWords(addresses)}, and Knell sends
        nothing there unless an owner allows it for the whole server.
        {!mayAllow &&
          (isOwner
            ? ` KNELL_WEBHOOK_ALLOW comes from the environment: add ${all} there, and restart Knell.`
            : ` Ask an owner of this server to add ${all} to KNELL_WEBHOOK_ALLOW.`)}
      </p>
      {mayAllow && (
        <div class="actions">
          <AllowQuestion class="main" addresses={addresses} yes={`Allow and ${words}`} run={again}>
            Allow {all} and {words}
          </AllowQuestion>
        </div>
      )}
    </>
  );
}
