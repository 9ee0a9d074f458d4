/** A new integration: its kind, its name, and what that kind asks for. */
import { useState } from 'preact/hooks';
import { channelForms } from '../domain/channel-form.ts';
import type {
  ChannelReplyView,
  ChannelView,
  CheckRow,
  NewChannelView,
  PageState,
} from '../domain/page-view.ts';
import { type ChannelKind, channelKinds } from '../domain/project.ts';
import { Problem } from './bits.tsx';
import { ChannelFields, type FormFlaw, typedIn } from './channel-fields.tsx';
import { ChannelSettings, settingsIn } from './channel-settings.tsx';
import { CheckChoice, type ChosenChecks } from './check-choice.tsx';
import { messageOf, Refusal, send } from './door.ts';
import { missingWords } from './unconfigured.tsx';

export const noFlaw: FormFlaw = { field: '', error: '' };

export function flawOf(reason: unknown): FormFlaw {
  return { field: reason instanceof Refusal ? reason.field : '', error: messageOf(reason) };
}

/** Why nothing will be sent, and what became of the email that asks an address to confirm; empty where neither is so. */
export function replyWords({ verification, warning }: ChannelReplyView): string {
  const asked =
    verification === ''
      ? 'The address gets an email now; it gets alerts once it has confirmed.'
      : verification && `The verification email was not sent: ${verification}.`;
  return [warning && `Nothing will be sent: ${warning}.`, asked].filter(Boolean).join(' ');
}

function addedWords(checks: number, of: number, reply: ChannelReplyView): string {
  const used = checks === 0 ? 'No check notifies it yet.' : `${checks} of ${of} checks notify it.`;
  const next = replyWords(reply) || 'Send a test to check that it works.';
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
  readonly missing: PageState['missing'];
  readonly made: () => void;
}

export function NewIntegration({ project, channels, rows, isOwner, missing, made }: NewIntegrationProps) {
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
      const { checks, ...reply } = await send<NewChannelView>('POST', `/web/in/${project}/channels`, {
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
      setSaid(addedWords(checks, rows.length, reply));
      made();
    } catch (reason) {
      setFlaw(flawOf(reason));
    }
  };
  const unsent = missingWords(kind, missing);
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
          <Problem
            text={
              unsent === '' ? '' : `${unsent}, which this server does not have: nothing is sent until then.`
            }
          />
          <ChannelFields key={kind} kind={kind} id="new" channels={channels} flaw={flaw} />
          {isOwner && kind === 'email' && (
            <label class="tick">
              <input type="checkbox" name="confirmed" />
              Confirm it myself (no verification email)
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
