/** Hands a project over to another member: the offer, as an owner of the project makes it and withdraws it. */
import { useRef, useState } from 'preact/hooks';
import { nameCharsMax } from '../../domain/limits.ts';
import type { HandOverView, MemberView, OfferedView } from '../../domain/views/account-view.ts';
import { send } from '../core/calls.ts';
import { useUnsaved } from '../core/typed.ts';
import { useNow } from '../core/use-now.ts';
import { Act, Problem, Time, useOnce } from '../ui/bits.tsx';
import { FieldErrorText, markedInvalid, noFieldError, useErrorInFocus } from '../ui/field-error.tsx';
import { Panel } from '../ui/panel.tsx';

interface HandOverProps {
  readonly project: string;
  readonly offer: HandOverView | null;
  readonly members: readonly MemberView[];
  /** Whether the user is an owner of the installation, and so stays an owner of every project. */
  readonly isOwnerOfAll: boolean;
  readonly offsetMs: number;
  readonly changed: () => void;
}

export function HandOver({ project, offer, members, isOwnerOfAll, offsetMs, changed }: HandOverProps) {
  const [failed, setFailed] = useState('');
  const [said, setSaid] = useState('');
  const path = `/web/in/${project}/hand-over`;
  const make = async (name: string): Promise<void> => {
    const { to, mailed } = await send<OfferedView>('POST', path, { name });
    setSaid(mailWords(to, mailed));
    changed();
  };
  const withdraw = (): Promise<void> =>
    send('DELETE', path).then(() => {
      setSaid('');
      changed();
    });
  return (
    <Panel
      title="Hand over this project"
      help={`Another member becomes its owner, once they accept. ${isOwnerOfAll ? 'As an owner of this server you stay an owner of every project.' : 'You become an editor of it.'}`}
    >
      <p role="status">{said}</p>
      {offer ? (
        <Offered offer={offer} withdraw={withdraw} failed={setFailed} offsetMs={offsetMs} />
      ) : (
        <OfferForm
          names={members
            .filter(({ roleHere }) => roleHere === 'editor' || roleHere === 'viewer')
            .map(({ name }) => name)}
          make={make}
          failed={setFailed}
        />
      )}
      <Problem text={failed} />
    </Panel>
  );
}

function mailWords(to: string, mailed: OfferedView['mailed']): string {
  if (!mailed) return `${to} sees the offer on the page, and gets no email.`;
  return mailed.error === null
    ? `An email was sent to ${mailed.to}.`
    : `The email to ${mailed.to} was not sent: ${mailed.error}. ${to} sees the offer on the page.`;
}

interface OfferedProps {
  readonly offer: HandOverView;
  readonly withdraw: () => Promise<void>;
  readonly failed: (error: string) => void;
  readonly offsetMs: number;
}

function Offered({ offer: { to, by, untilMs }, withdraw, failed, offsetMs }: OfferedProps) {
  const nowMs = useNow(offsetMs);
  return (
    <>
      <p>
        {by} has offered it to <strong>{to}</strong>. The offer expires <Time atMs={untilMs} nowMs={nowMs} />.
        Until it is accepted nothing changes.
      </p>
      <Act run={withdraw} failed={failed}>
        Withdraw the offer
      </Act>
    </>
  );
}

interface OfferFormProps {
  /** Of members that it can be offered to. */
  readonly names: readonly string[];
  readonly make: (name: string) => Promise<void>;
  readonly failed: (error: string) => void;
}

function OfferForm({ names, make, failed }: OfferFormProps) {
  const [name, setName] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const [invalid, setInvalid] = useState(noFieldError);
  const [busy, act] = useOnce(
    () => make(name),
    (error, field) => (field === 'name' ? setInvalid({ field: 'hand-over', error }) : failed(error)),
  );
  useUnsaved(() => name.trim() !== '');
  useErrorInFocus(form, invalid);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') void act();
    else setInvalid({ field: 'hand-over', error: 'Enter the name of a member.' });
  };
  return (
    <form class="inline" onSubmit={submit} ref={form} noValidate>
      <label>
        Name or email address of the member
        <input
          value={name}
          list="hand-over-names"
          maxLength={nameCharsMax}
          autocomplete="off"
          {...markedInvalid('hand-over', invalid)}
          onInput={(event) => {
            setName(event.currentTarget.value);
            setInvalid(noFieldError);
          }}
        />
      </label>
      <datalist id="hand-over-names">
        {names.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <button
        type="submit"
        aria-disabled={busy || name.trim() === ''}
        title={name.trim() === '' ? 'Enter a name first.' : undefined}
      >
        Offer
      </button>
      <FieldErrorText name="hand-over" invalid={invalid} />
    </form>
  );
}
