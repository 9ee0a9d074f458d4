/** The page that adds an integration of one kind; a test is sent with it. */

import { useState } from 'preact/hooks';
import { type ChannelKind, channelKinds, getsAlerts } from '../../domain/accounts/project.ts';
import type { FilledValue } from '../../domain/views/fill-view.ts';
import type { IntegrationsView } from '../../domain/views/integration-view.ts';
import type { CountView } from '../../domain/views/page-view.ts';
import { kinds } from '../../integrations/all.ts';
import { browserWords } from '../core/browser-words.ts';
import { send, useAsk } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf, go } from '../core/route.ts';
import { useTab } from '../core/tab.ts';
import { useFocus } from '../core/use-focus.ts';
import { CheckChoice, type ChosenChecks } from '../form/check-choice.tsx';
import { Problem } from '../ui/bits.tsx';
import { type Added, AddedIntegration, addIntegration } from './added-integration.tsx';
import { AskedByBrowser, browserButton } from './browser-field.tsx';
import { settingsIn } from './channel-settings.tsx';
import { formErrorOf, IntegrationParts, noError } from './integration-form.tsx';
import { isBrowser } from './kind-words.ts';
import { newFieldsIn } from './typed-fields.ts';
import { type Filled, takeFilled } from './vendors/fill.tsx';
import '../style/integrations.css';

type NewProps = PageProps & { readonly kind: string };

export function NewIntegration(props: NewProps) {
  const { project, live, mayEdit } = props;
  const kind = channelKinds.find((one) => one === props.kind);
  const [added, setAdded] = useState<Added | null>(null);
  const [filled, setFilled] = useState<Filled | null>(() => takeFilled(props.kind));
  const [given, ...later] = filled?.values ?? [];
  const toList = (): void => go(addressOf(project, 'integrations'));
  const toNext = (): void => {
    setFilled(filled && { ...filled, values: later, typed: '' });
    setAdded(null);
  };
  useTab(live.summary, 'New integration');
  useFocus(added ? 'added' : 'form');
  if (!mayEdit) return <Problem text="Your role is read-only. Ask an owner for access." />;
  if (!kind) return <Problem text="Knell has no such kind of integration." />;
  return (
    <>
      <p class="faint">
        <a href={addressOf(project, 'integrations')}>Integrations</a>
      </p>
      {added ? (
        <>
          <h1>{added.name} was added</h1>
          {later[0] && <p>{nameOf(later[0])} is next.</p>}
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
          <h1>Add {kinds[kind].form.title}</h1>
          {filled && <FilledWords {...filled} kind={kind} skip={toNext} />}
          <Form
            key={filled?.values.length}
            {...props}
            kind={kind}
            given={given}
            name={filled?.typed || given?.name || ''}
            done={setAdded}
          />
        </>
      )}
    </>
  );
}

interface FilledWordsProps extends Filled {
  readonly kind: ChannelKind;
  readonly skip: () => void;
}

const nameOf = ({ name }: FilledValue): string => name || 'Another one';

/** Says what the vendor has filled in. */
function FilledWords({ kind, values, error, skip }: FilledWordsProps) {
  const [first] = values;
  if (!first) return <Problem text={error} />;
  const { title } = kinds[kind].form;
  const left = values.length - 1;
  const others = left === 0 ? '' : ` After it ${left === 1 ? 'one more follows' : `${left} more follow`}.`;
  return (
    <>
      <p role="status">
        {title} has filled in this form{first.name === '' ? '' : ` for ${first.name}`}: nothing is added
        before you choose to.{others}
      </p>
      <Problem
        text={
          first.existing === undefined
            ? ''
            : `The integration ${first.existing} sends to the same already: another one would alert twice.`
        }
      />
      {left > 0 && (
        <div class="actions">
          <button type="button" onClick={skip}>
            Skip {nameOf(first)}
          </button>
        </div>
      )}
    </>
  );
}

interface FormProps extends PageProps {
  readonly kind: ChannelKind;
  readonly given: FilledValue | undefined;
  /** The name that the form begins with. */
  readonly name: string;
  readonly done: (added: Added) => void;
}

function Form({ project, state, role, kind, given, name: firstName, done, reloadState }: FormProps) {
  const { data } = useAsk<IntegrationsView>(`/web/in/${project}/integrations`);
  const [invalid, setInvalid] = useState(noError);
  const [chosen, setChosen] = useState<ChosenChecks>('all');
  const [busy, setBusy] = useState(false);
  const canSend = !(kind in state.missing);
  const create = async (form: FormData, isTested: boolean): Promise<Added> => {
    const typed = String(form.get('name') ?? '').trim();
    const name = typed === '' && isBrowser(kind) ? browserWords(navigator.userAgent) : typed;
    const tag = typeof chosen === 'object' && 'tag' in chosen ? chosen.tag : null;
    const created = await addIntegration(project, {
      kind,
      name,
      fields: await newFieldsIn(form, kind),
      ...settingsIn(form, { isNew: true }),
      checks: tag === null && getsAlerts({ kind }) ? chosen : 'none',
      confirmed: form.has('confirmed'),
    });
    const added = { ...created, kind, name: name || kinds[kind].form.title, isTested };
    if (tag === null) return added;
    const search = new URLSearchParams({ tag }).toString();
    const path = `/web/in/${project}/channels/${created.id}/checks`;
    const { count } = await send<CountView>('POST', path, { on: true, search });
    return { ...added, checks: count };
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const { currentTarget, submitter } = event;
    if (busy || !(currentTarget instanceof HTMLFormElement)) return;
    setBusy(true);
    setInvalid(noError);
    await create(new FormData(currentTarget), submitter?.getAttribute('name') !== 'untested').then(
      (added) => {
        done(added);
        reloadState();
      },
      (reason: unknown) => setInvalid(formErrorOf(reason)),
    );
    setBusy(false);
  };
  return (
    <form onSubmit={submit} class="check-form" noValidate>
      <IntegrationParts
        project={project}
        kind={kind}
        channels={data?.integrations ?? []}
        missing={state.missing}
        canFill={!given && (state.fills?.includes(kind) ?? false)}
        given={given}
        name={firstName}
        invalid={invalid}
      />
      {role === 'owner' && kind === 'email' && (
        <label class="tick">
          <input type="checkbox" name="confirmed" />
          Confirm it myself (no verification email)
        </label>
      )}
      {getsAlerts({ kind }) && <CheckChoice project={project} chosen={chosen} choose={setChosen} />}
      <Problem text={invalid.field === '' ? invalid.error : ''} />
      {isBrowser(kind) && <AskedByBrowser isAsked={busy} />}
      <div class="actions">
        <button type="submit" class="main" aria-disabled={busy}>
          {isBrowser(kind) ? browserButton : canSend ? 'Add and send test' : 'Add integration'}
        </button>
        {canSend && (
          <button type="submit" name="untested" aria-disabled={busy}>
            Add without a test
          </button>
        )}
        <button type="button" onClick={() => go(addressOf(project, 'integrations'))}>
          Cancel
        </button>
      </div>
    </form>
  );
}
