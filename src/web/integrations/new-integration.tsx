/** The page that adds an integration of one kind; a test is sent with it. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { type ChannelKind, getsAlerts } from '../../domain/accounts/project.ts';
import type { IntegrationsView } from '../../domain/views/integration-view.ts';
import { titles } from '../../integrations/contract/titles.ts';
import { browserWords } from '../core/browser-words.ts';
import { useAsk } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf, go } from '../core/route.ts';
import { useTab } from '../core/tab.ts';
import { leaveUnasked } from '../core/typed.ts';
import { useFocus } from '../core/use-focus.ts';
import { CheckChoice, type ChosenChecks } from '../form/check-choice.tsx';
import { Problem } from '../ui/bits.tsx';
import { useFieldErrors } from '../ui/field-error.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { useUnchanged } from '../ui/unchanged.tsx';
import { type Added, AddedIntegration, addIntegration } from './added-integration.tsx';
import { AskedByBrowser } from './browser-field.tsx';
import type { FormError } from './channel-fields.tsx';
import { settingsIn } from './channel-settings.tsx';
import { assignByTag, creation, type Draft, draftOf, tagOf } from './draft.ts';
import {
  errorsBefore,
  formErrorOf,
  formErrorsOf,
  IntegrationParts,
  namesTyped,
  noError,
} from './integration-form.tsx';
import { KindGallery } from './kind-gallery.tsx';
import { addWords, isAskedFirst, isBrowser, kindCalled, offeredTitle, testWords } from './kind-words.ts';
import { newFieldsIn } from './typed-fields.ts';
import { Connect, finish, returnIn } from './vendors/connect.tsx';
import {
  draftOfFilled,
  FillButton,
  type Filled,
  FilledWords,
  nameOf,
  nextOf,
  takeFilled,
} from './vendors/fill.tsx';
import '../style/integrations.css';

type NewProps = PageProps & { readonly kind: string };

export function NewIntegration(props: NewProps) {
  const { project, live, mayEdit } = props;
  const kind = kindCalled(props.kind);
  const [added, setAdded] = useState<NewlyAdded | null>(null);
  const [filled, setFilled] = useState<Filled | null>(() => takeFilled(kind ?? ''));
  const later = filled?.values.slice(1) ?? [];
  const toList = (): void => go(addressOf(project, 'integrations'));
  const toNext = (): void => {
    setFilled(filled && nextOf(filled));
    setAdded(null);
  };
  useTab(live.summary, 'New integration');
  useFocus(added ? 'added' : 'form');
  if (!mayEdit) return <Problem text="Your role is read-only. Ask an owner for access." />;
  if (!kind) return <KindChoice {...props} />;
  return (
    <>
      <PageHead
        list="Integrations"
        href={addressOf(project, 'integrations')}
        title={added ? `${added.name} was added` : titleFor(kind)}
      />
      {added ? (
        <>
          {later[0] && <p>{nameOf(later[0])} is next.</p>}
          {added.wasThere && <p>It was added before: a code of {titles[kind]} is valid once.</p>}
          <AddedIntegration
            {...props}
            added={added}
            checks={live.summary?.all ?? 0}
            next={later[0] ? `Add ${nameOf(later[0])}` : 'Back to integrations'}
            leave={later[0] ? toNext : toList}
          />
        </>
      ) : (
        <>
          {filled && <FilledWords {...filled} kind={kind} skip={toNext} />}
          <Adding key={filled?.values.length} {...props} kind={kind} filled={filled} done={setAdded} />
        </>
      )}
    </>
  );
}

/** A title of a kind is not in the middle of a sentence, but for `this browser`. */
function titleFor(kind: ChannelKind): string {
  return isBrowser(kind) ? 'Add this browser' : `Add integration: ${offeredTitle(kind)}`;
}

/** An address without a kind, or with one that there is not: the way on is to choose one. */
function KindChoice({ project, state, role, kind }: NewProps) {
  return (
    <>
      <PageHead
        list="Integrations"
        href={addressOf(project, 'integrations')}
        title="Choose a kind of integration"
      />
      <Problem
        text={
          kind === '' ? '' : `Knell has no kind of integration that is called “${kind}”. Choose one of these.`
        }
      />
      <KindGallery project={project} missing={state.missing} isOwner={role === 'owner'} isPage />
    </>
  );
}

interface NewlyAdded extends Added {
  /** It was added before, with the same answer of the vendor. */
  readonly wasThere?: boolean;
}

interface AddingProps extends PageProps {
  readonly kind: ChannelKind;
  /** What the vendor has filled in; null if it has not. */
  readonly filled: Filled | null;
  readonly done: (added: NewlyAdded) => void;
}

/** The form, unless a vendor has just redirected back here with a code. */
function Adding(props: AddingProps) {
  const { project, kind, filled, done, reloadState } = props;
  const [back] = useState(() => returnIn(location.search));
  const [before] = useState(() => (back ? draftOf(back.state) : filled && draftOfFilled(filled)));
  const [failure, setFailure] = useState(back ? null : noError);
  useEffect(() => {
    if (!back) return;
    finish(project, kind, back).then(
      (added) => {
        done({ ...added, kind, name: added.name || titles[kind], isTested: false });
        reloadState();
      },
      (reason: unknown) => setFailure(formErrorOf(reason)),
    );
  }, []);
  return failure ? <Form {...props} failure={failure} before={before} /> : <p role="status">Adding it…</p>;
}

const noChecks: readonly string[] = [];

interface FormProps extends AddingProps {
  /** Why it was not added on the vendor's page. */
  readonly failure: FormError;
  /** What was typed before that; null for nothing. */
  readonly before: Draft | null;
}

function Form({ project, state, role, kind, done, reloadState, failure, before, filled }: FormProps) {
  const { data } = useAsk<IntegrationsView>(`/web/in/${project}/integrations`);
  const [connectError, setConnectError] = useState(failure.field === '' ? failure.error : '');
  const [chosen, setChosen] = useState<ChosenChecks>(before?.chosen ?? 'all');
  const [busy, setBusy] = useState(false);
  const [confirmed, confirm] = useState(false);
  const given = filled?.values[0];
  const box = useRef<HTMLFormElement>(null);
  const { invalid, refuse, changed } = useFieldErrors(box, failure.field === '' ? noError : failure);
  useUnchanged(box, false);
  const draftIn = (form: FormData): Draft => {
    const typed = String(form.get('name') ?? '').trim();
    const name = typed === '' && isBrowser(kind) ? browserWords(navigator.userAgent) : typed;
    return { name, settings: settingsIn(form, { isNew: true }), chosen };
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const { currentTarget, submitter } = event;
    if (busy || !(currentTarget instanceof HTMLFormElement)) return;
    setConnectError('');
    const typed = { form: currentTarget, kind, isNew: true };
    const wrong = errorsBefore(typed);
    refuse(wrong);
    if (wrong.error !== '') return;
    setBusy(true);
    const form = new FormData(currentTarget);
    const isTested = submitter?.getAttribute('name') !== 'untested';
    await create(project, kind, { form, draft: draftIn(form) }).then(
      (added) => {
        done({ ...added, isTested });
        reloadState();
      },
      (reason: unknown) => refuse(formErrorsOf(reason, typed)),
    );
    setBusy(false);
  };
  const connectFailed = (reason: unknown): void => {
    const wrong = formErrorOf(reason);
    refuse(wrong.field === '' ? noError : wrong);
    setConnectError(wrong.field === '' ? wrong.error : '');
  };
  return (
    <form
      class="check-form"
      onSubmit={submit}
      onInput={(event) => changed(namesTyped(event))}
      ref={box}
      noValidate
    >
      <Problem text={connectError} />
      <IntegrationParts
        project={project}
        kind={kind}
        channels={data?.integrations ?? []}
        missing={state.missing}
        serverZone={state.timeZone}
        given={given}
        invalid={invalid}
        {...(before ? { typed: before } : {})}
        below={role === 'owner' && kind === 'email' && <ConfirmTick isTicked={confirmed} tick={confirm} />}
        instead={
          <>
            {!given && <FillButton {...{ project, kind, state }} draft={draftIn} />}
            <Connect {...{ project, kind, state }} draft={draftIn} failed={connectFailed} />
          </>
        }
      />
      {getsAlerts({ kind }) && (
        <CheckChoice
          project={project}
          checks={data?.checks ?? null}
          chosen={chosen}
          choose={setChosen}
          first={noChecks}
          isNotForNew={before?.settings.notForNew === true}
        />
      )}
      <Problem text={invalid.field === '' ? invalid.error : ''} />
      {isBrowser(kind) && <AskedByBrowser isAsked={busy} />}
      <Buttons {...{ project, kind, busy, confirmed }} canSend={!(kind in state.missing)} />
    </form>
  );
}

interface ConfirmTickProps {
  readonly isTicked: boolean;
  readonly tick: (isTicked: boolean) => void;
}

/** Below the address: who adds it vouches for it. */
function ConfirmTick({ isTicked, tick }: ConfirmTickProps) {
  return (
    <>
      <label class="tick">
        <input
          type="checkbox"
          name="confirmed"
          checked={isTicked}
          aria-describedby="confirmed-hint"
          onChange={({ currentTarget }) => tick(currentTarget.checked)}
        />
        Skip verification
      </label>
      <p class="faint hint" id="confirmed-hint">
        No verification email is sent: alerts go to this address at once. Use it for an address that you know
        is right.
      </p>
    </>
  );
}

interface Typed {
  readonly form: FormData;
  readonly draft: Draft;
}

async function create(
  project: string,
  kind: ChannelKind,
  { form, draft }: Typed,
): Promise<Omit<Added, 'isTested'>> {
  const created = await addIntegration(project, {
    ...creation(kind, draft),
    fields: await newFieldsIn(form, kind),
    confirmed: form.has('confirmed'),
  });
  const added = { ...created, kind, name: draft.name || titles[kind] };
  const tag = tagOf(draft.chosen);
  return tag === null ? added : { ...added, checks: await assignByTag(project, created.id, tag) };
}

interface ButtonsProps {
  readonly project: string;
  readonly kind: ChannelKind;
  readonly busy: boolean;
  readonly canSend: boolean;
  /** Whether an owner has confirmed the address. */
  readonly confirmed: boolean;
}

function Buttons({ project, kind, busy, canSend, confirmed }: ButtonsProps) {
  const adding = { canSend, confirmed };
  return (
    <div class="actions">
      <button type="submit" class="main" aria-disabled={busy}>
        {addWords(kind, adding)}
      </button>
      {canSend && !isAskedFirst(kind, adding) && (
        <button type="submit" name="untested" aria-disabled={busy}>
          Add without a test
        </button>
      )}
      <button
        type="button"
        onClick={() => {
          leaveUnasked();
          go(addressOf(project, 'integrations'));
        }}
      >
        Cancel
      </button>
      {canSend && <p class="faint tested-when">{testWords(kind, adding)}</p>}
    </div>
  );
}
