/** A new integration: its kind, its name, and what that kind asks for. */
import { useState } from 'preact/hooks';
import { channelForms } from '../domain/channel-form.ts';
import type { ChannelView, CheckRow, NewChannelView } from '../domain/page-view.ts';
import { type ChannelKind, channelKinds } from '../domain/project.ts';
import { Problem } from './bits.tsx';
import { ChannelFields, type FormFlaw, typedIn } from './channel-fields.tsx';
import { ChannelSettings, settingsIn } from './channel-settings.tsx';
import { CheckChoice, type ChosenChecks } from './check-choice.tsx';
import { messageOf, Refusal, send } from './door.ts';

export const noFlaw: FormFlaw = { field: '', error: '' };

export function flawOf(reason: unknown): FormFlaw {
  return { field: reason instanceof Refusal ? reason.field : '', error: messageOf(reason) };
}

/** What became of the email that asks an address to confirm; empty where none was needed. */
export function verificationWords(error: string | undefined): string {
  if (error === undefined) return '';
  return error === ''
    ? 'The address gets an email now; it gets alerts once it has confirmed.'
    : `The verification email was not sent: ${error}`;
}

function addedWords(checks: number, of: number, verification: string | undefined): string {
  const used = checks === 0 ? 'No check notifies it yet.' : `${checks} of ${of} checks notify it.`;
  const next = verificationWords(verification) || 'Send a test to check that it works.';
  return of === 0 ? `Added. ${next}` : `Added. ${used} ${next}`;
}

/** By what people call them. */
const kinds = [...channelKinds].sort((a, b) =>
  channelForms[a].title.localeCompare(channelForms[b].title, 'en'),
);

interface NewIntegrationProps {
  readonly project: string;
  readonly channels: readonly ChannelView[];
  /** The checks that there are. */
  readonly rows: readonly CheckRow[];
  readonly isOwner: boolean;
  readonly made: () => void;
}

export function NewIntegration({ project, channels, rows, isOwner, made }: NewIntegrationProps) {
  const [flaw, setFlaw] = useState(noFlaw);
  const [kind, setKind] = useState<ChannelKind>('email');
  const [round, setRound] = useState(0);
  const [said, setSaid] = useState('');
  const [chosen, setChosen] = useState<ChosenChecks>('all');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const form = new FormData(event.currentTarget);
    const { fields } = typedIn(form, kind);
    setSaid('');
    try {
      const { checks, verification } = await send<NewChannelView>('POST', `/web/in/${project}/channels`, {
        kind,
        name: form.get('name'),
        fields,
        ...settingsIn(form),
        checks: chosen,
        confirmed: form.has('confirmed'),
      });
      setFlaw(noFlaw);
      // A new form: what was typed may be secret.
      setRound(round + 1);
      setChosen('all');
      setSaid(addedWords(checks, rows.length, verification));
      made();
    } catch (reason) {
      setFlaw(flawOf(reason));
    }
  };
  const choose = (wanted: string): void => {
    setKind(kinds.find((one) => one === wanted) ?? 'email');
    setFlaw(noFlaw);
  };
  return (
    <>
      <form onSubmit={submit} key={round} class="check-form" noValidate>
        <fieldset>
          <legend>Add integration</legend>
          <label>
            Type
            <select value={kind} onChange={(event) => choose(event.currentTarget.value)}>
              {kinds.map((one) => (
                <option key={one} value={one}>
                  {channelForms[one].title}
                </option>
              ))}
            </select>
          </label>
          <label>
            Name
            <input name="name" maxLength={100} />
          </label>
          <ChannelFields key={kind} kind={kind} id="new" channels={channels} flaw={flaw} />
          {isOwner && kind === 'email' && (
            <label class="tick">
              <input type="checkbox" name="confirmed" />
              Confirm the address myself: without an email that asks it
            </label>
          )}
          <CheckChoice rows={rows} chosen={chosen} choose={setChosen} />
          <details open={flaw.field === 'timeZone'}>
            <summary>When to notify</summary>
            <ChannelSettings id="new" flaw={flaw} />
          </details>
          <Problem text={flaw.field === '' ? flaw.error : ''} />
          <button type="submit" class="main">
            Add
          </button>
        </fieldset>
      </form>
      <p role="status">{said}</p>
    </>
  );
}
