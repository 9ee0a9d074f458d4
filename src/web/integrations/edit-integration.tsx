/**
 * The page that edits an integration, and which checks notify it. Its secrets stay with the server: they can be replaced, not seen.
 * Invariant: the checks are left as they are until somebody chooses others.
 */

import { useMemo, useRef, useState } from 'preact/hooks';
import { channelTitle } from '../../domain/accounts/channel-title.ts';
import { getsAlerts } from '../../domain/accounts/project.ts';
import type { IntegrationsView, IntegrationView } from '../../domain/views/integration-view.ts';
import type { ChannelReplyView, ChannelView, CountView } from '../../domain/views/page-view.ts';
import { send, useAsk } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf, go } from '../core/route.ts';
import { useTab } from '../core/tab.ts';
import { leaveUnasked, useUnsaved } from '../core/typed.ts';
import { useEvery } from '../core/use-every.ts';
import { useNow } from '../core/use-now.ts';
import { CheckChoice, type ChosenChecks } from '../form/check-choice.tsx';
import { useAllRows } from '../rows/use-rows.ts';
import { Act, NotAllowed, NotLoaded, Problem } from '../ui/bits.tsx';
import { useFieldErrors } from '../ui/field-error.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { say } from '../ui/toasts.tsx';
import { SaveButton, useChanged, useUnchanged } from '../ui/unchanged.tsx';
import { LaterSettings, settingsIn } from './channel-settings.tsx';
import { blockedLast, FailedTest, TestAnswer, useTest } from './failed-test.tsx';
import { errorsBefore, formErrorsOf, IntegrationParts, namesTyped, replyWords } from './integration-form.tsx';
import { askedEveryMs } from './integration-health.ts';
import { DeleteQuestion, focusRowOf, IntegrationFacts } from './integration-line.tsx';
import { typedIn } from './typed-fields.ts';
import { untestableWords } from './unconfigured.tsx';
import '../style/integrations.css';

export function EditIntegration(props: PageProps & { readonly id: string }) {
  const { project, live, mayEdit, id } = props;
  const { data, error } = useAsk<IntegrationsView>(`/web/in/${project}/integrations`);
  useTab(live.summary, 'Edit integration');
  if (!mayEdit)
    return <NotAllowed title="Integration" text="Your role is read-only. Ask an owner for access." />;
  if (!data) return <NotLoaded text={error} />;
  const integration = data.integrations.find((one) => one.id === id);
  return (
    <>
      <PageHead
        list="Integrations"
        href={addressOf(project, 'integrations')}
        title={integration ? channelTitle(integration) : 'Integration not found'}
      />
      {integration && <Facts {...props} first={integration} />}
      {integration ? (
        <Form {...props} integration={integration} all={data.integrations} checks={data.checks} />
      ) : (
        <p role="alert">This integration was deleted or the link is wrong.</p>
      )}
    </>
  );
}

/** They change while the form stays as it is. `first`: what is known of it until they do. */
function Facts(props: PageProps & { readonly first: IntegrationView }) {
  const { project, state, role, live, mayEdit, reloadState, first } = props;
  const { data, reload } = useAsk<IntegrationsView>(`/web/in/${project}/integrations`, live.version);
  const nowMs = useNow(live.offsetMs);
  useEvery(askedEveryMs, reload);
  const changed = (): void => {
    reload();
    reloadState();
  };
  return (
    <IntegrationFacts
      {...{ project, mayEdit, nowMs, changed }}
      integration={data?.integrations.find(({ id }) => id === first.id) ?? first}
      checks={data?.checks ?? 0}
      missing={state.missing}
      isOwner={role === 'owner'}
      mayAllow={state.mayAllow}
    />
  );
}

interface FormProps extends PageProps {
  readonly integration: IntegrationView;
  readonly all: readonly IntegrationView[];
  /** Number of checks in the project. */
  readonly checks: number;
}

function Form({ project, state, live, integration, all, checks, reloadState }: FormProps) {
  const [busy, setBusy] = useState(false);
  const box = useRef<HTMLFormElement>(null);
  const { invalid, refuse, changed } = useFieldErrors(box);
  const [isSame, look] = useUnchanged(box);
  const { id, kind } = integration;
  const changesIn = useChanges(box, integration);
  const present = usePresentChecks(integration, { project, checks, live });
  const [chosen, choose] = useState<ChosenChecks | null>(null);
  useUnsaved(() => chosen !== null);
  const path = `/web/in/${project}/channels/${id}`;
  const back = (): void => {
    leaveUnasked();
    go(addressOf(project, 'integrations'));
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (busy || !(event.currentTarget instanceof HTMLFormElement)) return;
    if (look() && chosen === null) return;
    const { currentTarget: form } = event;
    const data = new FormData(form);
    const edit = changesIn(data);
    const typed = { form, kind, isNew: false };
    const wrong = errorsBefore(typed);
    if (wrong.error !== '') return refuse(wrong);
    setBusy(true);
    const save = async (): Promise<string> => {
      const reply = await send<ChannelView & ChannelReplyView>('POST', path, edit);
      return `Saved. ${await assign(path, chosen)}${replyWords(reply)}`.trim();
    };
    await save().then(
      (words) => {
        say(words);
        reloadState();
        focusRowOf(id);
        back();
      },
      (reason: unknown) => refuse(formErrorsOf(reason, typed)),
    );
    setBusy(false);
  };
  return (
    <form
      class="check-form"
      onSubmit={submit}
      onInput={(event) => changed(namesTyped(event))}
      ref={box}
      noValidate
    >
      <IntegrationParts
        project={project}
        kind={kind}
        channels={all}
        channel={integration}
        missing={state.missing}
        serverZone={state.timeZone}
        invalid={invalid}
      />
      {getsAlerts(integration) && (
        <CheckChoice
          project={project}
          checks={checks}
          chosen={chosen ?? present.chosen}
          choose={choose}
          first={present.ids}
          isNotForNew={integration.notForNew}
        />
      )}
      {getsAlerts(integration) && <LaterSettings id={id} settings={integration} invalid={invalid} />}
      <Problem text={invalid.field === '' ? invalid.error : ''} />
      <div class="actions">
        <SaveButton isSame={isSame && chosen === null} busy={busy}>
          Save
        </SaveButton>
        <button type="button" onClick={back}>
          Cancel
        </button>
        <Others {...{ project, state, live, integration, back, reloadState }} />
      </div>
    </form>
  );
}

/** Returns what looks up what the form changes, as the server takes it: what nobody touched stays as it is there. */
function useChanges(
  box: { readonly current: HTMLFormElement | null },
  { kind, tags }: Pick<IntegrationView, 'kind' | 'tags'>,
) {
  const named = (form: FormData) => ({
    name: form.get('name'),
    ...settingsIn(form, { isNew: false, tagsBefore: tags }),
  });
  const changed = useChanged(box, named);
  const typed = useChanged(box, (form) => typedIn(form, kind).fields);
  return (form: FormData) => {
    const fields = typed(form);
    const isCleared = (name: FormDataEntryValue): boolean =>
      String(name) in fields || form.getAll('clear').includes(name);
    return { ...changed(form), fields, clear: typedIn(form, kind).clear.filter(isCleared) };
  };
}

interface PresentChecks {
  readonly chosen: ChosenChecks;
  /** Null until they are known. */
  readonly ids: readonly string[] | null;
}

/** The checks that notify the integration now. Whether those are all, none or some is known before which. */
function usePresentChecks(
  { id, usedFor }: IntegrationView,
  { project, checks, live }: Pick<FormProps, 'project' | 'checks' | 'live'>,
): PresentChecks {
  const rows = useAllRows(project, live);
  const all = live.summary?.all ?? checks;
  return useMemo(() => {
    const ids =
      rows.length < all ? null : rows.filter(({ channels }) => channels.includes(id)).map((row) => row.id);
    const used = ids?.length ?? usedFor;
    return { chosen: used === 0 ? 'none' : used >= all ? 'all' : (ids ?? []), ids };
  }, [rows, all, id, usedFor]);
}

/** Returns what to say of it. `chosen` is null if nobody has chosen others. */
async function assign(path: string, chosen: ChosenChecks | null): Promise<string> {
  if (chosen === null) return '';
  const { count } = await send<CountView>('POST', `${path}/checks`, { checks: chosen });
  return `Used for ${count.toLocaleString()} ${count === 1 ? 'check' : 'checks'}. `;
}

interface OthersProps extends Pick<FormProps, 'project' | 'state' | 'live' | 'integration' | 'reloadState'> {
  readonly back: () => void;
}

/** The actions that do not save what is typed. */
function Others({ project, state, live, integration, back, reloadState }: OthersProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const name = channelTitle(integration);
  const remove = async (): Promise<void> => {
    await send('DELETE', `/web/in/${project}/channels/${integration.id}`);
    say(`${name} was deleted.`, null, [integration.id]);
    reloadState();
    back();
  };
  // With what has failed, above, is the button that allows the address.
  const isAbove = integration.failed + integration.retrying > 0;
  const { failure, answer, test } = useTest(project, integration.id, name, {
    before: isAbove ? null : blockedLast(integration, state.mayAllow),
  });
  const nowMs = useNow(live.offsetMs);
  const lacks = untestableWords(integration, state.missing);
  return (
    <>
      <Act run={test} failed={() => {}} offBecause={lacks} describedBy="test-hint">
        Send test
      </Act>
      <span class="faint test-hint" id="test-hint">
        {lacks === ''
          ? 'Tests what is saved, without your unsaved changes.'
          : `No test can be sent: ${lacks}.`}
      </span>
      <button type="button" class="danger apart" onClick={() => dialog.current?.showModal()}>
        Delete…
      </button>
      <DeleteQuestion dialog={dialog} name={name} run={remove} />
      {failure !== null && (
        <div class="failed-test">
          <FailedTest reason={failure} isOwner={state.user?.role === 'owner'} again={test} nowMs={nowMs} />
        </div>
      )}
      <TestAnswer answer={answer} />
    </>
  );
}
