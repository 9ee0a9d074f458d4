/** The form that sends a test email. Invariant: what became of it is said beside its button, whether it was sent or not. */
import { useState } from 'preact/hooks';
import { send } from '../core/calls.ts';
import { Act, Problem } from '../ui/bits.tsx';
import { FieldErrorText, markedInvalid, mustBeMail, useFormErrors } from '../ui/field-error.tsx';

/** Without an address it goes to that of the account. */
export function TestMail() {
  const [to, setTo] = useState('');
  const { form, invalid, failed, typed, otherThan } = useFormErrors();
  const [taken, setTaken] = useState('');
  const run = async (): Promise<void> => {
    setTaken('');
    if (to.trim() !== '') mustBeMail(to, 'to');
    const sent = await send<{ readonly to: string }>(
      'POST',
      '/web/server-settings/test-email',
      to.trim() === '' ? {} : { to: to.trim() },
    );
    setTaken(`The mail server has taken the test email to ${sent.to}.`);
  };
  return (
    <form class="inline" ref={form} noValidate onSubmit={(event) => event.preventDefault()}>
      <label>
        Address for a test email
        <input
          type="email"
          autocomplete="email"
          placeholder="Your own address"
          value={to}
          {...markedInvalid('to', invalid)}
          onInput={({ currentTarget }) => typed(setTo)(currentTarget.value)}
        />
      </label>
      <Act run={run} failed={failed} isDefault>
        Send test email
      </Act>
      <span role="status">{taken}</span>
      <FieldErrorText name="to" invalid={invalid} />
      <Problem text={otherThan('to')} />
    </form>
  );
}
