/** One integration: how it is, and testing, changing and deleting it. Its secrets stay with the server. */
import { useState } from 'preact/hooks';
import { channelForms } from '../domain/channel-form.ts';
import type { ChannelReplyView, ChannelView } from '../domain/page-view.ts';
import { Act, Problem, Sure } from './bits.tsx';
import { ChannelFields, typedIn } from './channel-fields.tsx';
import { ChannelSettings, settingsIn } from './channel-settings.tsx';
import { send } from './door.ts';
import { flawOf, noFlaw, replyWords } from './new-integration.tsx';
import { useFocus } from './use-focus.ts';

interface LineProps {
  readonly channel: ChannelView;
  readonly path: string;
  /** All of the project. */
  readonly channels: readonly ChannelView[];
  readonly mayEdit: boolean;
  readonly isOwner: boolean;
  readonly changed: () => void;
}

export function Line({ channel, path, channels, mayEdit, isOwner, changed }: LineProps) {
  const [failed, setFailed] = useState('');
  const [said, setSaid] = useState('');
  const [editing, setEditing] = useState(false);
  const { name, kind, disabled, disabledReason, unverified } = channel;
  useFocus(editing ? 'form' : 'line');
  const test = async (): Promise<void> => {
    setSaid('');
    const { ok, error } = await send<{ ok: boolean; error: string }>('POST', `${path}/test`);
    if (!ok) throw new Error(error || 'The test was not delivered.');
    setSaid('The test was delivered.');
  };
  const resend = async (): Promise<void> => {
    setSaid('');
    await send('POST', `${path}/verify`);
    setSaid('The verification email was sent.');
  };
  return (
    <li class="line">
      <strong>{name || 'Unnamed'}</strong> <span class="tag">{channelForms[kind].title}</span>
      {disabled && <span class="faint">disabled{disabledReason && `: ${disabledReason}`}</span>}
      {unverified && <span class="faint">address not verified: it gets no alerts yet</span>}
      {mayEdit && unverified && (
        <Act class="quiet" run={resend} failed={setFailed}>
          Send the verification email again<span class="hidden"> to {name}</span>
        </Act>
      )}
      {isOwner && unverified && (
        <Act class="quiet" run={() => send('POST', `${path}/confirm`).then(changed)} failed={setFailed}>
          Confirm it myself<span class="hidden">: {name}</span>
        </Act>
      )}
      {mayEdit && (
        <>
          <Act class="quiet" run={test} failed={setFailed}>
            Test<span class="hidden"> {name}</span>
          </Act>
          {disabled && (
            <Act
              class="quiet"
              run={() => send('POST', path, { disabled: false }).then(changed)}
              failed={setFailed}
            >
              Enable again<span class="hidden"> {name}</span>
            </Act>
          )}
          <button type="button" class="quiet" aria-expanded={editing} onClick={() => setEditing(!editing)}>
            Edit<span class="hidden"> {name}</span>
          </button>
          <Sure
            label="Delete"
            of={name || channelForms[kind].title}
            ask={`${name || 'This integration'} will not be notified about any check. Its settings are deleted.`}
            yes="Delete"
            run={() => send('DELETE', path).then(changed)}
          />
        </>
      )}
      <span role="status">{said}</span>
      <Problem text={failed || errorText(channel)} />
      {editing && (
        <Edit
          channel={channel}
          channels={channels}
          path={path}
          saved={(reply) => {
            setEditing(false);
            setSaid(replyWords(reply));
            changed();
          }}
          cancel={() => setEditing(false)}
        />
      )}
    </li>
  );
}

/** What disabled it says more than the error that did. */
function errorText({ disabledReason, lastError }: ChannelView): string {
  return lastError === '' || disabledReason !== '' ? '' : `The last notification failed: ${lastError}`;
}

interface EditProps {
  readonly channel: ChannelView;
  readonly channels: readonly ChannelView[];
  readonly path: string;
  readonly saved: (reply: ChannelReplyView) => void;
  readonly cancel: () => void;
}

function Edit({ channel, channels, path, saved, cancel }: EditProps) {
  const [flaw, setFlaw] = useState(noFlaw);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const form = new FormData(event.currentTarget);
    const edit = {
      name: form.get('name'),
      ...typedIn(form, channel.kind),
      ...settingsIn(form),
      disabled: form.has('disabled'),
    };
    await send<ChannelReplyView>('POST', path, edit).then(saved, (reason: unknown) =>
      setFlaw(flawOf(reason)),
    );
  };
  return (
    <form class="body" onSubmit={submit} noValidate>
      <label>
        Name
        <input name="name" maxLength={100} defaultValue={channel.name} />
      </label>
      <ChannelFields kind={channel.kind} id={channel.id} channels={channels} channel={channel} flaw={flaw} />
      <ChannelSettings id={channel.id} settings={channel} flaw={flaw} />
      <label class="tick">
        <input type="checkbox" name="disabled" defaultChecked={channel.disabled} />
        Disabled
      </label>
      <Problem text={flaw.field === '' ? flaw.error : ''} />
      <div class="actions">
        <button type="submit" class="main">
          Save
        </button>
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
