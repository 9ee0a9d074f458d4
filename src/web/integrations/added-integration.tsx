/** An integration that was just added. A test is sent with it, and what became of the test is said where it was added. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { type ChannelKind, getsAlerts } from '../../domain/accounts/project.ts';
import type { ChannelReplyView, NewChannelView } from '../../domain/views/page-view.ts';
import { send } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf, settingAddress } from '../core/route.ts';
import { Act, Problem } from '../ui/bits.tsx';
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

interface AddedProps extends Pick<PageProps, 'project' | 'state' | 'reloadState'> {
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
  const { project, state, added, checks, reloadState, tested = () => {} } = props;
  const isUnsent = added.kind in state.missing;
  // An integration that waits for its confirmation, or that this server has no way to reach, gets no test either.
  const mayTest = !isUnsent && added.verification === undefined;
  const [outcome, setOutcome] = useState<Outcome>({ at: 'untested' });
  const [verification, setVerification] = useState(added.verification);
  const isOwner = state.user?.role === 'owner';
  const box = useRef<HTMLDivElement>(null);
  const test = (): Promise<void> => {
    setOutcome({ at: 'sending' });
    return sendTest(project, added.id)
      .then(
        (answer) => setOutcome({ at: 'sent', answer }),
        (reason: unknown) => setOutcome({ at: 'failed', reason }),
      )
      .finally(() => {
        tested();
        // Every page says which integrations fail.
        reloadState();
      });
  };
  useEffect(() => {
    // The focus moves here, since the form that had it is gone.
    box.current?.focus();
    if (added.isTested && mayTest) void test();
  }, [added.id]);
  return (
    <div class="added" role="group" aria-label={`${added.name} was added`} ref={box} tabIndex={-1}>
      <p>
        {verification !== undefined
          ? isUnsent
            ? ''
            : unconfirmedWords(verification)
          : getsAlerts(added)
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
          <Unsent
            said={verification === undefined ? added : { ...added, verification }}
            isAsked={!isUnsent && !mayTest}
          />
        ))}
      {!isUnsent && verification !== undefined && verification !== '' && (
        <AskAgain {...{ project, id: added.id, isOwner }} asked={setVerification} />
      )}
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

interface UnsentProps {
  readonly said: ChannelReplyView;
  readonly isAsked: boolean;
}

/** Says why nothing is sent to the integration, and whether its address was asked to confirm. */
function Unsent({ said, isAsked }: UnsentProps) {
  const words = replyWords(said);
  return isAsked && said.verification === '' && said.warning === undefined ? (
    <p role="status">{words}</p>
  ) : (
    <Problem text={words} />
  );
}

interface AskAgainProps extends Pick<PageProps, 'project'> {
  readonly id: string;
  readonly isOwner: boolean;
  /** Takes why the email was not sent; empty once it was. */
  readonly asked: (verification: string) => void;
}

/** The ways on where the email that asks an address to confirm was not sent. */
function AskAgain({ project, id, isOwner, asked }: AskAgainProps) {
  const again = (): Promise<void> =>
    send('POST', `/web/in/${project}/channels/${id}/verify`).then(
      () => asked(''),
      (reason: unknown) => asked(reason instanceof Error ? reason.message : String(reason)),
    );
  return (
    <div class="actions">
      <Act class="main" run={again} failed={() => {}}>
        Send again<span class="hidden">: the verification email</span>
      </Act>
      {isOwner && (
        <a class="button" href={settingAddress('KNELL_MAIL_URL')}>
          Mail server settings
        </a>
      )}
    </div>
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
        <a class="button main" href={settingAddress(state.missing[added.kind]?.[0])}>
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

/** Once it was asked, what is below says so. */
function unconfirmedWords(verification: string): string {
  return verification === '' ? '' : 'It gets alerts once the address is confirmed.';
}

function usedWords(checks: number, all: number): string {
  if (all === 0) return '';
  if (checks === 0) return 'No check notifies it yet.';
  return all === 1 ? 'Your check notifies it.' : `${checks} of ${all} checks notify it.`;
}
