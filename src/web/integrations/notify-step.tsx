/** The step in which one chooses who is notified. An integration is added and tested within it, and it says what came of that. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { channelTitle } from '../../domain/accounts/channel-title.ts';
import type { ChannelKind } from '../../domain/accounts/project.ts';
import type { IntegrationsView, IntegrationView } from '../../domain/views/integration-view.ts';
import { kinds } from '../../integrations/all.ts';
import { titles } from '../../integrations/contract/titles.ts';
import { fromRoot } from '../core/base-path.ts';
import { browserWords } from '../core/browser-words.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf, serverPath } from '../core/route.ts';
import { relativeWords } from '../core/words.ts';
import { Act, Problem } from '../ui/bits.tsx';
import { useFieldErrors } from '../ui/field-error.tsx';
import { Icon } from '../ui/icons.tsx';
import { type Added, AddedIntegration, addIntegration } from './added-integration.tsx';
import { AskedByBrowser } from './browser-field.tsx';
import { ChannelFields } from './channel-fields.tsx';
import type { Draft } from './draft.ts';
import { blockedLast, FailedTest, useTest } from './failed-test.tsx';
import { formErrorOf, formErrorsOf, namesTyped, noError } from './integration-form.tsx';
import { healthOf } from './integration-health.ts';
import { addWords, isBrowser, isPossibleHere, kindsInOrder, offeredTitle } from './kind-words.ts';
import { newFieldsIn } from './typed-fields.ts';
import { Connect } from './vendors/connect.tsx';
import { FillButton } from './vendors/fill.tsx';

/** The kinds that need no account anywhere come first, as in the README, then those that most people look for. */
const firstKinds: readonly ChannelKind[] = ['webpush', 'ntfy', 'email', 'webhook'];
/** Kinds that are offered at once; the others are on their page. */
const kindsOffered = 5;
/** Integrations that are shown; the others are on their page. */
const integrationsShown = 3;

interface NotifyProps extends PageProps {
  /** The integrations; null until they are known. */
  readonly view: IntegrationsView | null;
  readonly reload: () => void;
}

/** Whether the last notification of an integration has failed, or none can be sent. */
export function isFailing(
  one: IntegrationView,
  { nowMs }: Pick<IntegrationsView, 'nowMs'>,
  { state }: Pick<PageProps, 'state'>,
): boolean {
  const { mark } = healthOf(one, { nowMs, missing: state.missing[one.kind] ?? [] });
  return mark === 'down' || mark === 'late' || mark === 'paused';
}

export function NotifyStep(props: NotifyProps) {
  const { view, reload, mayEdit, project } = props;
  const [kind, chooseKind] = useState<ChannelKind | null>(null);
  /** Kinds whose form was begun: what is typed in one is there again when one comes back to it. */
  const [begun, begin] = useState<readonly ChannelKind[]>([]);
  const choose = (one: ChannelKind): void => {
    chooseKind(one);
    begin([...new Set([...begun, one])]);
  };
  const giveUp = (one: ChannelKind): void => {
    chooseKind(null);
    begin(begun.filter((other) => other !== one));
  };
  const [added, setAdded] = useState<Added | null>(null);
  const leave = (): void => {
    setAdded(null);
    chooseKind(null);
    begin([]);
    reload();
  };
  if (added)
    return (
      <>
        <p>
          <strong>{added.name} was added.</strong>
        </p>
        <AddedIntegration
          {...props}
          added={added}
          checks={view?.checks ?? 0}
          next="Continue"
          leave={leave}
          tested={reload}
        />
      </>
    );
  if (view && view.integrations.length > 0) return <Those {...props} view={view} />;
  return (
    <>
      <p>Without an integration Knell shows the status here, but notifies nobody.</p>
      {mayEdit && (
        <div class="actions">
          {offered(props).map((one) => (
            <button key={one} type="button" aria-pressed={one === kind} onClick={() => choose(one)}>
              <Icon name={kinds[one].icon} />
              {offeredTitle(one)}
            </button>
          ))}
          <a href={addressOf(project, 'integrations')}>All {kindsInOrder.length} kinds</a>
        </div>
      )}
      {begun.map((one) => (
        <div key={one} hidden={one !== kind}>
          <Chosen
            {...props}
            kind={one}
            isShown={one === kind}
            cancel={() => giveUp(one)}
            done={(made) => {
              setAdded(made);
              props.reloadState();
            }}
          />
        </div>
      ))}
    </>
  );
}

/** The email is offered also where the server sends none: the form then says what that takes. */
function offered({ state }: NotifyProps): readonly ChannelKind[] {
  const others = kindsInOrder.filter((kind) => !firstKinds.includes(kind) && !(kind in state.missing));
  return [...firstKinds, ...others].filter(isPossibleHere).slice(0, kindsOffered);
}

interface ChosenProps extends NotifyProps {
  readonly kind: ChannelKind;
  readonly isShown: boolean;
  readonly done: (added: Added) => void;
  readonly cancel: () => void;
}

function Chosen(props: ChosenProps) {
  const { state, kind } = props;
  const missing = state.missing[kind] ?? [];
  if (missing.length === 0) return <Form {...props} />;
  const isOwner = state.user?.role === 'owner';
  return (
    <div class="step-form" role="status">
      <p>
        This server sends no {kind === 'email' ? 'mail' : titles[kind]} yet. To turn it on, set{' '}
        <code>{missing.join(', ')}</code>{' '}
        {isOwner ? 'in the settings of the server.' : '(an owner of it can).'}
      </p>
      <div class="actions">
        {isOwner && (
          <a class="button main" href={fromRoot(serverPath)}>
            Server settings
          </a>
        )}
        <button type="button" onClick={props.cancel}>
          Cancel
        </button>
      </div>
    </div>
  );
}

const emptyDraft = (): Draft => ({ name: '', settings: {}, chosen: 'all' });

/** The form has only the fields of the kind: the integration is for all checks, and there is one here. */
function Form({ project, state, view, kind, isShown, done, cancel }: ChosenProps) {
  const [busy, setBusy] = useState(false);
  const box = useRef<HTMLFormElement>(null);
  const { invalid, refuse, changed } = useFieldErrors(box);
  useEffect(() => {
    if (isShown) box.current?.querySelector<HTMLElement>('input, textarea')?.focus();
  }, [isShown]);
  const { title } = kinds[kind].form;
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const { currentTarget: form } = event;
    if (busy || !(form instanceof HTMLFormElement)) return;
    setBusy(true);
    refuse(noError);
    const name = isBrowser(kind) ? browserWords(navigator.userAgent) : '';
    await newFieldsIn(new FormData(form), kind)
      .then((fields) => addIntegration(project, { kind, name, fields, checks: 'all' }))
      .then(
        (created) => done({ ...created, kind, name: name || title, isTested: true }),
        (reason: unknown) => refuse(formErrorsOf(reason, { form, kind, isNew: true })),
      );
    setBusy(false);
  };
  return (
    <form
      class="step-form"
      aria-label={title}
      onSubmit={submit}
      onInput={(event) => changed(namesTyped(event))}
      ref={box}
      noValidate
    >
      <ChannelFields
        {...{ project, kind, invalid }}
        id={`step-${kind}`}
        channels={view?.integrations ?? []}
        canSend={true}
        instead={
          <>
            <FillButton {...{ project, kind, state }} draft={emptyDraft} />
            <Connect
              {...{ project, kind, state }}
              draft={emptyDraft}
              failed={(reason) => refuse(formErrorOf(reason))}
            />
          </>
        }
      />
      <Problem text={invalid.field === '' ? invalid.error : ''} />
      {isBrowser(kind) && <AskedByBrowser isAsked={busy} />}
      <div class="actions">
        <button type="submit" class="main" aria-disabled={busy}>
          {addWords(kind, { canSend: true, confirmed: false })}
        </button>
        <button type="button" onClick={cancel}>
          Cancel
        </button>
        <a href={addressOf(project, 'integrations', `new/${kind}`)}>More settings</a>
      </div>
    </form>
  );
}

function Those(props: NotifyProps & { readonly view: IntegrationsView }) {
  const { view, project } = props;
  const rest = view.integrations.length - integrationsShown;
  return (
    <>
      {view.integrations.slice(0, integrationsShown).map((one) => (
        <One key={one.id} {...props} integration={one} />
      ))}
      <p>
        <a href={addressOf(project, 'integrations')}>
          {rest > 0 ? `All ${view.integrations.length} integrations` : 'Integrations'}
        </a>
      </p>
    </>
  );
}

interface OneProps extends NotifyProps {
  readonly view: IntegrationsView;
  readonly integration: IntegrationView;
}

/** One integration, with what was sent to it last. */
function One({ integration, view, project, state, mayEdit, reload, reloadState }: OneProps) {
  const { failure, test } = useTest(project, integration.id, channelTitle(integration), {
    before: blockedLast(integration, mayEdit && state.mayAllow),
  });
  const tested = (): Promise<void> =>
    test().finally(() => {
      reload();
      reloadState();
    });
  const last = integration.recent.at(-1);
  const health = healthOf(integration, { nowMs: view.nowMs, missing: state.missing[integration.kind] ?? [] });
  const failed = last?.outcome === 'failed' && failure === null ? last.error : '';
  return (
    <div class="step-integration">
      <p>
        <strong>{channelTitle(integration)}</strong>{' '}
        {last?.outcome === 'delivered' && health.mark === 'up'
          ? `Delivered ${relativeWords(last.atMs, view.nowMs)}.`
          : last === undefined && health.mark === 'new'
            ? 'Nothing was sent to it yet.'
            : `${health.words}${health.note === '' ? '' : `: ${health.note}`}.`}
      </p>
      <Problem text={failed === '' ? '' : `The last one was not delivered: ${failed}.`} />
      {failure !== null && (
        <FailedTest reason={failure} isOwner={state.user?.role === 'owner'} again={tested} />
      )}
      {mayEdit && !integration.unverified && !(integration.kind in state.missing) && (
        <Act run={tested} failed={() => {}}>
          Send test<span class="hidden"> to {channelTitle(integration)}</span>
        </Act>
      )}
    </div>
  );
}
