/** An integration that was just added. A test is sent with it, and what became of the test is said where it was added. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { type ChannelKind, getsAlerts } from '../../domain/accounts/project.ts';
import type { NewChannelView } from '../../domain/views/page-view.ts';
import { fromRoot } from '../core/base-path.ts';
import { send } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf, serverPath } from '../core/route.ts';
import { Problem } from '../ui/bits.tsx';
import { Icon } from '../ui/icons.tsx';
import { type Answer, Blocked, FailedTest, isToBeAllowed, sendTest, TestAnswer } from './failed-test.tsx';
import { replyWords } from './integration-form.tsx';

export interface Added extends NewChannelView {
  readonly kind: ChannelKind;
  readonly name: string;
  /** Whether a test goes out with it. */
  readonly isTested: boolean;
}

/** Adds an integration. It resolves once it is there; the test comes after that. */
export async function addIntegration(
  project: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<NewChannelView> {
  return send<NewChannelView>('POST', `/web/in/${project}/channels`, fields);
}

type Outcome =
  | { readonly at: 'untested' | 'sending' }
  | { readonly at: 'sent'; readonly answer: Answer }
  | { readonly at: 'failed'; readonly reason: unknown };

interface AddedProps extends Pick<PageProps, 'project' | 'state'> {
  readonly added: Added;
  /** Number of the project's checks. */
  readonly checks: number;
  /** Label of the button that goes on from here. */
  readonly next: string;
  readonly leave: () => void;
  /** Called after each test. */
  readonly tested?: () => void;
}

export function AddedIntegration(props: AddedProps) {
  const { project, state, added, checks, tested = () => {} } = props;
  const isUnsent = added.kind in state.missing;
  // An integration that waits for its confirmation, or that this server has no way to reach, gets no test either.
  const mayTest = !isUnsent && added.verification === undefined;
  const [outcome, setOutcome] = useState<Outcome>({ at: 'untested' });
  const isOwner = state.user?.role === 'owner';
  const box = useRef<HTMLDivElement>(null);
  const test = (): Promise<void> => {
    setOutcome({ at: 'sending' });
    return sendTest(project, added.id)
      .then(
        (answer) => setOutcome({ at: 'sent', answer }),
        (reason: unknown) => setOutcome({ at: 'failed', reason }),
      )
      .finally(tested);
  };
  useEffect(() => {
    // The focus moves here, since the form that had it is gone.
    box.current?.focus();
    if (added.isTested && mayTest) void test();
  }, [added.id]);
  return (
    <div class="added" role="group" aria-label={`${added.name} was added`} ref={box} tabIndex={-1}>
      <p>
        {getsAlerts(added)
          ? usedWords(added.checks, checks)
          : 'It gets what happens in this project from now on.'}
      </p>
      <div role="status">
        <Said {...{ outcome, added, mayTest }} />
      </div>
      {outcome.at === 'sent' && <TestAnswer answer={outcome.answer} />}
      {outcome.at === 'failed' && <FailedTest reason={outcome.reason} isOwner={isOwner} again={test} />}
      {outcome.at === 'untested' &&
        (mayTest && added.blocked ? (
          <Blocked blocked={added.blocked} isOwner={isOwner} test={test} words="send a test" />
        ) : (
          <Unsent added={added} isAsked={!isUnsent && !mayTest} />
        ))}
      <Next {...props} outcome={outcome} test={test} mayTest={mayTest} isUnsent={isUnsent} />
    </div>
  );
}

interface SaidProps {
  readonly outcome: Outcome;
  readonly added: Added;
  readonly mayTest: boolean;
}

function Said({ outcome: { at }, added, mayTest }: SaidProps) {
  if (at === 'sending') return <p class="sending">Sending a test…</p>;
  if (at === 'sent')
    return (
      <p class="sent">
        <Icon name="check" />
        <strong>Sent. Did it arrive?</strong>
      </p>
    );
  return at === 'untested' && mayTest && !added.blocked ? <p>Nothing was sent to it yet.</p> : null;
}

/** Says why nothing is sent to the integration, and whether its address was asked to confirm. */
function Unsent({ added, isAsked }: { readonly added: Added; readonly isAsked: boolean }) {
  const words = replyWords(added);
  return isAsked && added.verification === '' && added.warning === undefined ? (
    <p role="status">{words}</p>
  ) : (
    <Problem text={words} />
  );
}

interface NextProps extends AddedProps {
  readonly outcome: Outcome;
  readonly test: () => Promise<void>;
  readonly mayTest: boolean;
  readonly isUnsent: boolean;
}

function Next({ project, state, added, next, leave, outcome, test, mayTest, isUnsent }: NextProps) {
  const { at } = outcome;
  // The button that allows the address sends the test, too.
  const isAsked =
    outcome.at === 'failed'
      ? isToBeAllowed(outcome.reason)
      : outcome.at === 'untested' && added.blocked?.mayAllow === true;
  const isSent = at === 'sent';
  return (
    <div class="actions">
      {isUnsent && state.user?.role === 'owner' && (
        <a class="button main" href={fromRoot(serverPath)}>
          Server settings
        </a>
      )}
      {isSent && (
        <button type="button" class="main" onClick={leave}>
          Yes, it arrived
        </button>
      )}
      {mayTest && !isAsked && (
        <button
          type="button"
          aria-disabled={at === 'sending'}
          onClick={() => at !== 'sending' && void test()}
        >
          {at === 'untested' ? 'Send test' : 'Send again'}
        </button>
      )}
      <a class="button" href={addressOf(project, 'integrations', added.id)}>
        {isSent ? 'No: change its settings' : 'Change its settings'}
      </a>
      {!isSent && (
        <button type="button" class="quiet" onClick={leave}>
          {next}
        </button>
      )}
    </div>
  );
}

function usedWords(checks: number, all: number): string {
  if (all === 0) return '';
  if (checks === 0) return 'No check notifies it yet.';
  return all === 1 ? 'Your check notifies it.' : `${checks} of ${all} checks notify it.`;
}
