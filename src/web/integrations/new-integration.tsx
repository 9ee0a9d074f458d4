/** A new integration of one kind, on a page of its own; once it is there, a test of it is offered. */

import { useState } from 'preact/hooks';
import { type ChannelKind, channelKinds } from '../../domain/accounts/project.ts';
import type { IntegrationsView } from '../../domain/views/integration-view.ts';
import type { CountView, NewChannelView } from '../../domain/views/page-view.ts';
import { kinds } from '../../integrations/all.ts';
import { send, useAsk } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf, go } from '../core/route.ts';
import { useTab } from '../core/tab.ts';
import { useFocus } from '../core/use-focus.ts';
import { CheckChoice, type ChosenChecks } from '../form/check-choice.tsx';
import { Act, Problem } from '../ui/bits.tsx';
import { typedIn } from './channel-fields.tsx';
import { settingsIn } from './channel-settings.tsx';
import { formErrorOf, IntegrationParts, noError, replyWords } from './integration-form.tsx';
import { sendTest } from './integration-line.tsx';
import '../style/integrations.css';

type NewProps = PageProps & { readonly kind: string };

export function NewIntegration(props: NewProps) {
  const { project, live, mayEdit } = props;
  const kind = channelKinds.find((one) => one === props.kind);
  const [added, setAdded] = useState<Added | null>(null);
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
        <Done {...props} added={added} />
      ) : (
        <>
          <h1>Add {kinds[kind].form.title}</h1>
          <Form {...props} kind={kind} done={setAdded} />
        </>
      )}
    </>
  );
}

interface Added extends NewChannelView {
  readonly name: string;
}

interface FormProps extends PageProps {
  readonly kind: ChannelKind;
  readonly done: (added: Added) => void;
}

function Form({ project, state, role, kind, done, reloadState }: FormProps) {
  const { data } = useAsk<IntegrationsView>(`/web/in/${project}/integrations`);
  const [invalid, setInvalid] = useState(noError);
  const [chosen, setChosen] = useState<ChosenChecks>('all');
  const [busy, setBusy] = useState(false);
  const create = async (form: FormData): Promise<Added> => {
    const name = String(form.get('name') ?? '').trim();
    const tag = typeof chosen === 'object' && 'tag' in chosen ? chosen.tag : null;
    const created = await send<NewChannelView>('POST', `/web/in/${project}/channels`, {
      kind,
      name,
      fields: typedIn(form, kind).fields,
      ...settingsIn(form, { isNew: true }),
      checks: tag === null ? chosen : 'none',
      confirmed: form.has('confirmed'),
    });
    const added = { ...created, name: name || kinds[kind].form.title };
    if (tag === null) return added;
    const search = new URLSearchParams({ tag }).toString();
    const path = `/web/in/${project}/channels/${created.id}/checks`;
    const { count } = await send<CountView>('POST', path, { on: true, search });
    return { ...added, checks: count };
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (busy || !(event.currentTarget instanceof HTMLFormElement)) return;
    setBusy(true);
    await create(new FormData(event.currentTarget)).then(
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
        kind={kind}
        channels={data?.integrations ?? []}
        missing={state.missing}
        invalid={invalid}
      />
      {role === 'owner' && kind === 'email' && (
        <label class="tick">
          <input type="checkbox" name="confirmed" />
          Confirm it myself (no verification email)
        </label>
      )}
      <CheckChoice project={project} chosen={chosen} choose={setChosen} />
      <Problem text={invalid.field === '' ? invalid.error : ''} />
      <div class="actions">
        <button type="submit" class="main" aria-disabled={busy}>
          Add integration
        </button>
        <button type="button" onClick={() => go(addressOf(project, 'integrations'))}>
          Cancel
        </button>
      </div>
    </form>
  );
}

function Done({ project, live, added }: PageProps & { readonly added: Added }) {
  const [failed, setFailed] = useState('');
  const [said, setSaid] = useState('');
  const all = live.summary?.all ?? 0;
  const next = replyWords(added);
  const test = () => sendTest(project, added.id).then(() => setSaid('The test was delivered.'));
  return (
    <>
      <h1>{added.name} was added</h1>
      <p role="status">
        {usedWords(added.checks, all)} {next || 'Send a test to see that it works.'}
      </p>
      <div class="actions">
        <Act
          class="main"
          run={() => {
            setSaid('');
            return test();
          }}
          failed={setFailed}
        >
          Send test
        </Act>
        <a class="button" href={addressOf(project, 'integrations')}>
          Back to integrations
        </a>
      </div>
      <p role="status">{said}</p>
      <Problem text={failed} />
    </>
  );
}

function usedWords(checks: number, all: number): string {
  if (all === 0) return '';
  return checks === 0 ? 'No check notifies it yet.' : `${checks} of ${all} checks notify it.`;
}
