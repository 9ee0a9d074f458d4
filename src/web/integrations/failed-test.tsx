/** The result of a test that was not delivered: the reason, and the way out. One button allows an address that is blocked. */

import { useState } from 'preact/hooks';
import { privateWords } from '../../domain/deliveries/blocked-words.ts';
import type { BlockedView, TestedView } from '../../domain/views/page-view.ts';
import { messageOf, send } from '../core/calls.ts';
import { focusWhatIsShown } from '../core/use-focus.ts';
import { Act, Problem } from '../ui/bits.tsx';
import { allowAddresses } from '../ui/retry-now.tsx';
import { say } from '../ui/toasts.tsx';

export class TestFailed extends Error {
  readonly blocked: BlockedView | null;

  constructor(message: string, blocked: BlockedView | null) {
    super(message);
    this.blocked = blocked;
  }
}

/** Sends a test; rejects with the reason when it was not delivered. */
export async function sendTest(project: string, id: string): Promise<void> {
  const { ok, error, blocked } = await send<TestedView>('POST', `/web/in/${project}/channels/${id}/test`);
  if (!ok) throw new TestFailed(error || 'the service gave no reason', blocked ?? null);
}

/** Says what was delivered, and keeps why it was not; null if there is no reason. */
export function useTest(project: string, id: string, name: string) {
  const [failure, setFailure] = useState<unknown>(null);
  const test = (): Promise<void> =>
    sendTest(project, id).then(
      () => {
        setFailure(null);
        say(`The test to ${name} was delivered.`);
      },
      (reason: unknown) => setFailure(reason),
    );
  return { failure, test };
}

/** Whether the reason has a button of its own to try again. */
export function isToBeAllowed(reason: unknown): boolean {
  return reason instanceof TestFailed && reason.blocked?.mayAllow === true;
}

interface FailedTestProps {
  readonly reason: unknown;
  /** Whether the user is an owner of the installation. */
  readonly isOwner: boolean;
  /** Sends the test again, once its address is allowed. */
  readonly again: () => Promise<unknown>;
}

export function FailedTest({ reason, isOwner, again }: FailedTestProps) {
  if (!(reason instanceof TestFailed) || reason.blocked === null)
    return <Problem text={`The test was not delivered: ${sentence(messageOf(reason))}`} />;
  return <Blocked blocked={reason.blocked} isOwner={isOwner} test={again} words="send again" />;
}

interface BlockedProps extends Pick<FailedTestProps, 'isOwner'> {
  readonly blocked: BlockedView;
  readonly test: () => Promise<unknown>;
  /** What the button does, once the address is allowed. */
  readonly words: string;
}

export function Blocked({ blocked: { addresses, mayAllow }, isOwner, test, words }: BlockedProps) {
  const [failed, setFailed] = useState('');
  const all = addresses.join(' and ');
  const allow = (): Promise<unknown> =>
    allowAddresses(addresses)
      .then(test)
      // The button goes with what it was for: the keyboard goes on at the result.
      .finally(() => requestAnimationFrame(focusWhatIsShown));
  return (
    <>
      <p class="problem" role="alert">
        Nothing was sent: {privateWords(addresses)}, and Knell sends nothing there unless an owner allows it.
        {!mayAllow &&
          (isOwner
            ? ` KNELL_WEBHOOK_ALLOW comes from the environment: add ${all} there, and restart Knell.`
            : ` Ask an owner of this server to add ${all} to KNELL_WEBHOOK_ALLOW.`)}
      </p>
      {mayAllow && (
        <div class="actions">
          <Act class="main" run={allow} failed={setFailed}>
            Allow {all} and {words}
          </Act>
        </div>
      )}
      <Problem text={failed} />
    </>
  );
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
